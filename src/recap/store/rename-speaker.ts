import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { normalizeSpeakerName } from '../../language/people.ts'
import type { Tx } from '../../db/database.ts'
import { listNamesInMeeting } from '../../meetings/editing/speaker-names.ts'
import { setRecapTitle } from '../../meetings/record/meeting-store.ts'
import {
  hasLinesOfSpeaker,
  readSegmentSpeakers,
} from '../../meetings/transcript/read-transcript.ts'
import type { RecapContent, RecapMethod } from '../recap.ts'
import type { NamesOfItem, RecapStep, RenamedItem } from './recap-row.ts'
import {
  renameInContent,
  renameInItem,
  restoreItem,
  type CitingItem,
  type RecapRename,
} from './rename-in-recap.ts'

/** A speaker who was renamed by an edit of the meeting, or by undoing one. */
export type SpeakerRename = {
  from: string
  to: string
  editNumber: number
  /** The number of the edit that is being undone. */
  undoes: number | null
}

type LockedRecap = {
  /** Null if the meeting has no recap yet. People may have added items already. */
  step: RecapStep | null
  method: RecapMethod | null
  content: RecapContent | null
  items: LockedItem[]
}
type LockedItem = CitingItem & { id: string }
type ChangedRecap = {
  content: RecapContent | null
  items: RenamedItem[]
  /** True if the recap must be made again. */
  isOutdated: boolean
}

/**
 * Renames a speaker in a stored recap, its action items and what people changed in it, in the transaction that changes the transcript. A recap
 * that is being made starts again, because it uses the old name.
 */
export async function renameSpeakerInRecap(
  tx: Tx,
  meetingId: string,
  edit: SpeakerRename,
  now: Date,
): Promise<void> {
  const recap = await lockRecap(tx, meetingId)
  if (recap.step === null && recap.items.length === 0) return
  const rename = await readRename(tx, meetingId, recap, edit)
  const changed =
    edit.undoes === null
      ? renameAll(recap, rename)
      : await restoreAll(tx, meetingId, recap, { edit, rename, undoes: edit.undoes })
  if (edit.undoes === null) await storeRename(tx, meetingId, edit.editNumber, recap, changed)
  await storeRecap(tx, meetingId, recap, changed, now)
}

async function lockRecap(tx: Tx, meetingId: string): Promise<LockedRecap> {
  const recap = await tx
    .selectFrom('recap')
    .select(['step', 'method', 'data as content'])
    .where('meeting_id', '=', meetingId)
    .forUpdate()
    .executeTakeFirst()
  const actions = await tx
    .selectFrom('action_item')
    .select([
      'id',
      'text',
      'found_text',
      'owner',
      'found_owner',
      'segment_numbers as segmentNumbers',
      'source',
    ])
    .where('meeting_id', '=', meetingId)
    .orderBy('id')
    .forUpdate()
    .execute()
  const statements = await tx
    .selectFrom('recap_item')
    .select([
      'id',
      'text',
      'found_text',
      'speaker as owner',
      'found_speaker as found_owner',
      'segment_numbers as segmentNumbers',
      'source',
    ])
    .where('meeting_id', '=', meetingId)
    .orderBy('id')
    .forUpdate()
    .execute()
  return {
    ...(recap ?? { step: null, method: null, content: null }),
    items: [
      ...actions.map((item) => ({ ...item, isStatement: false })),
      ...statements.map((item) => ({ ...item, isStatement: true })),
    ],
  }
}

async function readRename(
  tx: Tx,
  meetingId: string,
  { content, items }: LockedRecap,
  { from, to }: SpeakerRename,
): Promise<RecapRename> {
  const statements = content === null ? [] : [...content.decisions, ...content.openQuestions]
  const cited = new Set([...statements, ...items].flatMap((entry) => entry.segmentNumbers))
  const speakers = await readSegmentSpeakers(tx, meetingId, [...cited])
  const names = await listNamesInMeeting(tx, meetingId)
  return {
    from: normalizeSpeakerName(from),
    to: normalizeSpeakerName(to),
    names: names.map(normalizeSpeakerName),
    speakerOf: new Map(
      Array.from(speakers, ([number, name]) => [number, normalizeSpeakerName(name)] as const),
    ),
  }
}

