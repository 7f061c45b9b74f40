import type { Insertable } from 'kysely'
import type { Db, DatabaseHandle } from '../../../src/db/database.ts'
import type { Database } from '../../../src/db/schema.ts'
import { createMeetingBatchWriter } from '../../../src/meetings/record/batch-writer.ts'
import { readGaps } from '../../../src/meetings/record/gaps.ts'
import { createMeetingId, type MeetingOptions } from '../../../src/meetings/meeting.ts'
import { createMeetingWriter } from '../../../src/meetings/record/meeting-writer.ts'

export const SEED_TIME = new Date('2026-11-15T12:00:00.000Z')

export const MEETING_OPTIONS: MeetingOptions = {
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

/** Inserts a meeting that its first bot attends, unless `row` overrides it. */
export async function seedMeeting(
  db: Db,
  row: Partial<Insertable<Database['meeting']>> = {},
): Promise<string> {
  const id = createMeetingId(SEED_TIME)
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
      options: JSON.stringify(MEETING_OPTIONS),
      status: 'live',
      started_at: SEED_TIME,
      fence: 1,
      ...row,
    })
    .execute()
  return id
}

/** The stored counters that a new lease starts with. */
export function readStoredCounters(db: Db, meetingId: string) {
  return db
    .selectFrom('meeting')
    .select(['last_sequence as lastSequence', 'reserved_sequence as reservedSequence'])
    .select('segment_count as segmentCount')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
}

export async function createTestWriter(
  { db, pool }: DatabaseHandle,
  meetingId: string,
  fence: number,
  monotonic?: () => number,
) {
  const counters = await readStoredCounters(db, meetingId)
  const lease = { meetingId, fence }
  const ledger = createMeetingBatchWriter(pool)
  const gaps = await readGaps(db, meetingId)
  const parts = { db, ledger, lease, counters, gaps, onWritten: () => undefined }
  return createMeetingWriter(monotonic === undefined ? parts : { ...parts, monotonic })
}
