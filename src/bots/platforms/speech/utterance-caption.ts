import type { Caption } from '../platform.ts'
import type { RecognizedUtterance } from './recognition.ts'

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