function renameAll({ content, method, items }: LockedRecap, rename: RecapRename): ChangedRecap {
  return {
    content: content && renameInContent(content, rename, method === 'model'),
    items: items.map((item) => toRenamedItem(item, renameInItem(item, rename))),
    isOutdated: false,
  }
}

function toRenamedItem(item: LockedItem, after: NamesOfItem): RenamedItem {
  return { id: item.id, before: pickNames(item), after }
}

function pickNames({ text, found_text, owner, found_owner }: LockedItem): NamesOfItem {
  return { text, found_text, owner, found_owner }
}

/**
 * Restores what the undone edit changed. What was made or changed since then gets the earlier name if nobody has the
 * later one now. Otherwise it is unclear whom the later name means there, so a recap that was made since is made again.
 */
async function restoreAll(
  tx: Tx,
  meetingId: string,
  recap: LockedRecap,
  { edit, rename, undoes }: { edit: SpeakerRename; rename: RecapRename; undoes: number },
): Promise<ChangedRecap> {
  const stored = await takeStoredRename(tx, meetingId, undoes)
  const isClear = rename.to !== '' && !(await hasLinesOfSpeaker(tx, meetingId, edit.from))
  const renamed = isClear ? renameAll(recap, rename) : null
  const isSameRecap = stored !== null && isDeepStrictEqual(recap.content, stored.content_after)
  const itemsBefore = new Map(stored?.items.map((item) => [item.id, item]))
  return {
    content: isSameRecap ? stored.content_before : (renamed?.content ?? recap.content),
    items: recap.items.map((item, i) => {
      const current = pickNames(item)
      const otherwise = renamed?.items[i]?.after ?? current
      const before = itemsBefore.get(item.id)
      const names = before === undefined ? otherwise : restoreItem(current, before, otherwise)
      return toRenamedItem(item, names)
    }),
    isOutdated: !isSameRecap && renamed === null && recap.content !== null,
  }
}

async function storeRename(
  tx: Tx,
  meetingId: string,
  editNumber: number,
  { content }: LockedRecap,
  changed: ChangedRecap,
): Promise<void> {
  await tx
    .insertInto('recap_rename')
    .values({
      meeting_id: meetingId,
      edit_number: editNumber,
      content_before: content && JSON.stringify(content),
      content_after: changed.content && JSON.stringify(changed.content),
      items: JSON.stringify(changed.items),
    })
    .execute()
}

async function takeStoredRename(tx: Tx, meetingId: string, editNumber: number) {
  const row = await tx
    .deleteFrom('recap_rename')
    .where('meeting_id', '=', meetingId)
    .where('edit_number', '=', editNumber)
    .returning(['content_before', 'content_after', 'items'])
    .executeTakeFirst()
  return row ?? null
}

async function storeRecap(
  tx: Tx,
  meetingId: string,
  recap: LockedRecap,
  { content, items, isOutdated }: ChangedRecap,
  now: Date,
): Promise<void> {
  const statementIds = new Set(recap.items.filter((one) => one.isStatement).map(({ id }) => id))
  for (const { id, after } of items)
    if (statementIds.has(id)) await storeNamesOfStatement(tx, meetingId, id, after)
    else await tx.updateTable('action_item').set(after).where('id', '=', id).execute()
  if (content !== null) await setRecapTitle(tx, meetingId, content.title ?? null)
  const { step } = recap
  const isInProgress = step === 'rules' || step === 'model'
  await tx
    .updateTable('recap')
    .set({
      version: sql<number>`version + 1`,
      ...(content !== null && { data: JSON.stringify(content) }),
      ...(isInProgress || isOutdated
        ? { step: 'rules', owner: null, attempts: 0, fence: sql<number>`fence + 1`, due_at: now }
        : step === 'done' && content !== null && { step: 'document', due_at: now }),
    })
    .where('meeting_id', '=', meetingId)
    .execute()
}

async function storeNamesOfStatement(
  tx: Tx,
  meetingId: string,
  id: string,
  { text, found_text, owner, found_owner }: NamesOfItem,
): Promise<void> {
  await tx
    .updateTable('recap_item')
    .set({ text, found_text, speaker: owner, found_speaker: found_owner })
    .where('meeting_id', '=', meetingId)
    .where('id', '=', id)
    .execute()
}
