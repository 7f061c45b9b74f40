import { IMPORT_FORMAT_TITLES } from '../../format-names.ts'
import {
  createProblemList,
  failAt,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
} from '../found-transcript.ts'
import {
  isObject,
  readElements,
  readSpokenText,
  readText,
  readTexts,
  readTimestamp,
} from './json-fields.ts'
import type { JsonFormat } from './json-formats.ts'
import { firstAt, listAt } from './json-paths.ts'
import { findElementLine, parseJson } from './json-places.ts'
import { JSON_SHAPES, UNREADABLE_JSON, type JsonShape } from './json-shapes.ts'
import { joinWords } from './join-words.ts'
import { guessUnit, placeInstants, readTime } from './json-times.ts'
import { nameSpeaker } from './name-speaker.ts'

const FORMATS = Object.keys(JSON_SHAPES) as JsonFormat[]
/** The texts at the start of a list that show its form. */
const SHOWN_TEXTS = 20

type FoundList = { path: string; items: readonly unknown[] }

/** Says which product wrote a JSON file. Fails if it is none that can be read. */
export function recogniseJson(text: string): JsonFormat | 'hansard-json' {
  const file = parseJson(text)
  const format = FORMATS.find((name) => fits(file, JSON_SHAPES[name], true))
  if (format !== undefined) return format
  if (isObject(file) && Array.isArray(file['segments'])) return 'hansard-json'
  const untimed = FORMATS.find((name) => fits(file, JSON_SHAPES[name], false))
  if (untimed !== undefined) return untimed
  // An empty list, or one whose first entries have no text.
  const list = findList(file, JSON_SHAPES['fireflies-json'])
  return list === null ? failAt(1, describeUnknown(file)) : 'fireflies-json'
}

export function parseJsonAs(format: JsonFormat): (text: string) => FoundTranscript {
  const shape = JSON_SHAPES[format]
  return (text) => {
    const file = parseJson(text)
    const list = findList(file, shape)
    return list === null ? failAt(1, describeUnknown(file)) : readList(text, file, shape, list)
  }
}

function describeUnknown(file: unknown): string {
  const other = UNREADABLE_JSON.find(({ path }) => listAt(file, path).length > 0)
  const products = Object.entries(IMPORT_FORMAT_TITLES).flatMap(([name, title]) =>
    name.endsWith('-json') ? title.replace(/ JSON$/, '') : [],
  )
  return [
    `${other === undefined ? 'This JSON' : `JSON of ${other.product}`} cannot be read.`,
    `JSON of these products can: ${products.join(', ')}.`,
    'So can a list of texts with “text” and “start”, and text or WebVTT',
  ].join(' ')
}

function fits(file: unknown, shape: JsonShape, hasTimes: boolean): boolean {
  const { marks, unit } = shape
  const items = findList(file, shape)?.items.slice(0, SHOWN_TEXTS).filter(isObject) ?? []
  const spoken = items.filter((item) => typeof firstAt(item, shape.text) === 'string')
  const starts = spoken.map((item) => firstAt(item, shape.start)).filter((at) => at !== undefined)
  if (spoken.length === 0 || starts.length > 0 !== hasTimes) return false
  if (!starts.every((at) => readTime(at, unit ?? 'milliseconds', () => null) !== null)) return false
  return (
    marks?.some((path) => [file, ...spoken].some((one) => listAt(one, path).length > 0)) ?? true
  )
}

/** The first list that is not empty, or else the first. */
function findList(file: unknown, shape: JsonShape): FoundList | null {
  const lists = shape.lists.flatMap((path) => {
    const found = listAt(file, path).filter((list) => Array.isArray(list))
    return found.length === 0 ? [] : [{ path, items: found.flat() as unknown[] }]
  })
  return lists.find(({ items }) => items.length > 0) ?? lists[0] ?? null
}

function readList(
  text: string,
  file: unknown,
  shape: JsonShape,
  { path, items }: FoundList,
): FoundTranscript {
  const key = path.split('.').at(-1) || null
  const place = { text, key, name: 'Entry', problems: createProblemList() }
  const unit = shape.unit ?? guessUnit(items, shape)
  const speakers = indexSpeakers(file, shape)
  const line = findElementLine(text, key, 0)
  const texts = readElements(place, items, (item, fail): FoundSegment | null => {
    const said = readSpokenText(firstAt(item, shape.text), shape.text, fail)
    if (said === null) return null
    const start = firstAt(item, shape.start)
    const speaker = nameSpeaker(firstAt(item, shape.speaker) ?? speakers.get(start))
    const startMs = readTime(start, unit, fail)
    return {
      line,
      speaker,
      text: said,
      startMs,
      endMs: readTime(firstAt(item, shape.end), unit, fail),
    }
  })
  const given = readTimestamp(firstAt(file, shape.startedAt ?? []))
  const { startedAt, segments } =
    unit === 'instants' ? placeInstants(texts, given) : { startedAt: given, segments: texts }
  const minutes = firstAt(file, shape.durationMinutes ?? [])
  return {
    ...NOTHING_FOUND,
    title: readText(firstAt(file, shape.title ?? [])),
    durationMs: typeof minutes === 'number' && minutes > 0 ? Math.round(minutes * 60_000) : null,
    participants: (shape.participants ?? []).flatMap((one) => readTexts(listAt(file, one))),
    startedAt,
    segments: joinWords(segments),
  }
}

/** The speakers that a file names by the starts of the texts. */
function indexSpeakers(file: unknown, { speakersByStart, start, speaker }: JsonShape) {
  const named = speakersByStart === undefined ? [] : listAt(file, speakersByStart).flat()
  return new Map(named.map((item) => [firstAt(item, start), firstAt(item, speaker)]))
}
