import { sql } from 'kysely'
import { requireAccess } from '../access/subjects.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError, type ErrorDetail } from '../errors.ts'
import { cleanText } from '../language/clean-text.ts'
import { normalizeSpeakerName } from '../language/people.ts'
import { requireMeeting } from '../meetings/record/meeting-store.ts'
import { isFinalStatus } from '../meetings/status.ts'
import { readSegmentSpeakers } from '../meetings/transcript/read-transcript.ts'
import type { RecapContent, RecapMethod } from './recap.ts'
import type { RecapStep } from './store/recap-row.ts'
import { createActionItemQuery, insertActionItem, updateActionItem } from './store/action-items.ts'
import { lockMeetingOfRecap, markRecapChanged } from './store/recap-changes.ts'
import {
  MAX_ADDED_ITEMS,
  type NewRecapItem,
  type RecapItem,
  type RecapItemChange,
  type RecapItemKind,
} from './store/recap-item.ts'
import { changeStatement, insertStatement } from './store/recap-items.ts'
import { requestRecap } from './store/stored-recap.ts'

/** The item that a person changes, and who does it. */
export type RecapItemRef = { viewer: Viewer; meetingId: string; itemId: string }

/** A change by a person. `announce` stores the events about it in its transaction. */
export type RecapEdit = { now: Date; announce(tx: Tx, meetingId: string): Promise<void> }

type LockedRecap = {
  step: RecapStep
  content: RecapContent | null
  method: RecapMethod | null
} | null

const NO_OWNER = { owner: null, dueDate: null }

/**
 * Adds an item to the recap of a meeting, which may not exist yet. An ended meeting without a recap gets one.
 * `beforeCommit` runs in the transaction that stores the item.
 */
export async function addRecapItem(
  db: Db,
  { viewer, meetingId, item: raw }: { viewer: Viewer; meetingId: string; item: NewRecapItem },
  edit: RecapEdit,
  beforeCommit: (tx: Tx, item: RecapItem) => Promise<void>,
): Promise<void> {
  const { kind, text, ...given } = cleanItem(raw.kind, raw)
  const { now } = edit
  await changeRecap(db, { viewer, meetingId }, edit, async (tx, recap) => {
    const speakers = await requireSegments(tx, meetingId, given.segmentNumbers)
    await requireSpace(tx, meetingId, kind)
    const item = { text, segmentNumbers: given.segmentNumbers, editedAt: now }
    const [firstNumber = 0] = given.segmentNumbers
    const firstSpeaker = normalizeSpeakerName(speakers.get(firstNumber) ?? '')
    const { owner = null, dueDate = null } = given
    const { speaker = kind === 'summary' || firstSpeaker === '' ? null : firstSpeaker } = given
    const added: RecapItem =
      kind === 'action'
        ? {
            ...item,
            id: await insertActionItem(tx, meetingId, { ...item, owner, dueDate }, now),
            kind,
            speaker: null,
            owner,
            dueDate,
          }
        : {
            ...item,
            id: await insertStatement(tx, meetingId, kind, { ...item, speaker }, now),
            kind,
            speaker,
            ...NO_OWNER,
          }
    await showInRecap(tx, meetingId, recap, now)
    await beforeCommit(tx, added)
  })
}

/** Changes an item of a recap. Throws `recap_item_not_found` if it does not exist. */
export async function updateRecapItem(
  db: Db,
  { viewer, meetingId, itemId }: RecapItemRef,
  raw: RecapItemChange,
  edit: RecapEdit,
): Promise<RecapItem> {
  const { now } = edit
  const isAction = isActionId(itemId)
  const change = cleanItem(isAction ? 'action' : 'decision', raw)
  return changeRecap(db, { viewer, meetingId }, edit, async (tx, recap) => {
    if (change.segmentNumbers !== undefined)
      await requireSegments(tx, meetingId, change.segmentNumbers)
    await markRecapChanged(tx, meetingId, now)
    if (isAction) return updateAction(tx, meetingId, itemId, change, now)
    const { text, speaker, segmentNumbers } = change
    const changed = await changeStatement(
      tx,
      meetingId,
      toFoundRecap(recap),
      itemId,
      {
        ...(text !== undefined && { text }),
        ...(speaker !== undefined && { speaker }),
        ...(segmentNumbers !== undefined && { segmentNumbers }),
      },
      now,
    )
    if (changed === null) throw itemNotFoundError()
    return { ...changed, ...NO_OWNER }
  })
}

/** Deletes an item of a recap. A new recap does not bring it back. */
export async function deleteRecapItem(
  db: Db,
  { viewer, meetingId, itemId }: RecapItemRef,
  edit: RecapEdit,
): Promise<void> {
  const { now } = edit
  await changeRecap(db, { viewer, meetingId }, edit, async (tx, recap) => {
    await markRecapChanged(tx, meetingId, now)
    if (isActionId(itemId)) {
      await requireAction(tx, meetingId, itemId)
      await updateActionItem(tx, itemId, { state: 'deleted' }, now)
      return
    }
    const found = toFoundRecap(recap)
    const deleted = await changeStatement(tx, meetingId, found, itemId, { isDeleted: true }, now)
    if (deleted === null) throw itemNotFoundError()
  })
}

