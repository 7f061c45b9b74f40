import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { UserMarkKind } from './mark-keys.ts'

/** Old dismissals are useless, because what they hid is over. */
export const MAX_ATTENTION_MARKS = 100

export type UserMark = { kind: UserMarkKind; key: string; at: Date }

export function createUserMarks({ db, clock }: { db: Db; clock: Clock }) {
  return {
    list: (userId: string) =>
      db
        .selectFrom('user_mark')
        .select(['kind', 'key', 'at'])
        .where('user_id', '=', userId)
        .orderBy('at', 'desc')
        .orderBy('key')
        .execute(),

    /** Sets a mark. A user has at most `MAX_ATTENTION_MARKS` dismissals. The oldest are removed. */
    async set(userId: string, kind: UserMarkKind, key: string): Promise<void> {
      const at = clock.now()
      await db
        .insertInto('user_mark')
        .values({ user_id: userId, kind, key, at })
        .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'key']).doUpdateSet({ at }))
        .execute()
      if (kind !== 'attention') return
      await sql`delete from user_mark where (user_id, kind, key) in (
        select user_id, kind, key from user_mark where user_id = ${userId} and kind = ${kind}
        order by at desc, key offset ${MAX_ATTENTION_MARKS})`.execute(db)
    },

    async remove(userId: string, kind: UserMarkKind, key: string): Promise<void> {
      await db
        .deleteFrom('user_mark')
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .where('key', '=', key)
        .execute()
    },
  }
}

export type UserMarks = ReturnType<typeof createUserMarks>
