import { sql, type RawBuilder } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { readOwnOwners } from './list-actions.ts'
import { STATEMENT_LISTS, type RecapItemKind } from './recap-item.ts'
import {
  listStatements,
  selectRecapItems,
  type FoundStatement,
  type StoredStatement,
} from './recap-items.ts'

type SearchedKind = Exclude<RecapItemKind, 'summary'>

/** A decision, an open action item or an open question, and the meeting in which it was said. */
export type StatementOfMeeting = {
  kind: SearchedKind
  text: string
  /** Who said it or, for an action item, who does it. Null if unknown. */
  person: string | null
  /** Null for other kinds than action items. */
  dueDate: string | null
  segmentNumbers: number[]
  meetingId: string
  meetingTitle: string
  project: string
}

/** `to` is not part of the range. */
type Range<Value> = { from?: Value | undefined; to?: Value | undefined }

export type StatementFilter = {
  kind: SearchedKind
  project?: string | undefined
  meetingIds?: readonly string[] | undefined
  /** When the meeting started. */
  started?: Range<Date> | undefined
  /** When an action item is due. With `started`, one of both is enough. */
  due?: Range<string> | undefined
  /** Only action items whose owner is this user. */
  ownerId?: string | undefined
}

/** How many statements are read, and of how many of the newest recaps. */
const MAX_STATEMENTS = 500
const MAX_RECAPS = 300

/** Lists statements of all recaps that the viewer may read, newest meeting first, as people have changed them. */
export async function searchStatements(
  db: Db,
  viewer: Viewer,
  filter: StatementFilter,
): Promise<StatementOfMeeting[]> {
  const { kind } = filter
  if (kind === 'action') return searchOpenActions(db, viewer, filter)
  const found = sql<FoundStatement[] | null>`recap.data->${sql.lit(STATEMENT_LISTS[kind])}`
  const meetings = await db
    .selectFrom('meeting')
    .leftJoin('recap', 'recap.meeting_id', 'meeting.id')
    .select(['meeting.id as meetingId', 'meeting.project', found.as('found')])
    .select([
      sql<string>`coalesce(meeting.title, meeting.recap_title, meeting.label)`.as('meetingTitle'),
      selectRecapItems(sql.ref('meeting.id'), kind).as('items'),
    ])
    .where(buildPlaceCondition(viewer, filter))
    .where(buildStartedCondition(filter))
    .where(
      sql<boolean>`(jsonb_array_length(${found}) > 0
        or exists (select from recap_item i where i.meeting_id = meeting.id and i.kind = ${kind}))`,
    )
    .orderBy('meeting.started_at', 'desc')
    .orderBy('meeting.id', 'desc')
    .limit(MAX_RECAPS)
    .execute()
  return meetings.flatMap((meeting) => toStatements(kind, meeting)).slice(0, MAX_STATEMENTS)
}

function toStatements(
  kind: Exclude<SearchedKind, 'action'>,
  {
    found,
    items,
    ...meeting
  }: Pick<StatementOfMeeting, 'meetingId' | 'meetingTitle' | 'project'> & {
    found: FoundStatement[] | null
    items: StoredStatement[]
  },
): StatementOfMeeting[] {
  return listStatements(meeting.meetingId, kind, found ?? [], items).map(
    ({ text, speaker, segmentNumbers }) => ({
      kind,
      text,
      person: speaker,
      dueDate: null,
      segmentNumbers,
      ...meeting,
    }),
  )
}

async function searchOpenActions(
  db: Db,
  viewer: Viewer,
  filter: StatementFilter,
): Promise<StatementOfMeeting[]> {
  const { ownerId, started, due } = filter
  const owners = ownerId === undefined ? null : await readOwnOwners(db, viewer, ownerId)
  const times = [
    ...(started === undefined ? [] : [buildStartedCondition(filter)]),
    ...(due === undefined ? [] : [buildRangeCondition(sql`action_item.due_date`, due)]),
  ]
  const { rows } = await sql<StatementOfMeeting>`
    select 'action' as kind, action_item.text, action_item.owner as person, action_item.due_date as "dueDate",
      action_item.segment_numbers as "segmentNumbers", meeting.id as "meetingId",
      coalesce(meeting.title, meeting.recap_title, meeting.label) as "meetingTitle", meeting.project
    from action_item join meeting on meeting.id = action_item.meeting_id
    where action_item.state = 'open' and ${buildPlaceCondition(viewer, filter)}
      ${owners === null ? sql`` : sql`and action_item.owner = any(${owners}::text[])`}
      ${times.length === 0 ? sql`` : sql`and (${sql.join(times, sql` or `)})`}
    order by meeting.started_at desc, meeting.id desc, action_item.number, action_item.id
    limit ${MAX_STATEMENTS}`.execute(db)
  return rows
}

/** SQL condition: the viewer may read the meeting, and it is in the project and one of the meetings of the filter. */
function buildPlaceCondition(
  viewer: Viewer,
  { project, meetingIds }: StatementFilter,
): RawBuilder<boolean> {
  return sql<boolean>`${readsProject(viewer, 'meeting.project')}
    ${project === undefined ? sql`` : sql`and meeting.project = ${project}`}
    ${meetingIds === undefined ? sql`` : sql`and meeting.id = any(${meetingIds}::text[])`}`
}

function buildStartedCondition({ started = {} }: StatementFilter): RawBuilder<boolean> {
  return buildRangeCondition(sql`meeting.started_at`, started)
}

/** SQL condition: the value is in the range. False for a value that is null, unless the range has no limits. */
function buildRangeCondition(
  value: RawBuilder<unknown>,
  { from, to }: Range<Date | string>,
): RawBuilder<boolean> {
  return sql<boolean>`(true ${from === undefined ? sql`` : sql`and ${value} >= ${from}`}
    ${to === undefined ? sql`` : sql`and ${value} < ${to}`})`
}
