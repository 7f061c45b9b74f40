import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { toContainsPattern } from '../../db/like-pattern.ts'
import { ServiceError } from '../../errors.ts'
import { cutRowsToPage, invalidCursorError, parseCursorOrThrow } from '../../db/page-cursor.ts'
import { createActionItemQuery } from './action-items.ts'
import { hasOwnerIn, readOwnOwners } from './own-owners.ts'
import type { ActionItem, ActionItemState, ActionOrder } from './action-item.ts'

/** An action item with the meeting in which it was said. */
export type ListedAction = ActionItem & {
  meetingTitle: string
  project: string
  meetingStartedAt: Date
}

export type ActionFilter = {
  state?: ActionItemState | undefined
  /** Part of the owner's name. */
  owner?: string | undefined
  /** Only items whose owner is this user, by name or address. */
  ownerId?: string | undefined
  project?: string | undefined
  meetingId?: string | undefined
  /** Meetings that started at or after this time. */
  from?: Date | undefined
  /** Meetings that started before this time. */
  to?: Date | undefined
  /** Items that are due before this date; items without a due date are left out. */
  dueBefore?: string | undefined
}

/** Which part of the list is read. */
export type ActionPageRequest = {
  order?: ActionOrder | undefined
  limit: number
  cursor: string | undefined
}

type ActionPage = { actions: ListedAction[]; nextCursor: string | null }

function createListQuery(db: Db) {
  return createActionItemQuery(db)
    .innerJoin('meeting', 'meeting.id', 'action_item.meeting_id')
    .select([
      sql<string>`coalesce(meeting.title, meeting.label)`.as('meetingTitle'),
      'meeting.project',
      'meeting.started_at as meetingStartedAt',
    ])
}

/** Sorts items without a due date behind all others. */
const NO_DUE_DATE = '9999-12-31'
const sortedDueDate = sql<string>`coalesce(due_date, ${sql.lit(NO_DUE_DATE)})`

/** Lists action items of all meetings. Items that are equal in the order come recap by recap, newest first. */
export async function listActions(
  db: Db,
  viewer: Viewer,
  filter: ActionFilter,
  { order = 'recap', limit, cursor }: ActionPageRequest,
): Promise<ActionPage> {
  const { state = 'open', owner, ownerId, project, meetingId, from, to, dueBefore } = filter
  const ownOwners = ownerId === undefined ? null : await readOwnOwners(db, viewer, ownerId)
  if (ownOwners?.length === 0) return { actions: [], nextCursor: null }
  const rows = await createListQuery(db)
    .where('state', '=', state)
    .where(readsProject(viewer, 'meeting.project'))
    .$if(owner !== undefined, (query) =>
      query.where('action_item.owner', 'ilike', toContainsPattern(owner ?? '')),
    )
    .$if(ownOwners !== null, (query) => query.where(hasOwnerIn(ownOwners ?? [])))
    .$if(project !== undefined, (query) => query.where('meeting.project', '=', project ?? ''))
    .$if(meetingId !== undefined, (query) => query.where('meeting.id', '=', meetingId ?? ''))
    .$if(from !== undefined, (query) =>
      query.where('meeting.started_at', '>=', from ?? new Date(0)),
    )
    .$if(to !== undefined, (query) => query.where('meeting.started_at', '<', to ?? new Date(0)))
    .$if(dueBefore !== undefined, (query) => query.where('due_date', '<', dueBefore ?? ''))
    .$if(cursor !== undefined, (query) => query.where(buildAfterCondition(order, cursor ?? '')))
    .$if(order === 'due', (query) => query.orderBy(sortedDueDate))
    .orderBy('action_item.created_at', 'desc')
    .orderBy('action_item.meeting_id', 'desc')
    .orderBy('action_item.number')
    .orderBy('action_item.id')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = cutRowsToPage(rows, limit, (row) => [
    ...(order === 'due' ? [row.dueDate ?? NO_DUE_DATE] : []),
    String(row.createdAt.getTime()),
    row.meetingId,
    String(row.number),
    row.id,
  ])
  return { actions: items, nextCursor }
}

export async function requireListedAction(db: Db, id: string): Promise<ListedAction> {
  const row = await createListQuery(db).where('action_item.id', '=', id).executeTakeFirst()
  if (row === undefined) throw new ServiceError('action_not_found')
  return row
}

/** SQL condition: the row comes after the last one of the previous page. */
function buildAfterCondition(order: ActionOrder, cursor: string) {
  if (order === 'recap') return buildAfterInRecapOrder(parseCursorOrThrow(cursor, 4))
  const [due = '', ...key] = parseCursorOrThrow(cursor, 5)
  return sql<boolean>`(${sortedDueDate} > ${due}
    or (${sortedDueDate} = ${due} and ${buildAfterInRecapOrder(key)}))`
}

function buildAfterInRecapOrder([ms = '', meetingId = '', number = '', id = '']: string[]) {
  if (!/^\d{1,15}$/.test(ms) || !/^\d{1,9}$/.test(number)) throw invalidCursorError()
  const at = new Date(Number(ms))
  return sql<boolean>`(action_item.created_at < ${at} or (action_item.created_at = ${at}
    and (action_item.meeting_id < ${meetingId} or (action_item.meeting_id = ${meetingId}
      and (action_item.number, action_item.id) > (${Number(number)}::int, ${id})))))`
}
