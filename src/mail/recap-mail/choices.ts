import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { Db } from '../../db/database.ts'
import type { RecapMailChoice } from './choice-names.ts'

const DEFAULT_CHOICE: RecapMailChoice = 'all'

export async function readRecapMailChoice(db: Db, userId: string): Promise<RecapMailChoice> {
  return (await readChoices(db, [userId])).get(userId) ?? DEFAULT_CHOICE
}

/** The choices of these users. Users who have never chosen are missing. */
export async function readChoices(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, RecapMailChoice>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('mail_choice')
    .select(['user_id as userId', 'recaps'])
    .where('user_id', 'in', userIds)
    .execute()
  return new Map(rows.map(({ userId, recaps }) => [userId, recaps]))
}

/** Stores what a person wants. False if there is no such user. */
export async function changeRecapMailChoice(
  db: Db,
  userId: string,
  recaps: RecapMailChoice,
  { actor, now }: { actor: Actor; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('mail_choice')
      .columns(['user_id', 'recaps'])
      .expression((eb) =>
        eb
          .selectFrom('app_user')
          .select(['id', eb.val(recaps).as('recaps')])
          .where('id', '=', userId)
          .forKeyShare(),
      )
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ recaps }))
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) return false
    await appendAudit(tx, now, actor, 'mail choice changed', userId, recaps)
    return true
  })
}
