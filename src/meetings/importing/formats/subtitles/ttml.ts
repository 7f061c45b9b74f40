import { decodeEntities } from '../../../../lib/text/entities.ts'
import { createProblemList, type FoundTranscript } from '../found-transcript.ts'
import { parseClockTime, shorten, type ClockTime } from '../text-lines.ts'
import type { FoundCue } from './cues.ts'
import { toTranscript } from './subtitles.ts'

const START = /^\s*(?:<(?:\?|!)[^>]{0,4000}>\s*){0,20}<(?:\w{1,20}:)?tt[\s>]/u
const OFFSET = /^(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s|t|)$/
const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, '': 1 }
const MAX_ATTRIBUTE_CHARS = 2_000

/** Timed Text Markup Language, used by broadcasters and streaming services. */
export function isTtml(text: string): boolean {
  return START.test(text)
}

/** Reads the paragraphs of a file. The speaker is an agent, or is written in front of the text. */
export function parseTtml(text: string): FoundTranscript {
  const problems = createProblemList()
  const ticksPerSecond = Number(readAttribute(text.slice(0, 5_000), 'tickRate')) || 1
  const agents = readAgents(text)
  const segments: Array<FoundCue & { speaker: string }> = []
  let [line, counted] = [1, 0]
  for (const { at, attributes, content } of listElements(text, 'p')) {
    line += text.slice(counted, at).split('\n').length - 1
    counted = at
    // If a paragraph has no times, its first span has them.
    const times = readAttribute(attributes, 'begin') === null ? content : attributes
    const begin = readAttribute(times, 'begin')
    const start: ClockTime =
      begin === null
        ? { problem: 'The paragraph has no time “begin”' }
        : readTime(begin, ticksPerSecond)
    const end = readTime(readAttribute(times, 'end') ?? '', ticksPerSecond)
    if ('problem' in start) {
      if (toText(content) !== '') problems.add(line, start.problem)
      continue
    }
    segments.push({
      line,
      speaker: agents.get(readAttribute(attributes, 'agent') ?? '') ?? '',
      text: toText(content),
      startMs: start.ms,
      endMs: 'ms' in end ? Math.max(start.ms, end.ms) : start.ms,
    })
  }
  problems.throwIfAny()
  const found = toTranscript(segments, (given) => given)
  return segments.some(({ speaker }) => speaker !== '') ? { ...found, segments, notes: [] } : found
}

/** Reads the agents. Each has an id, and its name in a separate element. */
function readAgents(text: string): Map<string, string> {
  const found = [...listElements(text.slice(0, 100_000), 'agent')]
  return new Map(
    found.map(({ attributes, content }) => [
      readAttribute(attributes, 'id') ?? '',
      toText(content),
    ]),
  )
}

/** Finds the elements that have this name, with any prefix, and content. */
function* listElements(text: string, name: string) {
  const open = new RegExp(`<((?:\\w{1,20}:)?${name})(?=[\\s>/])`, 'gu')
  for (let match = open.exec(text); match !== null; match = open.exec(text)) {
    const attributesEnd = text.indexOf('>', match.index)
    if (attributesEnd === -1) return
    open.lastIndex = attributesEnd
    if (text[attributesEnd - 1] === '/') continue
    const end = text.indexOf(`</${match[1]}>`, attributesEnd)
    if (end === -1) return
    const from = match.index + match[0].length
    const attributes = text.slice(from, Math.min(attributesEnd, from + MAX_ATTRIBUTE_CHARS))
    yield { at: match.index, attributes, content: text.slice(attributesEnd + 1, end) }
    open.lastIndex = end
  }
}

function readAttribute(text: string, name: string): string | null {
  const start = text.slice(0, 2 * MAX_ATTRIBUTE_CHARS)
  const [, double, single] =
    new RegExp(`[\\s:]${name}=(?:"([^"]{0,200})"|'([^']{0,200})')`, 'u').exec(start) ?? []
  return double ?? single ?? null
}

function toText(content: string): string {
  const plain = content
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/<(?:\w{1,20}:)?br ?\/?>/gu, '\n')
    .replaceAll(/<[^<>]*>/gu, '')
  return decodeEntities(plain).trim()
}

/** Reads `00:00:01.500`, also with frames, offsets such as `1.5s`, or ticks such as `15000t`. Apple omits the unit. */
function readTime(value: string, ticksPerSecond: number): ClockTime {
  const [, count, unit = ''] = OFFSET.exec(value) ?? []
  if (count === undefined) return parseClockTime(value.replace(/^(\d+:\d\d:\d\d):\d+$/, '$1'))
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? 1 / ticksPerSecond)
  return seconds <= 7 * 24 * 3600
    ? { ms: Math.round(seconds * 1000) }
    : { problem: `“${shorten(value)}” is more than 168 hours after the start` }
}
