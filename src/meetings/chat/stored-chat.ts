import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { countRows } from '../../db/query-helpers.ts'
import {
  runTransactionUnderLease,
  requireMeeting,
  type MeetingLease,
} from '../record/meeting-store.ts'

/** A stored chat message. Numbers start at 1 in each meeting. */
export type StoredChatMessage = { number: number; author: string; text: string; at: Date }

export type NewChatMessage = Omit<StoredChatMessage, 'number'> & { messageId: string }

/** Later messages of a meeting are not stored. */
export const MAX_STORED_MESSAGES = 10_000

/** Stores chat messages, except those that an earlier bot of the meeting has stored. */
export async function saveChatMessages(
  db: Db,
  lease: MeetingLease,
  messages: readonly NewChatMessage[],
): Promise<void> {
  const { meetingId } = lease
  await runTransactionUnderLease(db, lease, async (tx) => {
    const { last } = await tx
      .selectFrom('chat_message')
      .select((eb) => eb.fn.coalesce(eb.fn.max('number'), sql<number>`0`).as('last'))
      .where('meeting_id', '=', meetingId)
      .executeTakeFirstOrThrow()
    const rows = messages
      .map(({ messageId, ...message }, i) => ({
        ...message,
        meeting_id: meetingId,
        message_id: messageId,
        number: last + i + 1,
      }))
      .slice(0, Math.max(0, MAX_STORED_MESSAGES - last))
    if (rows.length === 0) return
    await tx
      .insertInto('chat_message')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** Reads all chat messages of a meeting, oldest first, with the author's name on the platform. */
export function readStoredChat(
  db: Db,
  meetingId: string,
): Promise<Array<StoredChatMessage & { platformAuthor: string }>> {
  return createChatQuery(db, meetingId).select('chat_message.author as platformAuthor').execute()
}

export type ChatPage = { isStored: boolean; messages: StoredChatMessage[]; total: number }

/** Reads at most `limit` chat messages of a meeting with numbers above `after`. */
export async function readChatPage(
  db: Db,
  meetingId: string,
  { after, limit }: { after: number; limit: number },
): Promise<ChatPage> {
  const { options } = await requireMeeting(db, meetingId)
  const messages = await createChatQuery(db, meetingId)
    .where('number', '>', after)
    .limit(limit)
    .execute()
  const total = await countRows(db.selectFrom('chat_message').where('meeting_id', '=', meetingId))
  return { isStored: options.chat?.store ?? false, messages, total }
}

function createChatQuery(db: Db, meetingId: string) {
  return db
    .selectFrom('chat_message')
    .innerJoin('meeting', 'meeting.id', 'chat_message.meeting_id')
    .select(['number', 'text', 'at'])
    .select(sql<string>`coalesce(meeting.speaker_names -> author ->> 'name', author)`.as('author'))
    .where('meeting_id', '=', meetingId)
    .orderBy('number')
}
