import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { speakerDisplayName } from '../../speakers/speaker.ts'

/** How much a speaker said. Captions have no durations, so the seconds are an estimate. */
export type TalkTimeShare = Pick<
  ApiMeetingDetail['talkTime'][number],
  'speaker' | 'words' | 'seconds' | 'share'
>

type Count = { words: number; seconds: number }
type Counts = ReadonlyMap<string, Count>
type Lines = readonly ApiSegment[]

const CHARS_PER_SECOND = 15
const MIN_LINE_SECONDS = 1

/** A full chunk never changes, so a long live transcript is not counted again with every new line. */
const countsOfChunk = new WeakMap<Lines, Counts>()

/** The talk time of a live meeting, most words first, estimated in the same way as by the service. */
export function computeTalkTime(chunks: readonly Lines[]): TalkTimeShare[] {
  const total = new Map<string, Count>()
  for (const chunk of chunks) {
    const counts = countsOfChunk.get(chunk) ?? countLines(chunk)
    countsOfChunk.set(chunk, counts)
    for (const [speaker, count] of counts) add(total, speaker, count)
  }
  const allWords = [...total.values()].reduce((sum, { words }) => sum + words, 0)
  return [...total]
    .map(([speaker, { words, seconds }]) => ({
      speaker,
      words,
      seconds: Math.round(seconds),
      share: allWords === 0 ? 0 : words / allWords,
    }))
    .toSorted((a, b) => b.words - a.words)
}

function countLines(lines: Lines): Counts {
  const counts = new Map<string, Count>()
  for (const [i, { speaker, text, timestamp }] of lines.entries()) {
    const next = lines[i + 1]
    const untilNext = next ? (Date.parse(next.timestamp) - Date.parse(timestamp)) / 1000 : 0
    const toSay = text.length / CHARS_PER_SECOND
    const seconds = Math.max(MIN_LINE_SECONDS, untilNext > 0 ? Math.min(toSay, untilNext) : toSay)
    add(counts, speakerDisplayName(speaker), { words: countWords(text), seconds })
  }
  return counts
}

function add(counts: Map<string, Count>, speaker: string, { words, seconds }: Count): void {
  const known = counts.get(speaker) ?? { words: 0, seconds: 0 }
  counts.set(speaker, { words: known.words + words, seconds: known.seconds + seconds })
}

/** Counts words by whitespace. Han, kana and Thai text has none, so two characters are treated as a word there. */
function countWords(text: string): number {
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0
  return dense > 0 ? Math.ceil(dense / 2) : text.split(/\s+/).filter(Boolean).length
}

const MAX_NAMED_SPEAKERS = 5

/** Splits off the speakers with the most words, and adds up the others. Null if there are none. */
export function splitOthers(shares: readonly TalkTimeShare[]): {
  named: readonly TalkTimeShare[]
  others: (Omit<TalkTimeShare, 'speaker'> & { count: number }) | null
} {
  if (shares.length <= MAX_NAMED_SPEAKERS) return { named: shares, others: null }
  const rest = shares.slice(MAX_NAMED_SPEAKERS)
  const sum = (read: (share: TalkTimeShare) => number) =>
    rest.reduce((total, share) => total + read(share), 0)
  return {
    named: shares.slice(0, MAX_NAMED_SPEAKERS),
    others: {
      count: rest.length,
      words: sum(({ words }) => words),
      seconds: sum(({ seconds }) => seconds),
      share: sum(({ share }) => share),
    },
  }
}

/** A share in whole percent: "42%", and "<1%" for a speaker who said little. */
export function formatShare(share: number): string {
  return share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`
}

/** Whole minutes: "12 min", and "<1 min" below half a minute. */
export function formatMinutes(seconds: number): string {
  return seconds < 30 ? '<1 min' : `${Math.round(seconds / 60)} min`
}
