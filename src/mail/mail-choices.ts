import type { Selectable, Updateable } from 'kysely'
import { appendAudit, type Actor } from '../accounts/audit.ts'
import type { Db } from '../db/database.ts'
import type { Database } from '../db/schema.ts'

export type MailChoiceRow = Selectable<Database['mail_choice']>

/** What a person who has never chosen wants. */
export const DEFAULT_MAIL_CHOICE: Omit<MailChoiceRow, 'user_id'> = {
  recaps: 'all',
  digest: 'none',
  digest_weekday: 'monday',
  digest_hour: 8,
  time_zone: null,
  digest_due_at: null,
  brief_minutes: null,
}

/** What these users want. Users who have never chosen are missing. */
export async function readMailChoices(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, MailChoiceRow>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('mail_choice')
    .selectAll()
    .where('user_id', 'in', userIds)
    .execute()
  return new Map(rows.map((row) => [row.user_id, row]))
}

export async function readMailChoice(
  db: Db,
  userId: string,
): Promise<Omit<MailChoiceRow, 'user_id'>> {
  return (await readMailChoices(db, [userId])).get(userId) ?? DEFAULT_MAIL_CHOICE
}

/** Who wants briefs, and how many minutes before their meetings. */
export async function listBriefWishes(db: Db): Promise<Array<{ userId: string; minutes: number }>> {
  const rows = await db
    .selectFrom('mail_choice')
    .select(['user_id as userId', 'brief_minutes as minutes'])
    .where('brief_minutes', 'is not', null)
    .execute()
  return rows.flatMap(({ userId, minutes }) => (minutes === null ? [] : [{ userId, minutes }]))
}

/** Changes what a person wants. `detail` says what, for the audit log. False if there is no such user. */
export async function changeMailChoice(
  db: Db,
  userId: string,
  change: (current: MailChoiceRow) => Updateable<Database['mail_choice']>,
  { actor, now, detail }: { actor: Actor; now: Date; detail: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Locks the user first, like the removal of a user.
    await tx
      .insertInto('mail_choice')
      .columns(['user_id'])
      .expression((eb) =>
        eb.selectFrom('app_user').select('id').where('id', '=', userId).forKeyShare(),
      )
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
    const current = await tx
      .selectFrom('mail_choice')
      .selectAll()
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (current === undefined) return false
    await tx.updateTable('mail_choice').set(change(current)).where('user_id', '=', userId).execute()
    await appendAudit(tx, now, actor, 'mail choice changed', userId, detail)
    return true
  })
}
