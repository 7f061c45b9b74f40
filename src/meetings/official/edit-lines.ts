import type { Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { Meeting } from '../meeting.ts'
import { appendLateEvents, requireMeeting, type EventRow } from '../record/meeting-store.ts'
import { isFinalStatus } from '../status.ts'
import {
  formatChoice,
  parseChoice,
  type LinesChoice,
  type OfficialMode,
  type OfficialPart,
} from './choose-lines.ts'
import {
  addOfficialPart,
  applyLinesChoice,
  findOfficial,
  NO_OFFICIAL_LINES,
  type OfficialLine,
  type StoredOfficial,
} from './official-lines.ts'

/** The choices before and after, as the history of a meeting stores them. */
export type LinesChange = { before: string; after: string }

/** A transcript of the platform, and what the project wants done with it. */
export type OfficialAddition = {
  mode: OfficialMode
  part: Omit<OfficialPart, 'firstNumber'>
  lines: readonly OfficialLine[]
}

/** Uses all parts of the official transcript of a locked meeting in another way. Null if nothing changes. */
export async function chooseOfficialMode(
  tx: Tx,
  meetingId: string,
  mode: OfficialMode,
): Promise<LinesChange | null> {
  const official = await findOfficial(tx, meetingId)
  if (official === null) throw noOfficialError()
  return storeChoice(tx, meetingId, official, mode)
}

/**
 * Adds a transcript of the platform to a locked meeting, and uses it as `mode` says unless an earlier part is used
 * differently. Null if the lines of the meeting stay the same. Throws `meeting_active` while a bot attends it.
 */
export async function addOfficialTranscript(
  tx: Tx,
  { id, status, startedAt, endedAt }: Meeting,
  { mode, part, lines }: OfficialAddition,
): Promise<LinesChange | null> {
  if (!isFinalStatus(status) || endedAt === null) throw new ServiceError('meeting_active')
  const earlier = await findOfficial(tx, id)
  await addOfficialPart(tx, { id, startedAt, endedAt }, part, lines)
  const official = await findOfficial(tx, id)
  if (official === null) throw new Error(`meeting ${id} has no official transcript`)
  const used = earlier === null ? mode : earlier.choice.mode
  // Every line that is not used needs the line that shows its notes.
  if (used === 'keep') await applyLinesChoice(tx, id, official, NO_OFFICIAL_LINES)
  return storeChoice(tx, id, official, used)
}

async function storeChoice(
  tx: Tx,
  meetingId: string,
  official: StoredOfficial,
  mode: OfficialMode,
): Promise<LinesChange | null> {
  const parts = mode === 'keep' ? 0 : official.offered.parts.length
  const choice: LinesChoice = { mode, parts }
  const change = { before: formatChoice(official.choice), after: formatChoice(choice) }
  if (change.before === change.after) return null
  await applyLinesChoice(tx, meetingId, official, choice)
  return change
}

export async function restoreLines(tx: Tx, meetingId: string, choice: string): Promise<void> {
  const official = await findOfficial(tx, meetingId)
  if (official !== null) await applyLinesChoice(tx, meetingId, official, parseChoice(choice))
}

/** Subscribers read the transcript again. Events of single lines would be thousands, and none of them is new speech. */
export async function announceLines(
  tx: Tx,
  meetingId: string,
  choice: string,
  at: Date,
): Promise<EventRow[]> {
  const { options, segmentCount } = await requireMeeting(tx, meetingId)
  if (options.events?.includes('transcript_changed') !== true) return []
  const { mode: officialTranscript } = parseChoice(choice)
  const payload = { officialTranscript, segmentCount, timestamp: at.toISOString() }
  return appendLateEvents(tx, meetingId, at, [{ type: 'transcript_changed', payload }])
}

function noOfficialError(): ServiceError {
  const message = 'This meeting has no official transcript'
  return new ServiceError('invalid_request', { details: [{ path: 'officialTranscript', message }] })
}
