import type { SpeechLoss } from './recognition.ts'

/** How much speech is missing in the transcript and why, for people. */
export function describeLoss({ lostMs, reason }: SpeechLoss): string {
  const seconds = Math.max(1, Math.round(lostMs / 1_000))
  return `${seconds} s of speech are not in the transcript. ${reason}`
}
