import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../lib/crypto.ts'
import type { RecapAction, RecapMethod } from '../recap.ts'
import type { ActionItem, ActionItemChange } from './action-item.ts'
import type { RecapItemSource } from './recap-item.ts'
import { lockMeetingOfRecap, markRecapChanged } from './recap-changes.ts'
import { matchStatements } from './same-statement.ts'

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

/** A stored item with its original text, owner and segments, from before a person changed them. */
export type StoredActionItem = ActionItem & {
  foundText: string
  foundOwner: string | null
  /** Null if nobody changed the segments. */
  foundSegmentNumbers: number[] | null
}

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
    .select([
      'action_item.found_text as foundText',
      'action_item.found_owner as foundOwner',
      'action_item.found_segment_numbers as foundSegmentNumbers',
    ])
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

function toFoundColumns(action: RecapAction, source: RecapItemSource) {
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
 * Changes an action item for a person, and schedules an update of the recap in the document. Returns the id of its
 * meeting. Throws `action_not_found` if the item does not exist.
 */
export async function changeActionItem(
  db: Db,
  id: string,
  change: ActionItemChange,
  { now, announce }: { now: Date; announce(tx: Tx, meetingId: string): Promise<void> },
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const item = await tx
      .selectFrom('action_item')
      .select('meeting_id as meetingId')
      .where('id', '=', id)
      .executeTakeFirst()
    if (item === undefined || !(await lockMeetingOfRecap(tx, item.meetingId)))
      throw new ServiceError('action_not_found')
    await markRecapChanged(tx, item.meetingId, now)
    // A new recap may have removed the item in the meantime.
    if (!(await updateActionItem(tx, id, change, now))) throw new ServiceError('action_not_found')
    await announce(tx, item.meetingId)
    return item.meetingId
  })
}

/** Stores a person's change. Returns false if the item does not exist. */
export async function updateActionItem(
  tx: Tx,
  id: string,
  { text, owner, dueDate, state, segmentNumbers }: ActionItemChange,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('action_item')
    .set({
      ...(text !== undefined && { text }),
      ...(owner !== undefined && { owner }),
      // The transcript's words do not name the date that a person chose.
      ...(dueDate !== undefined && { due_date: dueDate, due_text: null }),
      ...(state !== undefined && { state }),
      ...(segmentNumbers !== undefined && {
        segment_numbers: segmentNumbers,
        found_segment_numbers: sql<number[]>`coalesce(found_segment_numbers, segment_numbers)`,
      }),
      edited_at: now,
    })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Adds an action item that a person wrote, after the other ones. */
export async function insertActionItem(
  tx: Tx,
  meetingId: string,
  item: Pick<ActionItem, 'text' | 'owner' | 'dueDate' | 'segmentNumbers'>,
  now: Date,
): Promise<string> {
  const id = newId('action')
  const { text, owner, dueDate, segmentNumbers } = item
  await tx
    .insertInto('action_item')
    .values({
      id,
      meeting_id: meetingId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from action_item
        where meeting_id = ${meetingId})`,
      ...toFoundColumns({ text, owner, dueDate, dueText: null, segmentNumbers }, 'person'),
      created_at: now,
      edited_at: now,
    })
    .execute()
  return id
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

/** Returns the stored item of each found action, by its index. */
function matchActions(
  stored: readonly StoredActionItem[],
  found: readonly RecapAction[],
): Map<number, StoredActionItem> {
  const matches = matchStatements(
    stored.map((item) => ({
      texts: [item.foundText, item.text],
      person: item.foundOwner,
      segmentNumbers: item.foundSegmentNumbers ?? item.segmentNumbers,
      needsCommonWords: item.source === 'person',
    })),
    found.map(({ text, owner, segmentNumbers }) => ({
      texts: [text],
      person: owner,
      segmentNumbers,
    })),
  )
  return new Map(
    Array.from(matches).flatMap(([foundIndex, storedIndex]) => {
      const item = stored[storedIndex]
      return item === undefined ? [] : [[foundIndex, item] as const]
    }),
  )
}
