import type { Db } from '../../db/database.ts'

/** Tokens that the coach's language model has used for the meeting so far. */
export async function readUsedCoachTokens(db: Db, meetingId: string): Promise<number> {
  const row = await db
    .selectFrom('meeting')
    .select('coach_tokens')
    .where('id', '=', meetingId)
    .executeTakeFirst()
  return row?.coach_tokens ?? 0
}

export async function addUsedCoachTokens(tx: Db, meetingId: string, tokens: number): Promise<void> {
  await tx
    .updateTable('meeting')
    .set((eb) => ({ coach_tokens: eb('coach_tokens', '+', tokens) }))
    .where('id', '=', meetingId)
    .execute()
}
