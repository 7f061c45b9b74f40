import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { EventPayload } from '../../meetings/event-types.ts'
import { findShownTitle, type Meeting } from '../../meetings/meeting.ts'
import { announceEvents, type RecapEvent } from '../../meetings/record/announce-events.ts'
import { requireMeeting, type EventRow } from '../../meetings/record/meeting-store.ts'
import type { RecapStep } from './recap-row.ts'
import { createActionItemQuery } from './action-items.ts'
import { matchStatements, type ComparedStatement } from './same-statement.ts'
import { findStoredRecap, type StoredRecap } from './stored-recap.ts'

type ActionState = EventPayload<'action_changed'>['state']
type DecisionState = EventPayload<'decision_recorded'>['state']
export type AnnouncedState = ActionState | DecisionState

/** An action item or a decision, with the fields that events report. */
export type AnnouncedItem = {
  id: string
  kind: 'action' | 'decision'
  text: string
  /** The owner of an action item, or the speaker of a decision. */
  person: string | null
  dueDate: string | null
  state: AnnouncedState
  segmentNumbers: number[]
}

/** An item that an event must report. `before` is what the last event said. Null for a new item. */
export type ItemChange = { before: AnnouncedItem | null; after: AnnouncedItem }

/** Steps before the recap is finished. Its items may still change, so they are announced with the finished recap. */
const UNFINISHED_STEPS: ReadonlySet<RecapStep> = new Set(['rules', 'model'])

/**
 * Stores events about every action item and decision that changed since the last event about it, in the transaction
 * that changes the recap. The meeting must be locked. `first` are events that precede them.
 */
export async function announceRecapChanges(
  tx: Tx,
  meetingId: string,
  { at, publicUrl }: { at: Date; publicUrl: string },
  first: (meeting: Meeting, recap: StoredRecap) => Promise<RecapEvent[]> = async () => [],
): Promise<EventRow[]> {
  const recap = await findStoredRecap(tx, meetingId)
  if (recap === null || recap.content === null || UNFINISHED_STEPS.has(recap.step)) return []
  const meeting = await requireMeeting(tx, meetingId)
  const changes = findItemChanges(
    await readAnnouncedItems(tx, meetingId),
    await readCurrentItems(tx, meetingId, recap),
  )
  await storeAnnouncedItems(tx, meetingId, changes)
  const events = [
    ...(await first(meeting, recap)),
    ...changes.map((change) =>
      toEvent(change, {
        project: meeting.project,
        meetingTitle: findShownTitle(meeting),
        segmentNumbers: change.after.segmentNumbers,
        url: toItemUrl(publicUrl, meetingId, change.after),
        timestamp: at.toISOString(),
      }),
    ),
  ]
  return announceEvents(tx, meeting, at, events)
}

function toItemUrl(publicUrl: string, meetingId: string, { segmentNumbers }: AnnouncedItem) {
  const [line] = segmentNumbers
  const url = `${publicUrl}/meetings/${encodeURIComponent(meetingId)}`
  return line === undefined ? url : `${url}#line-${line}`
}

async function readAnnouncedItems(tx: Tx, meetingId: string): Promise<AnnouncedItem[]> {
  return tx
    .selectFrom('recap_announcement')
    .select(['id', 'kind', 'text', 'person', 'due_date as dueDate', 'state'])
    .select('segment_numbers as segmentNumbers')
    .where('meeting_id', '=', meetingId)
    .orderBy('id')
    .execute()
}

/** The items of the recap in its order: decisions, then action items. */
async function readCurrentItems(
  tx: Tx,
  meetingId: string,
  { content }: StoredRecap,
): Promise<AnnouncedItem[]> {
  const actions = await createActionItemQuery(tx)
    .where('meeting_id', '=', meetingId)
    .where('state', '<>', 'deleted')
    .orderBy('number')
    .orderBy('id')
    .execute()
  return [
    ...(content?.decisions ?? []).map(({ id, text, speaker, segmentNumbers }): AnnouncedItem => ({
      id,
      kind: 'decision',
      text,
      person: speaker,
      dueDate: null,
      state: 'recorded',
      segmentNumbers,
    })),
    ...actions.map(({ id, text, owner, dueDate, state, segmentNumbers }): AnnouncedItem => ({
      id,
      kind: 'action',
      text,
      person: owner,
      dueDate,
      state,
      segmentNumbers,
    })),
  ]
}

