import { GAP_CAUSE_TEXTS, type GapCause } from '../../../transcript/gap-causes.ts'
import {
  createProblemList,
  failAt,
  NOTHING_FOUND,
  type FoundGap,
  type FoundTranscript,
} from '../found-transcript.ts'
import {
  durationBetween,
  isObject,
  readElements,
  readInstant,
  readSpokenText,
  readText,
  readTexts,
  requireList,
  type ElementFailure,
  type JsonObject,
  findElementLine,
  parseJson,
} from './json-fields.ts'

/** Reads the response of `GET …/transcript`. */
export function parseHansardJson(text: string): FoundTranscript {
  const file = parseJson(text)
  if (!isObject(file)) return failAt(1, 'The JSON is not an object with a list “segments”')
  const list = requireList(file['segments'], 'The JSON has no list “segments”')
  const place = { text, key: 'segments', name: 'Segment', problems: createProblemList() }
  const segments = readElements(place, list, readSegment)
  const startedAt = readInstant(file['startedAt']) ?? findFirst(segments.map(({ at }) => at))
  const start = startedAt?.getTime() ?? 0
  const line = findElementLine(text, 'segments', 0)
  return {
    ...NOTHING_FOUND,
    title: readText(file['title']),
    startedAt,
    durationMs: durationBetween(startedAt, readInstant(file['endedAt'])),
    participants: readTexts(file['participants']),
    segments: segments.map(({ at, ...segment }) => ({
      line,
      ...segment,
      startMs: at.getTime() - start,
      endMs: null,
    })),
    gaps: Array.isArray(file['gaps']) ? file['gaps'].flatMap((gap) => readGap(gap, start)) : [],
  }
}

function readSegment(item: JsonObject, fail: ElementFailure) {
  const text = readSpokenText(item['text'], ['text'], fail)
  if (text === null) return null
  const at = readInstant(item['timestamp'])
  if (at === null) return fail('has no time “timestamp” such as 2026-11-15T08:30:00Z')
  return { speaker: readText(item['speaker']) ?? '', text, at }
}

/** Skips a gap with a cause that this version does not know. */
function readGap(item: unknown, start: number): FoundGap[] {
  if (!isObject(item)) return []
  const from = readInstant(item['startedAt'])
  const to = readInstant(item['endedAt']) ?? from
  const cause = readText(item['cause']) ?? ''
  if (from === null || to === null || !Object.hasOwn(GAP_CAUSE_TEXTS, cause)) return []
  const startMs = from.getTime() - start
  return [{ cause: cause as GapCause, startMs, endMs: Math.max(startMs, to.getTime() - start) }]
}

function findFirst(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>(
    (first, at) => (first !== null && first <= at ? first : at),
    null,
  )
}
