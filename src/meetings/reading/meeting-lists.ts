import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import { shortenToOneLine } from '../../language/clean-text.ts'
import type { Db, Tx } from '../../db/database.ts'
import { parseTimeCursorOrThrow, toTimeSortKey, cutRowsToPage } from '../../db/page-cursor.ts'
import { toContainsPattern } from '../../db/query-helpers.ts'
import type { MeetingPlatform } from '../meeting-platforms.ts'
import type { Meeting } from '../meeting.ts'
import { createMeetingQuery, convertMeetingRow } from '../record/meeting-store.ts'
import type { MeetingStatus } from '../status.ts'

export type MeetingHistoryFilter = {
  project?: string | undefined
  status?: MeetingStatus | undefined
  platform?: MeetingPlatform | undefined
  /** Leaves out scheduled meetings. */
  hasBegun?: boolean | undefined
  /** Leaves out meetings that were retried. */
  isLastAttempt?: boolean | undefined
  /** Text that must occur in a meeting's title or label. */
  text?: string | undefined
}

export type MeetingHistoryPage = { meetings: Meeting[]; nextCursor: string | null }

/** SQL condition. The subquery does not depend on the row, so the attempts are found in one pass. */
const wasNotTriedAgain = sql<boolean>`meeting.id not in (
  select again.options->>'retryOf' from meeting as again where again.options->>'retryOf' is not null)`

const MAX_CHARS = 160

/** A meeting whose end is unknown is assumed to last this long. */
const DEFAULT_LENGTH = '1 hour'
/** A bot that is scheduled more than this after the start attends another part of the meeting. */
const MAX_LATE = '5 minutes'

/** A bot in these statuses is about to leave, so it no longer attends. */
const GONE_STATUSES = sql`('ended', 'error', 'stopping', 'leaving')`

type OpenMeetingInRoom = {
  id: string
  /** True if the meeting should be over before the given time. Nobody knows how long its bot stays. */
  isOverrun: boolean
}

type RoomAndTime = {
  project: string
  room: string
  from: Date
  to: Date
  /** The id of a meeting to ignore. */
  except?: string
}

/**
 * Reads one page of meetings, newest first. The cursor contains the last row's sort key, so pages do not overlap when
 * meetings are added or removed. A scheduled meeting that begins late, moves or is cancelled gets another sort key, so
 * a reader of all pages may get it twice or not at all.
 */
export async function readMeetingHistory(
  db: Db,
  viewer: Viewer,
  filter: MeetingHistoryFilter,
  limit: number,
  cursor: string | undefined,
): Promise<MeetingHistoryPage> {
  const { project, status, platform, hasBegun, isLastAttempt, text } = filter
  const after = cursor === undefined ? null : parseTimeCursorOrThrow(cursor)
  const rows = await createMeetingQuery(db)
    .where(readsProject(viewer, 'meeting.project'))
    .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'ended'))
    // Written like the condition of an index, so that scheduled meetings are not read first.
    .$if(hasBegun === true || (status !== undefined && status !== 'scheduled'), (query) =>
      query.where('status', '<>', sql.lit('scheduled')),
    )
    .$if(platform !== undefined, (query) => query.where('platform', '=', platform ?? 'practice'))
    .$if(isLastAttempt === true, (query) => query.where(wasNotTriedAgain))
    .$if(text !== undefined, (query) =>
      query.where((eb) => {
        const pattern = toContainsPattern(text ?? '')
        return eb.or([eb('title', 'ilike', pattern), eb('label', 'ilike', pattern)])
      }),
    )
    .$if(after !== null, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('started_at', 'id'),
          '<',
          eb.tuple(after?.at ?? new Date(0), after?.id ?? ''),
        ),
      ),
    )
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = cutRowsToPage(
    rows.map(convertMeetingRow),
    limit,
    ({ startedAt, id }) => toTimeSortKey(startedAt, id),
  )
  return { meetings: items, nextCursor }
}

/** The last thing said in each meeting, such as "Ada: Good morning." Meetings without words are missing. */
export async function readLastLines(
  db: Db,
  meetingIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (meetingIds.length === 0) return new Map()
  const { rows } = await sql<{ meetingId: string; speaker: string; text: string }>`
    select m.id as "meetingId", s.speaker, s.text from unnest(${meetingIds}::text[]) as m(id)
    cross join lateral (select speaker, text from segment where meeting_id = m.id
      order by number desc limit 1) s`.execute(db)
  return new Map(
    rows.map(({ meetingId, speaker, text }) => {
      const line = speaker === '' ? text : `${speaker}: ${text}`
      return [meetingId, shortenToOneLine(line, MAX_CHARS)]
    }),
  )
}

/** Finished meetings whose tasks were not started yet, in the order in which they ended. */
export async function findMeetingsAwaitingTasks(
  db: Db,
  limit: number,
): Promise<Array<Meeting & { traceParent: string | null }>> {
  const rows = await createMeetingQuery(db)
    .select('trace_parent')
    .where('ended_at', 'is not', null)
    .where('tasks_started', '=', false)
    // Tasks read the document, and an import's document is written after its commit.
    .where((eb) =>
      eb.not(
        eb.and([
          eb('platform', '=', 'imported'),
          eb('document_path', 'is not', null),
          eb('document_size', '=', 0),
        ]),
      ),
    )
    .orderBy('ended_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...convertMeetingRow(row), traceParent: row.trace_parent }))
}

/** The newest ended meetings that the viewer may read. */
export async function listNewestEndedMeetings(
  db: Db,
  viewer: Viewer,
  limit: number,
): Promise<Meeting[]> {
  const rows = await createMeetingQuery(db)
    .where(readsProject(viewer, 'meeting.project'))
    .where('ended_at', 'is not', null)
    // Written like the condition of the index, so that scheduled meetings are not read.
    .where('status', '<>', sql.lit('scheduled'))
    .orderBy('started_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(convertMeetingRow)
}

/**
 * Marks a meeting's tasks as started, in the transaction that starts them. False if another node has done so, or the
 * meeting was removed.
 */
export async function claimMeetingForTasks(tx: Tx, meetingId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('meeting')
    .set({ tasks_started: true })
    .where('id', '=', meetingId)
    .where('tasks_started', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** An open meeting of the project in this room whose bot attends at the given time; null if there is none. */
export async function findOpenMeetingInRoom(
  db: Db,
  { project, room, from, to, except }: RoomAndTime,
): Promise<OpenMeetingInRoom | null> {
  const { rows } = await sql<OpenMeetingInRoom>`
    select id, "endsAt" <= ${from} as "isOverrun"
    from meeting,
      lateral (select coalesce(expected_end_at, started_at + ${DEFAULT_LENGTH}::interval) as "endsAt") as e
    where project = ${project} and room = ${room} and status not in ${GONE_STATUSES}
      and id is distinct from ${except ?? null}::text
      and case when status = 'scheduled'
        then started_at <= ${from}::timestamptz + ${MAX_LATE}::interval and "endsAt" > ${from}
        else started_at < ${to} end
    order by 2, id limit 1`.execute(db)
  return rows[0] ?? null
}

/** True if the bot of a meeting is on its way or present. */
export async function isMeetingAttended(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from meeting where id = ${id} and status not in ${GONE_STATUSES}`.execute(db)
  return rows.length > 0
}
