import { normalizeSpeakerName } from '../../coach/speech/utterance.ts'
import type { Tx } from '../../db/database.ts'
import {
  hasLinesOfSpeaker,
  readSegmentSpeakers,
} from '../../meetings/transcript/read-transcript.ts'
import type { RecapContent, RecapStatement } from '../recap.ts'
import { sql } from 'kysely'
import { replaceNameInText } from './replace-name.ts'

/** A speaker who got another name, or one of several speakers with the old name. */
export type SpeakerRename = { from: string; to: string }

type Renaming = SpeakerRename & {
  /** Whether nobody has the old name any more. */
  isWhole: boolean
  speakerOf: ReadonlyMap<number, string>
}

/**
 * Gives a speaker the new name in a stored recap and its action items, in the transaction that changes the transcript.
 * The sentences of rules are quotations and stay as they were said. A recap that is being made starts again, because it
 * was begun with the old name.
 */
export async function renameSpeakerInRecap(
  tx: Tx,
  meetingId: string,
  { from, to }: SpeakerRename,
  now: Date,
): Promise<void> {
  const recap = await tx
    .selectFrom('recap')
    .select(['step', 'method', 'data'])
    .where('meeting_id', '=', meetingId)
    .forUpdate()
    .executeTakeFirst()
  if (recap === undefined) return
  const { data } = recap
  const isInProgress = recap.step === 'rules' || recap.step === 'model'
  if (data === null && !isInProgress) return
  const renaming: Renaming = {
    from: normalizeSpeakerName(from),
    to: normalizeSpeakerName(to),
    isWhole: !(await hasLinesOfSpeaker(tx, meetingId, from)),
    speakerOf: await readSpeakersOfCitedSegments(tx, meetingId, data),
  }
  await renameOwners(tx, meetingId, renaming)
  await tx
    .updateTable('recap')
    .set({
      version: sql<number>`version + 1`,
      ...(data !== null && {
        data: JSON.stringify(renameInContent(data, renaming, recap.method === 'model')),
      }),
      ...(isInProgress && {
        step: 'rules',
        owner: null,
        attempts: 0,
        fence: sql<number>`fence + 1`,
        due_at: now,
      }),
      ...(recap.step === 'done' && { step: 'document', due_at: now }),
    })
    .where('meeting_id', '=', meetingId)
    .execute()
}

async function readSpeakersOfCitedSegments(
  tx: Tx,
  meetingId: string,
  content: RecapContent | null,
): Promise<Map<number, string>> {
  const statements = content === null ? [] : [...content.decisions, ...content.openQuestions]
  const actions = await tx
    .selectFrom('action_item')
    .select('segment_numbers as segmentNumbers')
    .where('meeting_id', '=', meetingId)
    .execute()
  const cited = new Set([...statements, ...actions].flatMap((entry) => entry.segmentNumbers))
  const speakers = await readSegmentSpeakers(tx, meetingId, [...cited])
  return new Map(
    Array.from(speakers, ([number, name]) => [number, normalizeSpeakerName(name)] as const),
  )
}

/** The new name of a person in a recap, who is named by the segments that the entry cites. */
function findNewName(
  name: string | null,
  segmentNumbers: readonly number[],
  { from, to, isWhole, speakerOf }: Renaming,
): string | null {
  if ((name ?? '') !== from) return name
  const speakers = segmentNumbers.map((number) => speakerOf.get(number))
  const speaker = speakers.find((one) => one === from || one === to)
  // Somebody who did not speak in these segments, but whom they name.
  const newName = speaker ?? (isWhole && from !== '' ? to : from)
  return newName === '' ? null : newName
}

function renameInContent(
  content: RecapContent,
  renaming: Renaming,
  isWrittenByModel: boolean,
): RecapContent {
  const { from, to, isWhole } = renaming
  const replaceText = (text: string) =>
    isWrittenByModel && isWhole ? replaceNameInText(text, from, to) : text
  const renameStatement = (statement: RecapStatement): RecapStatement => ({
    ...statement,
    text: replaceText(statement.text),
    speaker: findNewName(statement.speaker, statement.segmentNumbers, renaming),
  })
  return {
    ...content,
    summary: content.summary.map((sentence) => ({ ...sentence, text: replaceText(sentence.text) })),
    decisions: content.decisions.map(renameStatement),
    openQuestions: content.openQuestions.map(renameStatement),
  }
}

async function renameOwners(tx: Tx, meetingId: string, renaming: Renaming): Promise<void> {
  const items = await tx
    .selectFrom('action_item')
    .select(['id', 'text', 'found_text', 'owner', 'found_owner', 'segment_numbers', 'source'])
    .where('meeting_id', '=', meetingId)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { from, to, isWhole } = renaming
  for (const { id, segment_numbers: numbers, source, ...item } of items) {
    const replaceText = (text: string) =>
      source === 'model' && isWhole ? replaceNameInText(text, from, to) : text
    // An item without an owner is not one of the unknown speaker.
    const renameOwner = (owner: string | null) =>
      owner === null ? null : findNewName(owner, numbers, renaming)
    const changed = {
      text: replaceText(item.text),
      found_text: replaceText(item.found_text),
      owner: renameOwner(item.owner),
      found_owner: renameOwner(item.found_owner),
    }
    await tx.updateTable('action_item').set(changed).where('id', '=', id).execute()
  }
}
