import type { Tx } from '../../db/database.ts'
import { appendLateEvent } from '../../meetings/record/late-event.ts'
import { requireMeeting } from '../../meetings/record/meeting-store.ts'
import type { EventRow } from '../../meetings/record/rows.ts'
import { readActionItemsOfMeeting } from '../store/action-items.ts'
import { findStoredRecap } from '../store/stored-recap.ts'

/** Stores the `recap_ready` event in the transaction of the recap, if the meeting was started with this event type. */
export async function storeRecapReadyEvent(
  tx: Tx,
  meetingId: string,
  at: Date,
): Promise<EventRow[]> {
  const { options } = await requireMeeting(tx, meetingId)
  if (options.events?.includes('recap_ready') !== true) return []
  const stored = await findStoredRecap(tx, meetingId)
  if (stored === null || stored.content === null || stored.method === null) return []
  const { version, method, model, error, content } = stored
  const actions = await readActionItemsOfMeeting(tx, meetingId)
  const payload = {
    version,
    method,
    model,
    error,
    summary: content.summary.map(({ text }) => text),
    decisionCount: content.decisions.length,
    actionCount: actions.length,
    openQuestionCount: content.openQuestions.length,
    timestamp: at.toISOString(),
  }
  return appendLateEvent(tx, meetingId, at, { type: 'recap_ready', payload })
}
