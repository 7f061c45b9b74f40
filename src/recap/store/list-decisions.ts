import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { formatCursor, invalidCursorError, parseCursorOrThrow } from '../../db/page-cursor.ts'
import { toContainsPattern } from '../../db/query-helpers.ts'
import type { ListedStatement } from './recap-item.ts'
import {
  listStatements,
  selectRecapItems,
  type FoundStatement,
  type StoredStatement,
} from './recap-items.ts'

/** A decision, and the meeting in which it was made. */
export type ListedDecision = ListedStatement & {
  meetingId: string
  meetingTitle: string
  project: string
  meetingStartedAt: Date
}

export type DecisionFilter = {
  /** A part of the speaker's name. */
  speaker?: string | undefined
  project?: string | undefined
  meetingId?: string | undefined
  /** Meetings that started at or after this time. */
  from?: Date | undefined
  /** Meetings that started before this time. */
  to?: Date | undefined
}

type DecisionPageRequest = { limit: number; cursor: string | undefined }
type DecisionPage = { decisions: ListedDecision[]; nextCursor: string | null }

/** Where a page continues: in this meeting after so many of its decisions, and then with earlier meetings. */
type Position = { startedAt: Date; meetingId: string; skipped: number }

type MeetingWithDecisions = {
  meetingId: string
  meetingTitle: string
  project: string
  meetingStartedAt: Date
  found: FoundStatement[] | null
  items: StoredStatement[]
}

/** Lists decisions of all meetings, newest meeting first, and in the order of its recap in each meeting. */
export async function listDecisions(
  db: Db,
  viewer: Viewer,
  filter: DecisionFilter,
  { limit, cursor }: DecisionPageRequest,
): Promise<DecisionPage> {
  let position = cursor === undefined ? null : parsePosition(cursor)
  const decisions: ListedDecision[] = []
  for (;;) {
    const meetings = await readMeetings(db, viewer, filter, position, limit)
    for (const meeting of meetings) {
      const skipped = position?.meetingId === meeting.meetingId ? position.skipped : 0
      const listed = listDecisionsOf(meeting, filter)
      decisions.push(...listed.slice(skipped))
      if (decisions.length > limit) {
        const kept = listed.length - (decisions.length - limit)
        return {
          decisions: decisions.slice(0, limit),
          nextCursor: formatPosition({ ...toPosition(meeting), skipped: kept }),
        }
      }
    }
    const last = meetings.at(-1)
    if (last === undefined || meetings.length < limit) return { decisions, nextCursor: null }
    position = { ...toPosition(last), skipped: Infinity }
  }
}

function toPosition({ meetingStartedAt, meetingId }: MeetingWithDecisions) {
  return { startedAt: meetingStartedAt, meetingId }
}

function listDecisionsOf(
  { found, items, ...meeting }: MeetingWithDecisions,
  { speaker }: DecisionFilter,
): ListedDecision[] {
  const name = speaker?.toLowerCase()
  return listStatements(meeting.meetingId, 'decision', found ?? [], items)
    .filter((one) => name === undefined || one.speaker?.toLowerCase().includes(name))
    .map((decision) => ({ ...decision, ...meeting }))
}

/** Reads meetings that may have such a decision, from the position on. */
async function readMeetings(
  db: Db,
  viewer: Viewer,
  { speaker, project, meetingId, from, to }: DecisionFilter,
  position: Position | null,
  limit: number,
): Promise<MeetingWithDecisions[]> {
  return db
    .selectFrom('meeting')
    .leftJoin('recap', 'recap.meeting_id', 'meeting.id')
    .select([
      'meeting.id as meetingId',
      sql<string>`coalesce(meeting.title, meeting.recap_title, meeting.label)`.as('meetingTitle'),
      'meeting.project',
      'meeting.started_at as meetingStartedAt',
      sql<FoundStatement[] | null>`recap.data->'decisions'`.as('found'),
      selectRecapItems(sql.ref('meeting.id'), 'decision').as('items'),
    ])
    .where(readsProject(viewer, 'meeting.project'))
    .where(hasDecision(speaker))
    .$if(project !== undefined, (query) => query.where('meeting.project', '=', project ?? ''))
    .$if(meetingId !== undefined, (query) => query.where('meeting.id', '=', meetingId ?? ''))
    .$if(from !== undefined, (query) =>
      query.where('meeting.started_at', '>=', from ?? new Date(0)),
    )
    .$if(to !== undefined, (query) => query.where('meeting.started_at', '<', to ?? new Date(0)))
    .$if(position !== null, (query) => query.where(isFrom(position)))
    .orderBy('meeting.started_at', 'desc')
    .orderBy('meeting.id', 'desc')
    .limit(limit)
    .execute()
}

/** SQL condition: the recap found such a decision, or a person added or changed one. */
function hasDecision(speaker: string | undefined) {
  if (speaker === undefined)
    return sql<boolean>`(jsonb_array_length(recap.data->'decisions') > 0 or exists (
      select from recap_item i where i.meeting_id = meeting.id and i.kind = 'decision'))`
  const pattern = toContainsPattern(speaker)
  return sql<boolean>`(exists (select from jsonb_array_elements(recap.data->'decisions') d
      where d->>'speaker' ilike ${pattern})
    or exists (select from recap_item i where i.meeting_id = meeting.id and i.kind = 'decision'
      and i.speaker ilike ${pattern}))`
}

/** SQL condition: the meeting is the one of the position, if some of its decisions are left, or an earlier one. */
function isFrom(position: Position | null) {
  if (position === null) return sql<boolean>`true`
  const { startedAt, meetingId, skipped } = position
  return skipped === Infinity
    ? sql<boolean>`(meeting.started_at, meeting.id) < (${startedAt}, ${meetingId})`
    : sql<boolean>`(meeting.started_at, meeting.id) <= (${startedAt}, ${meetingId})`
}

function formatPosition({ startedAt, meetingId, skipped }: Position): string {
  return formatCursor([String(startedAt.getTime()), meetingId, String(skipped)])
}

function parsePosition(cursor: string): Position {
  const [ms = '', meetingId = '', skipped = ''] = parseCursorOrThrow(cursor, 3)
  if (!/^\d{1,15}$/.test(ms) || !/^\d{1,9}$/.test(skipped)) throw invalidCursorError()
  return { startedAt: new Date(Number(ms)), meetingId, skipped: Number(skipped) }
}
