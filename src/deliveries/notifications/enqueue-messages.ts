import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { currentTraceParent } from '../../lib/tracer.ts'
import { TOPIC_OF_EVENT, type NotificationMessage } from './notification.ts'

/**
 * Stores a message for each notification of the project that wants some of the events, in the transaction of what they
 * report. The rows of notifications stay locked until the commit, so messages are committed in the order of their
 * sequences. The lanes notice the messages themselves.
 */
export async function enqueueMessages(
  tx: Tx,
  { meetingId, at, ...message }: NotificationMessage & { meetingId: string | null; at: Date },
): Promise<void> {
  const { project, events } = message
  if (events.length === 0) return
  const topics = [...new Set(events.map(({ type }) => TOPIC_OF_EVENT[type]))]
  const wanting = await tx
    .selectFrom('notification')
    .select(['id', 'topics'])
    .where('project', '=', project)
    .where(sql<boolean>`topics && ${topics}::text[]`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const { id, topics: wanted } of wanting) {
    const own = events.filter(({ type }) => wanted.includes(TOPIC_OF_EVENT[type]))
    const topic = topics.find((one) => wanted.includes(one))
    if (topic === undefined) continue
    const { sequence } = await tx
      .updateTable('notification')
      .set({ last_sequence: sql<number>`last_sequence + 1` })
      .where('id', '=', id)
      .returning('last_sequence as sequence')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('notification_message')
      .values({
        notification_id: id,
        sequence,
        meeting_id: meetingId,
        type: topic,
        at,
        body: JSON.stringify({ ...message, events: own } satisfies NotificationMessage),
        trace_parent: currentTraceParent(),
      })
      .execute()
  }
}
