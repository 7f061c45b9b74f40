import type { Caption, PlatformEvent } from '../platform.ts'

/** All sound is mono, 16-bit, with this many samples per second. */
export const SPEECH_SAMPLE_RATE = 16_000

/** Recognizes what participants say. src/speech implements it; platforms only pass sound on. */
export interface SpeechRecognition {
  /** Why speech in a language cannot be recognized now, as a sentence for people; null if it can. */
  findObstacle(language: string | null): Promise<string | null>
  /** Opens a session for one visit of a bot. It costs nothing until sound arrives. */
  openSession(options: SpeechSessionOptions): SpeechSession
}

export type SpeechSessionOptions = {
  /** BCP 47 language of the speech; null if it is unknown. */
  language: string | null
  /** The sound is of a recording, so it can wait: no sound is dropped, and live meetings come first. */
  isRecording?: boolean
  onUtterance(utterance: RecognizedUtterance): void
  /** Sound was not recognized. Called before the utterances that follow it, and again while the problem lasts. */
  onLoss(loss: SpeechLoss): void
  /** How long sound waits to be recognized; 0 when recognition has caught up. Called while it is behind. */
  onDelay?(behindMs: number): void
}

/** Recognizes the voices of one meeting. Calls return at once, and sound waits in a buffer of limited size. */
export interface SpeechSession extends AsyncDisposable {
  /** Adds sound that follows the voice's earlier sound. Missing time between the two is treated as silence. */
  addSound(sound: VoiceSound): void
  /** The voice is silent from now on, so its utterance is complete. */
  endVoice(voice: string): void
  /** True if an utterance is unfinished or waits to be recognized. */
  isBusy(): boolean
  /** Recognizes what was heard so far, and gives up after a time. */
  finish(): Promise<void>
}

/** Sound of one voice. All times are milliseconds of the caller's clock. */
export type VoiceSound = {
  /** Identifies the speaker: a participant of the meeting, or a track if the participant is unknown. */
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
  /** Why words are missing right before or in it, as a sentence for people; null if it is complete. */
  incompleteReason: string | null
}

export type SpeechLoss = {
  /** How many milliseconds of sound this session has not recognized so far. */
  lostMs: number
  /** As a sentence for people. */
  reason: string
  /** When the sound was heard that was lost since the last call. */
  startedAt: number
  endedAt: number
}

/** The caption of what a voice said. It is final, so the segmenter turns it into a segment at once. */
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

/** Says how much speech is missing in the transcript, where and why. */
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
