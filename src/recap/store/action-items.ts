import { sql } from 'kysely'
import { ServiceError } from '../../errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import { newId } from '../../lib/crypto/random.ts'
import type { RecapAction, RecapMethod } from '../recap.ts'
import type { ActionItem, ActionItemChange } from './action-item.ts'
import { mergeActionItems, type StoredActionItem } from './merge-action-items.ts'

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

export function createActionItemQuery(db: Db) {
  return db.selectFrom('action_item').select(ACTION_ITEM_COLUMNS)
}

/** The items of one recap in their order, without those that a person deleted. */
export function readActionItemsOfMeeting(db: Db, meetingId: string): Promise<ActionItem[]> {
  return createActionItemQuery(db)
    .where('meeting_id', '=', meetingId)
    .where('state', '<>', 'deleted')
    .orderBy('number')
    .orderBy('id')
    .execute()
}

/** Replaces the items of a meeting by those of a new recap, except those that a person has changed. */
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
 * Changes an action item for a person, and makes the recap part of the document due again. Throws `action_not_found` if
 * there is none.
 */
export async function changeActionItem(
  db: Db,
  id: string,
  change: ActionItemChange,
  now: Date,
): Promise<void> {
  const { text, owner, dueDate, state } = change
  await db.transaction().execute(async (tx) => {
    // The recap is locked first, in the order of all other writers.
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
        // The words of the transcript do not name the date that a person chose.
        ...(dueDate !== undefined && { due_date: dueDate, due_text: null }),
        ...(state !== undefined && { state }),
        edited_at: now,
      })
      .where('id', '=', id)
      .executeTakeFirst()
    // A new recap may have removed the item meanwhile.
    if (numUpdatedRows === 0n) throw new ServiceError('action_not_found')
  })
}
