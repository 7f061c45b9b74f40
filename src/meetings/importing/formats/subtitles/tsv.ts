import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
} from '../found-transcript.ts'
import { shorten } from '../clock-times.ts'
import { splitLines } from '../text-lines.ts'

const HEADER = /^\s*start\tend\t(?:speaker\t)?text[ \t]*(?:\n|$)/i
const MAX_MS = 7 * 24 * 3_600_000

/** The table of Whisper: start and end in milliseconds, and the text, with tabs between them. */
export function isTsv(text: string): boolean {
  return HEADER.test(text)
}

export function parseTsv(text: string): FoundTranscript {
  const problems = createProblemList()
  const [header, ...rows] = splitLines(text).filter((line) => line.text !== '')
  const hasSpeakers = /\tspeaker\t/i.test(header?.text ?? '')
  const segments: FoundSegment[] = []
  for (const { line, text: row } of rows) {
    const [start = '', end = '', ...rest] = row.split('\t')
    const [startMs, endMs] = [Number(start), Number(end)]
    const isPossible = start !== '' && startMs >= 0 && endMs >= startMs && endMs <= MAX_MS
    if (!isPossible)
      problems.add(line, `“${shorten(row)}” does not begin with two times in milliseconds`)
    const speaker = hasSpeakers ? (rest.shift() ?? '') : ''
    segments.push({ line, speaker, text: rest.join(' '), startMs, endMs })
  }
  problems.throwIfAny()
  return { ...NOTHING_FOUND, segments }
}
