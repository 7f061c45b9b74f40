import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { cutRowsToPage, invalidCursorError, parseCursorOrThrow } from '../../db/page-cursor.ts'
import { toContainsPattern } from '../../db/query-helpers.ts'
import { ServiceError } from '../../errors.ts'
import { toComparableText } from '../../lib/text/compare-text.ts'
import type { ActionItem, ActionItemState, ActionOrder } from './action-item.ts'
import { createActionItemQuery } from './action-items.ts'

/** An action item, and the meeting in which it was said. */
export type ListedAction = ActionItem & {
  meetingTitle: string
  project: string
  meetingStartedAt: Date
}

export type ActionFilter = {
  state?: ActionItemState | undefined
  /** A part of the owner's name. */
  owner?: string | undefined
  /** Only items whose owner is this user, by name or address. */
  ownerId?: string | undefined
  project?: string | undefined
  meetingId?: string | undefined
  /** Meetings that started at or after this time. */
  from?: Date | undefined
  /** Meetings that started before this time. */
  to?: Date | undefined
  /** Only items that are due before this date, which excludes items without a due date. */
  dueBefore?: string | undefined
}

export type ActionPageRequest = {
  order?: ActionOrder | undefined
  limit: number
  cursor: string | undefined
}

type ActionPage = { actions: ListedAction[]; nextCursor: string | null }

/** The fields of a user that are compared with owners of action items. */
export type NamedUser = { id: string; name: string; email: string }

/** Only accents of European scripts: in other scripts such characters are vowels, and distinguish names. */
const ACCENTS = /[\u0300-\u036F]/g
const LETTERS_WITHOUT_ACCENT: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
}
/** What platforms add to a participant's name. */
const NAME_SUFFIX = /\s*\((?:guest|external|unverified|host|you)\)$/
const EMAIL_ADDRESS = /^[^\s@]+@[^\s@]+$/

export function createListedActionQuery(db: Db) {
  return createActionItemQuery(db)
    .innerJoin('meeting', 'meeting.id', 'action_item.meeting_id')
    .select([
      sql<string>`coalesce(meeting.title, meeting.recap_title, meeting.label)`.as('meetingTitle'),
      'meeting.project',
      'meeting.started_at as meetingStartedAt',
    ])
}

/** Sorts items without a due date after all others. */
const NO_DUE_DATE = '9999-12-31'
export const sortedDueDate = sql<string>`coalesce(due_date, ${sql.lit(NO_DUE_DATE)})`

/** Lists action items of all meetings. Items with equal order are grouped by recap, newest first. */
export async function listActions(
  db: Db,
  viewer: Viewer,
  filter: ActionFilter,
  { order = 'recap', limit, cursor }: ActionPageRequest,
): Promise<ActionPage> {
  const { state = 'open', owner, ownerId, project, meetingId, from, to, dueBefore } = filter
  const ownOwners = ownerId === undefined ? null : await readOwnOwners(db, viewer, ownerId)
  if (ownOwners?.length === 0) return { actions: [], nextCursor: null }
  const rows = await createListedActionQuery(db)
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
  const row = await createListedActionQuery(db).where('action_item.id', '=', id).executeTakeFirst()
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

/** Returns the owners that mean this user, spelled as in the action items that the viewer may read. */
export async function readOwnOwners(db: Db, viewer: Viewer, userId: string): Promise<string[]> {
  const users = await db.selectFrom('app_user').select(['id', 'name', 'email']).execute()
  const user = users.find(({ id }) => id === userId)
  if (user === undefined) return []
  const candidates = (await readAllOwners(db)).filter((owner) => mayMean(user, owner))
  if (candidates.length === 0) return []
  // Items that the viewer may not read must not influence the result either.
  const readable = await db
    .selectFrom('action_item')
    .innerJoin('meeting', 'meeting.id', 'action_item.meeting_id')
    .select('action_item.owner')
    .distinct()
    .where(hasOwnerIn(candidates))
    .where(readsProject(viewer, 'meeting.project'))
    .execute()
  return findOwnersOf(
    user,
    users,
    readable.flatMap(({ owner }) => owner ?? []),
  )
}

/** SQL condition: the item has one of these owners. It uses one parameter, because their number has no limit. */
export function hasOwnerIn(owners: readonly string[]) {
  return sql<boolean>`action_item.owner = any(${owners}::text[])`
}

/** All owners without duplicates. Steps through the index, because there are few owners and many items. */
async function readAllOwners(db: Db): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    with recursive found as (
      select min(owner) as owner from action_item where owner is not null
      union all
      select (select min(owner) from action_item where owner > found.owner)
      from found where found.owner is not null
    ) select owner from found where owner is not null`.execute(db)
  return rows.map(({ owner }) => owner)
}

/** A name without case, accents and punctuation. "Lovelace, Ada" becomes "ada lovelace". */
function foldName(name: string): string {
  const text = toComparableText(name).replace(NAME_SUFFIX, '')
  const [last = '', first, ...more] = text.split(',')
  const ordered = first !== undefined && more.length === 0 ? `${first} ${last}` : text
  return ordered
    .normalize('NFD')
    .replaceAll(ACCENTS, '')
    .normalize('NFC')
    .replaceAll(/[ßøłđæœ]/g, (letter) => LETTERS_WITHOUT_ACCENT[letter] ?? letter)
    .replaceAll(/[\s._]+/g, ' ')
    .trim()
}

/** The user's name, and the part of the address before the @ if it has several words, such as ada.lovelace. */
function listFullNames({ name, email }: NamedUser): string[] {
  const fromAddress = foldName(email.slice(0, email.lastIndexOf('@')).replace(/\+.*/s, ''))
  return [foldName(name), ...(fromAddress.includes(' ') ? [fromAddress] : [])]
}

function firstWordOf(foldedName: string): string {
  return foldedName.split(' ', 1)[0] ?? ''
}

/**
 * True if an owner may mean the user: by the address, the full name, or the first name. Only a filter for the owners
 * that `findOwnersOf` examines.
 */
export function mayMean(user: NamedUser, owner: string): boolean {
  const folded = foldName(owner)
  return (
    toComparableText(owner) === toComparableText(user.email) ||
    listFullNames(user).includes(folded) ||
    firstWordOf(folded) === firstWordOf(foldName(user.name))
  )
}

/**
 * Returns the owners that mean the user. A wrong match is worse than a missing one, so a name that also fits another
 * user matches neither. A first name alone matches only if no other user and no other owner has it.
 */
export function findOwnersOf(
  user: NamedUser,
  allUsers: readonly NamedUser[],
  owners: readonly string[],
): string[] {
  const others = allUsers.filter(({ id }) => id !== user.id)
  const namesOfOthers = new Set(others.flatMap(listFullNames))
  const fullNames = new Set(listFullNames(user).filter((name) => !namesOfOthers.has(name)))
  const firstName = firstWordOf(foldName(user.name))
  const isAnothers = (folded: string) => folded.split(' ').includes(firstName)
  const isFirstNameUnique =
    !others.some(({ name }) => isAnothers(foldName(name))) &&
    !owners.some((owner) => {
      const folded = foldName(owner)
      return folded !== firstName && !fullNames.has(folded) && firstWordOf(folded) === firstName
    })
  return owners.filter((owner) => {
    const text = toComparableText(owner)
    if (EMAIL_ADDRESS.test(text)) return text === toComparableText(user.email)
    const folded = foldName(owner)
    return fullNames.has(folded) || (isFirstNameUnique && folded === firstName && folded !== '')
  })
}