/** Compares what was announced with the current items. Pure. */
export function findItemChanges(
  announced: readonly AnnouncedItem[],
  current: readonly AnnouncedItem[],
): ItemChange[] {
  const beforeOf = matchItems(announced, current)
  const changes = current.flatMap((item): ItemChange[] => {
    const before = beforeOf.get(item) ?? null
    // A decision that a new recap words differently has another id there. Receivers keep the first one.
    const after = before === null ? item : { ...item, id: before.id }
    return before !== null && isSame(before, after) ? [] : [{ before, after }]
  })
  const found = new Set(beforeOf.values())
  const removed = announced.filter((item) => item.state !== 'deleted' && !found.has(item))
  return [
    ...changes,
    ...removed.map((before): ItemChange => ({ before, after: { ...before, state: 'deleted' } })),
  ]
}

function isSame(a: AnnouncedItem, b: AnnouncedItem): boolean {
  return (
    a.text === b.text && a.person === b.person && a.dueDate === b.dueDate && a.state === b.state
  )
}

/** What was announced of each current item: of the item with its id or, for a decision, of one that says the same. */
function matchItems(announced: readonly AnnouncedItem[], current: readonly AnnouncedItem[]) {
  const byId = new Map(announced.map((item) => [item.id, item]))
  const matches = new Map<AnnouncedItem, AnnouncedItem>()
  for (const item of current) {
    const before = byId.get(item.id)
    if (before !== undefined) matches.set(item, before)
  }
  const used = new Set(matches.values())
  const stored = announced.filter(
    (item) => item.kind === 'decision' && item.state !== 'deleted' && !used.has(item),
  )
  const found = current.filter((item) => item.kind === 'decision' && !matches.has(item))
  for (const [foundIndex, storedIndex] of matchStatements(
    stored.map(toCompared),
    found.map(toCompared),
  )) {
    const [item, before] = [found[foundIndex], stored[storedIndex]]
    if (item !== undefined && before !== undefined) matches.set(item, before)
  }
  return matches
}

function toCompared({ text, person, segmentNumbers }: AnnouncedItem): ComparedStatement {
  return { texts: [text], person, segmentNumbers }
}

async function storeAnnouncedItems(tx: Tx, meetingId: string, changes: readonly ItemChange[]) {
  if (changes.length === 0) return
  await tx
    .insertInto('recap_announcement')
    .values(
      changes.map(({ after: { id, kind, text, person, dueDate, state, segmentNumbers } }) => ({
        meeting_id: meetingId,
        id,
        kind,
        text,
        person,
        due_date: dueDate,
        state,
        segment_numbers: segmentNumbers,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['meeting_id', 'id']).doUpdateSet({
        text: sql`excluded.text`,
        person: sql`excluded.person`,
        due_date: sql`excluded.due_date`,
        state: sql`excluded.state`,
        segment_numbers: sql`excluded.segment_numbers`,
      }),
    )
    .execute()
}

type EventFields = Pick<
  EventPayload<'action_created'>,
  'project' | 'meetingTitle' | 'segmentNumbers' | 'url' | 'timestamp'
>

function toEvent({ before, after }: ItemChange, fields: EventFields): RecapEvent {
  const { id, kind, text, person, dueDate } = after
  const changed = <Value>(value: (item: AnnouncedItem) => Value) =>
    before !== null && value(before) !== value(after) ? [value(before)] : []
  const [earlierText] = changed((item) => item.text)
  const [earlierState] = changed((item) => item.state)
  const earlier = {
    ...(earlierText !== undefined && { text: earlierText }),
    ...(earlierState !== undefined && { state: earlierState }),
  }
  const [earlierPerson] = changed((item) => item.person)
  if (kind === 'decision') {
    const state = after.state as DecisionState
    const previous = {
      ...(earlier as { text?: string; state?: DecisionState }),
      ...(earlierPerson !== undefined && { speaker: earlierPerson }),
    }
    const payload = { decisionId: id, text, speaker: person, state, ...fields }
    return {
      type: 'decision_recorded',
      payload: { ...payload, previous: before === null ? null : previous },
    }
  }
  const state = after.state as ActionState
  const payload = { actionId: id, text, owner: person, dueDate, state, ...fields }
  if (before === null) return { type: 'action_created', payload }
  const [earlierDate] = changed((item) => item.dueDate)
  const previous = {
    ...(earlier as { text?: string; state?: ActionState }),
    ...(earlierPerson !== undefined && { owner: earlierPerson }),
    ...(earlierDate !== undefined && { dueDate: earlierDate }),
  }
  return { type: 'action_changed', payload: { ...payload, previous } }
}
