import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { toContainsPattern } from '../../db/like-pattern.ts'
import { parseTimeCursorOrThrow, toTimeSortKey, cutRowsToPage } from '../../db/page-cursor.ts'
import type { MeetingPlatform } from '../meeting-platforms.ts'
import type { Meeting } from '../meeting.ts'
import type { MeetingStatus } from '../status.ts'
import { createMeetingQuery, convertMeetingRow } from '../record/meeting-store.ts'

export type MeetingHistoryFilter = {
  project?: string | undefined
  status?: MeetingStatus | undefined
  platform?: MeetingPlatform | undefined
  /** Leaves out scheduled meetings. */
  hasBegun?: boolean | undefined
  /** Leaves out meetings that were tried again. */
  isLastAttempt?: boolean | undefined
  /** Text that must occur in the title or the label of a meeting. */
  text?: string | undefined
}

export type MeetingHistoryPage = { meetings: Meeting[]; nextCursor: string | null }

/** SQL condition. The subquery does not depend on the row, so that the attempts are found in one pass. */
const wasNotTriedAgain = sql<boolean>`meeting.id not in (
  select again.options->>'retryOf' from meeting as again where again.options->>'retryOf' is not null)`

/**
 * Reads one page of meetings, newest first. The cursor holds the sort key of the last row, so pages do not overlap
 * while meetings are added or removed. A scheduled meeting that begins late, moves or is cancelled gets another sort key,
 * so that a reader of all pages may get it twice or not at all.
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
    // As in the condition of an index, so that the scheduled meetings are not read first.
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
