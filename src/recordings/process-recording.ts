import type { SpeechRecognition } from '../bots/platforms/speech/recognition.ts'
import type { AreaContext } from '../db/context.ts'
import type { Db } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { SecretBox } from '../lib/crypto.ts'
import { doublingDelayMs } from '../lib/time/backoff.ts'
import { MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts'
import { loadWordRanker } from '../language/known-names/ordinary-words.ts'
import {
  createSpeechCorrector,
  type SpeechCorrector,
} from '../meetings/captions/corrected-speech.ts'
import type { TranscriptImports } from '../meetings/importing/transcript-imports.ts'
import { listTerms } from '../projects/vocabulary.ts'
import { createChannelMeter, MEASURED_MS } from './channel-speakers.ts'
import { openDecoder, type Decoder, type DecoderLimits } from './decoding/decoder.ts'
import { UnreadableRecording } from './decoding/unreadable-recording.ts'
import { storeMeeting } from './finished-recording.ts'
import { dividePortions, type PortionLengths } from './portions.ts'
import { recognizePortion } from './recognize-portion.ts'
import { createSoundReader, SoundDeleted } from './recording-sound.ts'
import {
  changeOwned,
  endRecording,
  RecordingLost,
  saveProgress,
  type ClaimedRecording,
} from './recording-store.ts'

export type ProcessParts = AreaContext & {
  secretBox: SecretBox
  recognition: Pick<SpeechRecognition, 'findObstacle' | 'openSession'>
  imports: Pick<TranscriptImports, 'add'>
  maxMs: number
  decoderLimits?: DecoderLimits
  portionLengths?: PortionLengths
  /** Called after each stored portion. */
  onProgress(id: string): void
}

/** A portion that cannot be recognized is tried again after a wait that doubles. */
const FIRST_RETRY_MS = 5 * SECOND_MS
const MAX_RETRY_MS = 5 * MINUTE_MS
/** After so many attempts, what is missing of a portion stays missing. */
const MAX_ATTEMPTS = 6

/** Why a portion was not recognized, as a sentence for people. It is tried again later. */
class RecognitionFailed extends Error {}

/** Recognizes a recording from where it was left, and stores it as a meeting. */
export async function processRecording(
  parts: ProcessParts,
  claimed: ClaimedRecording,
  signal: AbortSignal,
): Promise<void> {
  try {
    const finished = await recognizeRest(parts, claimed, signal)
    await storeMeeting(parts, finished.claimed, finished.damagedAtMs)
  } catch (error) {
    if (signal.aborted) throw error
    // Another node has it now, or a person removed it.
    if (error instanceof RecordingLost || error instanceof SoundDeleted) return
    if (error instanceof RecognitionFailed) return tryLater(parts, claimed, error)
    const reason = findFailure(error)
    if (reason === null) throw error
    await fail(parts, claimed, reason)
  }
}

/** The reason of an error that will not go away; null for others. */
function findFailure(error: unknown): string | null {
  if (error instanceof UnreadableRecording) return `${error.message}.`
  if (!(error instanceof ServiceError)) return null
  const { code, message } = error
  if (code === 'project_not_found' || code === 'forbidden' || code === 'missing_scope')
    return 'You may no longer save meetings in this project.'
  return code === 'invalid_request' ? `${message}.` : null
}

async function fail(
  { db, clock, log }: AreaContext,
  claimed: ClaimedRecording,
  detail: string,
): Promise<void> {
  log.warn({ recordingId: claimed.id, detail }, 'failed to import a recording')
  await db
    .transaction()
    .execute((tx) => endRecording(tx, claimed, { state: 'failed', detail }, clock.now()))
}

/** Releases a recording, so that any node tries again. */
async function tryLater(
  parts: AreaContext,
  claimed: ClaimedRecording,
  { message }: Error,
): Promise<void> {
  const { db, clock } = parts
  const attempts = claimed.attempts + 1
  if (attempts > MAX_ATTEMPTS) return fail(parts, claimed, message)
  const waitMs = doublingDelayMs(FIRST_RETRY_MS, attempts, MAX_RETRY_MS)
  const dueAt = new Date(clock.now().getTime() + waitMs)
  await changeOwned(db, claimed, { owner: null, attempts, due_at: dueAt })
}

/** Releases a recording after an unexpected error. */
export async function postponeRecording(
  parts: AreaContext,
  claimed: ClaimedRecording,
): Promise<void> {
  await tryLater(parts, claimed, new RecognitionFailed('Something went wrong inside the service.'))
}

type Finished = { claimed: ClaimedRecording; damagedAtMs: number | null }

async function recognizeRest(
  parts: ProcessParts,
  given: ClaimedRecording,
  signal: AbortSignal,
): Promise<Finished> {
  const { db, clock, recognition } = parts
  const obstacle = await recognition.findObstacle(given.language)
  if (obstacle !== null) throw new RecognitionFailed(obstacle)
  const hasChannelSpeakers = await measureChannels(parts, given, signal)
  let claimed: ClaimedRecording = { ...given, hasChannelSpeakers }
  const corrector = await openSpeechCorrector(db, claimed)
  using decoder = await openRecordingDecoder(parts, claimed, signal)
  const decoded = decoder.decode(claimed.positionMs)
  let damagedAtMs: number | null = null
  const sounds = async function* () {
    damagedAtMs = yield* decoded
  }
  for await (const portion of dividePortions(sounds(), claimed.positionMs, parts.portionLengths)) {
    const result = await recognizePortion(
      recognition,
      portion,
      { language: claimed.language, hasChannelSpeakers, corrector },
      signal,
    )
    const isLastAttempt = claimed.attempts + 1 >= MAX_ATTEMPTS
    if (result.lostMs > 0 && !(isLastAttempt && result.lines.length > 0))
      throw new RecognitionFailed(result.lossReason ?? 'Speech was not recognized.')
    const progress = { positionMs: portion.endMs, lostMs: claimed.lostMs + result.lostMs }
    await saveProgress(db, claimed, { ...progress, lines: result.lines }, clock.now())
    claimed = {
      ...claimed,
      ...progress,
      lineCount: claimed.lineCount + result.lines.length,
      attempts: 0,
    }
    parts.onProgress(claimed.id)
  }
  return { claimed, damagedAtMs }
}

/** Nobody in a recording is known, so only the vocabulary of the project is. */
async function openSpeechCorrector(
  db: Db,
  { project, language }: ClaimedRecording,
): Promise<SpeechCorrector> {
  const known = { people: [], terms: await listTerms(db, project) }
  return createSpeechCorrector({ known, rankWord: await loadWordRanker() }, language)
}

function openRecordingDecoder(
  { db, secretBox, maxMs, decoderLimits }: ProcessParts,
  claimed: ClaimedRecording,
  signal: AbortSignal,
): Promise<Decoder> {
  return openDecoder({
    size: claimed.byteCount,
    read: createSoundReader(db, secretBox, claimed),
    maxMs,
    signal,
    ...(decoderLimits !== undefined && { limits: decoderLimits }),
  })
}

/** Measures once if each channel is another person. */
async function measureChannels(
  parts: ProcessParts,
  claimed: ClaimedRecording,
  signal: AbortSignal,
): Promise<boolean> {
  if (claimed.hasChannelSpeakers !== null) return claimed.hasChannelSpeakers
  const { channels } = claimed.info
  let hasChannelSpeakers = false
  if (channels > 1) {
    using decoder = await openRecordingDecoder(parts, claimed, signal)
    const meter = createChannelMeter(channels)
    for await (const sound of decoder.decode(0)) {
      if (sound.startMs > MEASURED_MS) break
      meter.add(sound)
    }
    hasChannelSpeakers = meter.hasChannelSpeakers()
  }
  await changeOwned(parts.db, claimed, { has_channel_speakers: hasChannelSpeakers })
  return hasChannelSpeakers
}
