import type { Caption, PlatformEvent } from '../platform.ts'

/** All sound is mono, 16 bit, with this many samples per second. */
export const SPEECH_SAMPLE_RATE = 16_000

/** Recognizes what participants say. src/speech implements it; platforms only hand over sound. */
export interface SpeechRecognition {
  /** Why speech in a language cannot be recognized now, as a sentence for people; null when it can. */
  findObstacle(language: string | null): Promise<string | null>
  /** Opens a session for one visit of a bot. It costs nothing until sound arrives. */
  openSession(options: SpeechSessionOptions): SpeechSession
}

export type SpeechSessionOptions = {
  /** BCP 47 language of the speech; null when it is unknown. */
  language: string | null
  onUtterance(utterance: RecognizedUtterance): void
  /** Sound was not recognized. Called before the utterances that follow it, and again while the problem lasts. */
  onLoss(loss: SpeechLoss): void
  /** Sound waits for this long to be recognized; 0 when recognition has caught up. Called while it is behind. */
  onDelay?(behindMs: number): void
}

/** Recognizes the voices of one meeting. Calls return at once; sound waits in a buffer of limited size. */
export interface SpeechSession extends AsyncDisposable {
  /** Sound that follows the earlier sound of the voice. Missing time between both counts as silence. */
  addSound(sound: VoiceSound): void
  /** The voice is silent from now on, so what it said is a complete utterance. */
  endVoice(voice: string): void
  /** Whether an utterance is unfinished or waits to be recognized. */
  isBusy(): boolean
  /** Recognizes what was heard so far, and gives up after a time. */
  finish(): Promise<void>
}

/** Sound of one voice. All times are in milliseconds of the clock of the caller. */
export type VoiceSound = {
  /** Identifies who speaks: a participant of the meeting, or a track when the participant is unknown. */
  voice: string
  /** When the first sample was heard. */
  startsAt: number
  samples: Int16Array
}

/** What one voice said without a pause. */
export type RecognizedUtterance = {
  voice: string
  text: string
  startedAt: number
  endedAt: number
  /** Why words are missing right before or in it, as a sentence for people; null when it is complete. */
  incompleteReason: string | null
}

export type SpeechLoss = {
  /** How many milliseconds of sound were not recognized in this session so far. */
  lostMs: number
  /** As a sentence for people. */
  reason: string
  /** When the sound was heard that was lost since the last call. */
  startedAt: number
  endedAt: number
}

/** The caption of what a voice said. It is final, so the segmenter makes it a segment at once. */
export function toUtteranceCaption(
  { text, startedAt, endedAt, incompleteReason }: RecognizedUtterance,
  { captionId, speaker, now }: { captionId: string; speaker: string; now: number },
): Caption {
  return {
    captionId,
    speaker,
    text,
    isFinal: true,
    isNewSpeech: true,
    isFromSpeech: true,
    ...(incompleteReason !== null && { isIncomplete: true }),
    // The bot sends no sound, so it hears only others.
    isOtherParticipant: true,
    late: { startedMs: Math.max(0, now - startedAt), changedMs: Math.max(0, now - endedAt) },
  }
}

/** How much speech is missing in the transcript, where and why. */
export function toSpeechLostEvent(
  { lostMs, reason, startedAt, endedAt }: SpeechLoss,
  now: number,
): PlatformEvent {
  const seconds = Math.max(1, Math.round(lostMs / 1_000))
  return {
    kind: 'speech lost',
    detail: `${seconds} s of speech are not in the transcript. ${reason}`,
    startedMs: Math.max(0, now - startedAt),
    endedMs: Math.max(0, now - endedAt),
  }
}