/**
 * Runs a change while the meeting and its recap are locked, so that the limits hold, a new recap comes before or after
 * it, and the caller's rights cannot change. The meeting may have been moved since the request was allowed.
 */
async function changeRecap<Result>(
  db: Db,
  { viewer, meetingId }: { viewer: Viewer; meetingId: string },
  { announce }: RecapEdit,
  change: (tx: Tx, recap: LockedRecap) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockMeetingOfRecap(tx, meetingId))) throw new ServiceError('meeting_not_found')
    await requireAccess(tx, viewer, { kind: 'meeting', id: meetingId, action: 'edit' })
    const recap = await tx
      .selectFrom('recap')
      .select(['step', 'method', 'data as content'])
      .where('meeting_id', '=', meetingId)
      .forUpdate()
      .executeTakeFirst()
    const result = await change(tx, recap ?? null)
    await announce(tx, meetingId)
    return result
  })
}

/** Writes the document again. Makes the recap of an ended meeting that has none, because it shows the item. */
async function showInRecap(
  tx: Tx,
  meetingId: string,
  recap: LockedRecap,
  now: Date,
): Promise<void> {
  const { status } = await requireMeeting(tx, meetingId)
  const isMissing = recap === null || (recap.content === null && recap.step === 'done')
  if (isMissing && isFinalStatus(status)) await requestRecap(tx, meetingId, now)
  else await markRecapChanged(tx, meetingId, now)
}

function toFoundRecap(recap: LockedRecap) {
  if (recap === null || recap.content === null || recap.method === null) return null
  return { content: recap.content, method: recap.method }
}

async function updateAction(
  tx: Tx,
  meetingId: string,
  id: string,
  { text, owner, dueDate, segmentNumbers }: RecapItemChange,
  now: Date,
): Promise<RecapItem> {
  await requireAction(tx, meetingId, id)
  await updateActionItem(
    tx,
    id,
    {
      ...(text !== undefined && { text }),
      ...(owner !== undefined && { owner }),
      ...(dueDate !== undefined && { dueDate }),
      ...(segmentNumbers !== undefined && { segmentNumbers }),
    },
    now,
  )
  return requireAction(tx, meetingId, id)
}

async function requireAction(tx: Tx, meetingId: string, id: string): Promise<RecapItem> {
  const item = await createActionItemQuery(tx)
    .where('id', '=', id)
    .where('meeting_id', '=', meetingId)
    .where('state', '<>', 'deleted')
    .executeTakeFirst()
  if (item === undefined) throw itemNotFoundError()
  const { text, owner, dueDate, segmentNumbers, editedAt } = item
  return { id, kind: 'action', text, speaker: null, owner, dueDate, segmentNumbers, editedAt }
}

function isActionId(id: string): boolean {
  return id.startsWith('action_')
}

function itemNotFoundError(): ServiceError {
  return new ServiceError('recap_item_not_found')
}

/** Items that people deleted count too, because they are kept, so that a new recap does not bring them back. */
async function requireSpace(tx: Tx, meetingId: string, kind: RecapItemKind): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(kind === 'action' ? 'action_item' : 'recap_item')}
    where meeting_id = ${meetingId} and source = 'person'
      and ${kind === 'action' ? sql`true` : sql`kind = ${kind}`}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= MAX_ADDED_ITEMS) throw new ServiceError('too_many_recap_items')
}

/** The speakers of these segments, by number. Throws `line_not_found` if the meeting does not have all of them. */
async function requireSegments(
  tx: Tx,
  meetingId: string,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  const speakers = await readSegmentSpeakers(tx, meetingId, numbers)
  const missing = numbers.find((number) => !speakers.has(number))
  if (missing === undefined) return speakers
  throw new ServiceError('line_not_found', { text: `This meeting has no line ${missing}` })
}

/** Removes invisible characters, and refuses fields that this kind of item does not have. */
function cleanItem<Item extends RecapItemChange>(kind: RecapItemKind, raw: Item): Item {
  const problems: ErrorDetail[] = []
  const item = { ...raw }
  for (const field of ['text', 'speaker', 'owner'] as const) {
    const value = raw[field]
    if (typeof value !== 'string') continue
    item[field] = cleanText(value)
    if (item[field] === '')
      problems.push({ path: field, message: 'Must contain visible characters' })
  }
  const forbidden = kind === 'action' ? (['speaker'] as const) : (['owner', 'dueDate'] as const)
  for (const field of forbidden)
    if (raw[field] !== undefined)
      problems.push({
        path: field,
        message: kind === 'action' ? 'An action item has none' : 'Only an action item has one',
      })
  if (Object.values(raw).every((value) => value === undefined))
    problems.push({ path: 'body', message: 'Must have a field to change' })
  if (problems.length > 0) throw new ServiceError('invalid_request', { details: problems })
  if (raw.segmentNumbers !== undefined)
    item.segmentNumbers = [...new Set(raw.segmentNumbers)].toSorted((a, b) => a - b)
  return item
}
