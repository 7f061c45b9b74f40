import { createAskModelFunction, type AskModel } from '../../ai/ask-once.ts'
import type { MeteredModel } from '../../ai/metered-model.ts'
import type { Db } from '../../db/database.ts'
import { findMeeting } from '../record/meeting-store.ts'

/** Opens the coach's language model for one meeting, and says how many tokens the meeting has already used. */
export type CoachModelOpener = (meetingId: string) => Promise<{ ask: AskModel; usedTokens: number }>

export function createCoachModelOpener(db: Db, model: MeteredModel): CoachModelOpener {
  return async (meetingId) => {
    const meeting = await findMeeting(db, meetingId)
    const ask = createAskModelFunction(model.find, async (usage) => {
      await model.addUsage(usage, meeting?.project ?? null, async (tx, { tokens }) => {
        await tx
          .updateTable('meeting')
          .set((eb) => ({ coach_tokens: eb('coach_tokens', '+', tokens) }))
          .where('id', '=', meetingId)
          .execute()
      })
    })
    const used = await db
      .selectFrom('meeting')
      .select('coach_tokens')
      .where('id', '=', meetingId)
      .executeTakeFirst()
    return {
      usedTokens: used?.coach_tokens ?? 0,
      async ask(question, onTokens, signal) {
        await model.requireBudget()
        return ask(question, onTokens, signal)
      },
    }
  }
}
