import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../lib/crypto.ts'
import type { RecapAction, RecapMethod } from '../recap.ts'
import type { ActionItem, ActionItemChange } from './action-item.ts'

const ACTION_ITEM_COLUMNS = [
  'action_item.id',
  'action_item.meeting_id as meetingId',
  'action_item.number',
  'action_item.text',
  'action_item.owner',
  'action_item.due_text as dueText',
  'action_item.due_date as dueDate',
  'action_item.segment_numbers as segmentNumbers',
  'action_item.state',
  'action_item.source',
  'action_item.created_at as createdAt',
  'action_item.edited_at as editedAt',
] as const

/** A stored item with its original text and owner, from before a person changed them. */
export type StoredActionItem = ActionItem & { foundText: string; foundOwner: string | null }

/** How a meeting's stored items change with a new recap. */
type ActionItemMerge = {
  added: NumberedAction[]
  /** Items that nobody has changed and that were found again. They keep their id. */
  updated: Array<NumberedAction & { id: string }>
  /** Items that a person has changed. They stay as they are, at a new position. */
  moved: Array<{ id: string; number: number }>
  removedIds: string[]
}

type NumberedAction = { number: number; action: RecapAction }

/** The minimum share of common words in two texts about the same task. */
const MIN_WORD_OVERLAP = 0.5
/** The same for texts from distant parts of a meeting, where similar tasks are often different ones. */
const MIN_WORD_OVERLAP_FAR_APART = 0.8
/** Fewer words are not enough to recognize a task by words alone. */
const MIN_WORDS_FAR_APART = 4
/** A task is often named in one segment and accepted in one of the next. */
const MAX_NEAR_SEGMENTS = 2
/** Words are equal if their first letters are, so that different endings do not matter. */
const WORD_START_LENGTH = 5

export function createActionItemQuery(db: Db) {
  return db.selectFrom('action_item').select(ACTION_ITEM_COLUMNS)
}

/** The items of a recap in order, without those that a person deleted. */
export function readActionItemsOfMeeting(db: Db, meetingId: string): Promise<ActionItem[]> {
  return createActionItemQuery(db)
    .where('meeting_id', '=', meetingId)
    .where('state', '<>', 'deleted')
    .orderBy('number')
    .orderBy('id')
    .execute()
}

/** Replaces a meeting's items with those of a new recap, except items that a person has changed. */
export async function replaceActionItems(
  tx: Tx,
  meetingId: string,
  { actions, source, at }: { actions: readonly RecapAction[]; source: RecapMethod; at: Date },
): Promise<void> {
  const stored: StoredActionItem[] = await createActionItemQuery(tx)
    .select(['action_item.found_text as foundText', 'action_item.found_owner as foundOwner'])
    .where('meeting_id', '=', meetingId)
    .orderBy('number')
    .forUpdate()
    .execute()
  const { added, updated, moved, removedIds } = mergeActionItems(stored, actions)
  if (removedIds.length > 0) {
    await tx.deleteFrom('action_item').where('id', 'in', removedIds).execute()
  }
  for (const { id, number, action } of updated) {
    await tx
      .updateTable('action_item')
      .set({ ...toFoundColumns(action, source), number })
      .where('id', '=', id)
      .execute()
  }
  for (const { id, number } of moved) {
    await tx.updateTable('action_item').set({ number }).where('id', '=', id).execute()
  }
  if (added.length === 0) return
  const rows = added.map(({ number, action }) => ({
    id: newId('action'),
    meeting_id: meetingId,
    number,
    ...toFoundColumns(action, source),
    created_at: at,
  }))
  await tx.insertInto('action_item').values(rows).execute()
}

function toFoundColumns(action: RecapAction, source: RecapMethod) {
  return {
    text: action.text,
    found_text: action.text,
    owner: action.owner,
    found_owner: action.owner,
    due_text: action.dueText,
    due_date: action.dueDate,
    segment_numbers: action.segmentNumbers,
    source,
  }
}

/**
 * Changes an action item for a person, and schedules an update of the recap in the document. Throws `action_not_found`
 * if the item does not exist.
 */
