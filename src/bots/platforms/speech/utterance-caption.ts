import type { Caption } from '../platform.ts'
import type { RecognizedUtterance } from './recognition.ts'

type Options = { captionId: string; speaker: string; now: number }

/** What a voice said, as a caption that does not change any more. */
export function toCaption(
  { text, startedAt, endedAt }: RecognizedUtterance,
  { captionId, speaker, now }: Options,
): Caption {
  return {
    captionId,
    speaker,
    text,
    isFinal: true,
    isNewSpeech: true,
    // The bot sends no sound, so it hears only others.
    isOtherParticipant: true,
    late: { startedMs: Math.max(0, now - startedAt), changedMs: Math.max(0, now - endedAt) },
  }
}
