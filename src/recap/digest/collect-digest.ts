import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { readGists } from '../gists.ts'
import {
  createListedActionQuery,
  hasOwnerIn,
  readOwnOwners,
  sortedDueDate,
  type ListedAction,
} from '../store/list-actions.ts'
import { searchStatements, type StatementOfMeeting } from '../store/search-statements.ts'

/** What a digest is about. */
export type DigestScope = {
  /** These meetings, or all whose first recap was stored at this time. `to` is not part of it. */
  meetings: { ids: readonly string[] } | { from: Date; to: Date }
  /** Also lists action items of other meetings that are due on these days. `to` is not part of them. */
  due?: { from: string; to: string }
  /** The user whose action items come first. */
  ownerId?: string
}

export type DigestMeeting = {
  meetingId: string
  title: string
  startedAt: Date
  /** One line about it. Null if its recap is empty. */
  gist: string | null
}

/** What recaps say about some meetings, as far as the viewer may read them. Only open action items. */
export type Digest = {
  /** Newest first. */
  meetings: DigestMeeting[]
  /** The items of `ownerId`, those with a due date first. */
  ownActions: ListedAction[]
  otherActions: ListedAction[]
  decisions: StatementOfMeeting[]
  openQuestions: StatementOfMeeting[]
}

/** More would not be read. */
const MAX_MEETINGS = 100
const MAX_ACTIONS = 200
/** A recap of a meeting that ended long before, such as an imported one, is no news. */
const MAX_MEETING_AGE_MS = 7 * DAY_MS

/** Collects what a digest says, from the recaps and action items that the viewer may read now. */
export async function collectDigest(db: Db, viewer: Viewer, scope: DigestScope): Promise<Digest> {
  const found = await findMeetings(db, viewer, scope)
  const meetingIds = found.map(({ meetingId }) => meetingId)
  const [ownActions, otherActions] = await readActions(db, viewer, scope, meetingIds)
  if (meetingIds.length === 0)
    return { meetings: [], ownActions, otherActions, decisions: [], openQuestions: [] }
  const gists = await readGists(db, meetingIds)
  return {
    meetings: found.map((meeting) => ({ ...meeting, gist: gists.get(meeting.meetingId) ?? null })),
    ownActions,
    otherActions,
    decisions: await searchStatements(db, viewer, { kind: 'decision', meetingIds }),
    openQuestions: await searchStatements(db, viewer, { kind: 'question', meetingIds }),
  }
}

/** True if something happened: there are meetings, or own action items that are due on this day or later. */
export function hasNews({ meetings, ownActions }: Digest, day: string): boolean {
  return meetings.length > 0 || ownActions.some(({ dueDate }) => dueDate !== null && dueDate >= day)
}

function findMeetings(db: Db, viewer: Viewer, { meetings }: DigestScope) {
  const isChosen =
    'ids' in meetings
      ? sql<boolean>`meeting.id = any(${meetings.ids}::text[])`
      : sql<boolean>`recap.ready_at >= ${meetings.from} and recap.ready_at < ${meetings.to}
          and meeting.ended_at > ${new Date(meetings.from.getTime() - MAX_MEETING_AGE_MS)}`
  return db
    .selectFrom('recap')
    .innerJoin('meeting', 'meeting.id', 'recap.meeting_id')
    .select(['meeting.id as meetingId', 'meeting.started_at as startedAt'])
    .select(sql<string>`coalesce(meeting.title, meeting.recap_title, meeting.label)`.as('title'))
    .where('recap.data', 'is not', null)
    .where(isChosen)
    .where(readsProject(viewer, 'meeting.project'))
    .orderBy('meeting.started_at', 'desc')
    .orderBy('meeting.id', 'desc')
    .limit(MAX_MEETINGS)
    .execute()
}

/** The open action items of these meetings, and others that are due: first the owner's, then the rest. */
async function readActions(
  db: Db,
  viewer: Viewer,
  { due, ownerId }: DigestScope,
  meetingIds: readonly string[],
): Promise<[own: ListedAction[], others: ListedAction[]]> {
  if (meetingIds.length === 0 && due === undefined) return [[], []]
  const owners = ownerId === undefined ? [] : await readOwnOwners(db, viewer, ownerId)
  const isDue =
    due === undefined
      ? sql<boolean>`false`
      : sql<boolean>`(due_date >= ${due.from} and due_date < ${due.to})`
  const rows = await createListedActionQuery(db)
    .select(sql<boolean>`coalesce(${hasOwnerIn(owners)}, false)`.as('isOwn'))
    .where('state', '=', 'open')
    .where(readsProject(viewer, 'meeting.project'))
    .where(sql<boolean>`(${isDue} or action_item.meeting_id = any(${meetingIds}::text[]))`)
    .orderBy('isOwn', 'desc')
    .orderBy(sortedDueDate)
    .orderBy('meeting.started_at', 'desc')
    .orderBy('action_item.number')
    .orderBy('action_item.id')
    .limit(MAX_ACTIONS)
    .execute()
  return [rows.filter(({ isOwn }) => isOwn), rows.filter(({ isOwn }) => !isOwn)]
}
