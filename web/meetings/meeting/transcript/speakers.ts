import type { WireSegment } from '../../../../src/http/shapes/meetings.ts'

export const SPEAKER_HUE_COUNT = 12

/** Assigns each speaker a colour number by first appearance, so that colours stay stable during a meeting. */
export interface SpeakerHues {
  hueOf(name: string): number
}

export function createSpeakerHues(): SpeakerHues {
  const order = new Map<string, number>()
  return {
    hueOf(name) {
      const index = order.get(name) ?? order.size
      order.set(name, index)
      return index % SPEAKER_HUE_COUNT
    },
  }
}

export function speakerDisplayName(speaker: string): string {
  return speaker === '' ? 'Unknown speaker' : speaker
}

const LETTER = /[\p{L}\p{N}]/u

/** A speaker's initials, at most two characters. Shown next to the speaker's colour to tell speakers apart. */
export function speakerInitials(name: string): string {
  const words = name.split(/\s+/).filter((word) => LETTER.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends
    .map((word) => LETTER.exec(word ?? '?')?.[0] ?? '?')
    .join('')
    .toLocaleUpperCase()
}

export type SpeakerWordShare = {
  speaker: string
  words: number
  share: number
  activityByTimeSlot: number[]
}

const SECONDS_PER_WORD = 0.4

/** Words and activity per speaker. Captions have no durations, so a line's duration is estimated from its words. */
export function computeSpeakerWordShares(
  segments: readonly WireSegment[],
  slots: number,
): SpeakerWordShare[] {
  const [first, last] = [segments[0], segments.at(-1)]
  if (first === undefined || last === undefined) return []
  const beginMs = Date.parse(first.timestamp)
  const endMs = Date.parse(last.timestamp) + countWords(last.text) * SECONDS_PER_WORD * 1000
  const slotMs = Math.max(1, (endMs - beginMs) / slots)
  const found = new Map<string, Omit<SpeakerWordShare, 'share'>>()
  let all = 0
  for (const { speaker, text, timestamp } of segments) {
    const words = countWords(text)
    all += words
    const row = found.get(speaker) ?? {
      speaker,
      words: 0,
      activityByTimeSlot: Array<number>(slots).fill(0),
    }
    row.words += words
    const from = Math.floor((Date.parse(timestamp) - beginMs) / slotMs)
    const through = from + Math.floor((words * SECONDS_PER_WORD * 1000) / slotMs)
    for (let slot = Math.max(0, from); slot <= Math.min(through, slots - 1); slot += 1) {
      row.activityByTimeSlot[slot] = 1
    }
    found.set(speaker, row)
  }
  return [...found.values()]
    .map((row) => ({ ...row, share: all === 0 ? 0 : row.words / all }))
    .toSorted((a, b) => b.words - a.words)
}

/** Counts words by whitespace. Han, kana and Thai text has none, so there two characters count as a word. */
function countWords(text: string): number {
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0
  return dense > 0 ? Math.ceil(dense / 2) : text.split(/\s+/).filter(Boolean).length
}
