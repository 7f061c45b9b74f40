import type { Insertable } from 'kysely'
import type { Db, OpenDatabase } from '../../src/db/open.ts'
import type { Database } from '../../src/db/schema.ts'
import { createLedger } from '../../src/meetings/ledger.ts'
import { newMeetingId, type MeetingOptions } from '../../src/meetings/meeting.ts'
import { createMeetingWriter } from '../../src/meetings/writer.ts'

export const AT = new Date('2026-11-15T12:00:00.000Z')

export const OPTIONS: MeetingOptions = {
  botName: 'Hansard',
  language: null,
  account: null,
  coach: false,
  events: null,
  leave: {
    lobbyTimeout: 900,
    hostTimeout: 900,
    nobodyJoined: 1200,
    everyoneLeft: 60,
    silence: null,
    maxDuration: 14_400,
  },
}

/** A meeting that a first bot attends, unless the row says otherwise. */
export async function seedMeeting(
  db: Db,
  row: Partial<Insertable<Database['meeting']>> = {},
): Promise<string> {
  const id = newMeetingId(AT)
  await db
    .insertInto('meeting')
    .values({
      id,
      platform: 'practice',
      url: 'practice://standup',
      room: 'r',
      label: 'l',
      title: null,
      project: 'api',
      document_path: null,
      callback_url: 'http://x/',
      token_id: null,
      options: JSON.stringify(OPTIONS),
      status: 'live',
      started_at: AT,
      fence: 1,
      ...row,
    })
    .execute()
  return id
}

/** What is stored now: with it a hold begins. */
export function storedOf(db: Db, meetingId: string) {
  return db
    .selectFrom('meeting')
    .select(['last_sequence as lastSequence', 'reserved_sequence as reservedSequence'])
    .select('segment_count as segmentCount')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
}

export async function writerFor({ db, pool }: OpenDatabase, meetingId: string, fence: number) {
  const stored = await storedOf(db, meetingId)
  const hold = { meetingId, fence }
  const ledger = createLedger(pool)
  return createMeetingWriter({ db, ledger, hold, stored, onWritten: () => undefined })
}
