import type { Caption, PlatformEvent } from '../platform.ts'
import type { RecognizedUtterance, SpeechLoss } from './recognition.ts'

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