export async function changeActionItem(
  db: Db,
  id: string,
  change: ActionItemChange,
  now: Date,
): Promise<void> {
  const { text, owner, dueDate, state } = change
  await db.transaction().execute(async (tx) => {
    // The recap is locked first, as in all other writers.
    const { numAffectedRows } = await sql`update recap set version = version + 1,
        due_at = case when step = 'done' then ${now} else due_at end,
        step = case when step = 'done' then 'document' else step end
      where meeting_id = (select meeting_id from action_item where id = ${id})`.execute(tx)
    if (numAffectedRows === 0n) throw new ServiceError('action_not_found')
    const { numUpdatedRows } = await tx
      .updateTable('action_item')
      .set({
        ...(text !== undefined && { text }),
        ...(owner !== undefined && { owner }),
        // The transcript's words do not name the date that a person chose.
        ...(dueDate !== undefined && { due_date: dueDate, due_text: null }),
        ...(state !== undefined && { state }),
        edited_at: now,
      })
      .where('id', '=', id)
      .executeTakeFirst()
    // A new recap may have removed the item in the meantime.
    if (numUpdatedRows === 0n) throw new ServiceError('action_not_found')
  })
}

/**
 * Compares the actions of a new recap with the stored items. An item that a person has changed, ticked or deleted is
 * never overwritten or added a second time. Other items are replaced.
 */
export function mergeActionItems(
  stored: readonly StoredActionItem[],
  found: readonly RecapAction[],
): ActionItemMerge {
  const itemOf = matchActions(stored, found)
  const merge: ActionItemMerge = { added: [], updated: [], moved: [], removedIds: [] }
  found.forEach((action, index) => {
    const number = index + 1
    const item = itemOf.get(index)
    if (item === undefined) merge.added.push({ number, action })
    else if (item.editedAt === null) merge.updated.push({ id: item.id, number, action })
    else merge.moved.push({ id: item.id, number })
  })
  const matched = new Set([...itemOf.values()].map(({ id }) => id))
  let last = found.length
  for (const { id, editedAt } of stored) {
    if (matched.has(id)) continue
    if (editedAt === null) merge.removedIds.push(id)
    else merge.moved.push({ id, number: (last += 1) })
  }
  return merge
}

/** Returns the stored item of each found action, by its index. The most similar pairs are matched first. */
function matchActions(
  stored: readonly StoredActionItem[],
  found: readonly RecapAction[],
): Map<number, StoredActionItem> {
  const pairs = stored.flatMap((item) =>
    found.map((action, index) => ({ item, index, score: scoreSameTask(item, action) })),
  )
  const itemOf = new Map<number, StoredActionItem>()
  const used = new Set<string>()
  for (const { item, index, score } of pairs.toSorted((a, b) => b.score - a.score)) {
    if (score === 0) break
    if (itemOf.has(index) || used.has(item.id)) continue
    itemOf.set(index, item)
    used.add(item.id)
  }
  return itemOf
}

/**
 * How likely a found action is the task of a stored item; 0 if it is not. Rules quote what was said and a model
 * rephrases it, so the same task has other words and sometimes cites a neighbouring segment.
 */
function scoreSameTask(item: StoredActionItem, action: RecapAction): number {
  const words = toWordStarts(action.text)
  const overlap = Math.max(
    calculateOverlap(toWordStarts(item.foundText), words),
    calculateOverlap(toWordStarts(item.text), words),
  )
  const distance = calculateSegmentDistance(item.segmentNumbers, action.segmentNumbers)
  const isOverlapEnough = overlap >= MIN_WORD_OVERLAP
  if (distance === 0 && isOverlapEnough) return 3 + overlap
  if (item.foundOwner !== null && action.owner !== null && item.foundOwner !== action.owner)
    return 0
  if (distance <= MAX_NEAR_SEGMENTS && distance > 0 && isOverlapEnough) return 2 + overlap
  // A segment seldom has two tasks of one person, so the words may be entirely different.
  if (distance === 0) return 1 + overlap
  const isFarMatch = overlap >= MIN_WORD_OVERLAP_FAR_APART && words.size >= MIN_WORDS_FAR_APART
  return isFarMatch ? overlap : 0
}

/** The distance between the nearest segments of two lists; 0 if they share one. Both lists are in increasing order. */
function calculateSegmentDistance(a: readonly number[], b: readonly number[]): number {
  let distance = Infinity
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0)
    distance = Math.min(distance, Math.abs(difference))
    if (difference < 0) i += 1
    else j += 1
  }
  return distance
}

function toWordStarts(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.map((word) => word.slice(0, WORD_START_LENGTH)))
}

/** The share of the shorter text that is in the longer one, because a model shortens what the rules quote. */
function calculateOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shorter = Math.min(a.size, b.size)
  if (shorter === 0) return a.size === b.size ? 1 : 0
  return [...a].filter((word) => b.has(word)).length / shorter
}
