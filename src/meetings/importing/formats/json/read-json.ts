import { DAY_MS } from '../../../../lib/time/durations.ts'
import { findSentenceEnds, SEGMENT_RULES } from '../../../captions/segment-rules.ts'
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
  findElementLine,
  parseJson,
  firstAt,
  listAt,
  readInstant,
  readSeconds,
  type ElementFailure,
} from './json-fields.ts'
import {
  type JsonFormat,
  JSON_SHAPES,
  UNREADABLE_JSON,
  type JsonShape,
  JSON_FORMATS,
} from './json-shapes.ts'

/** How many texts at the start of a list are checked to recognize its form. */
const SHOWN_TEXTS = 20

type FoundList = { path: string; items: readonly unknown[] }

type TimeUnit = NonNullable<JsonShape['unit']>

/** Tells the units apart: people say about 15 characters in a second, and 0.015 in a millisecond. */
const MIN_CHARS_PER_SECOND = 0.5

/** A list with this share of single words is a list of words. */
const MIN_WORD_SHARE = 0.8
/** A longer pause ends a sentence that has no full stop. */
const MAX_PAUSE_MS = 1_000
/** Punctuation that follows a word without a space. */
const CLOSING_PUNCTUATION = /^[.,;:?!…%)\]}»”’、。，！？：；]/u
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Granola's names for the sound of the person who records, and for the sound of everyone else. */
const SOURCES: Readonly<Record<string, string>> = {
  microphone: 'Me',
  speaker: 'Them',
  system: 'Them',
}

/** Returns which product wrote a JSON file. Fails if none of the known ones did. */
export function recogniseJson(text: string): JsonFormat | 'hansard-json' {
  const file = parseJson(text)
  const format = JSON_FORMATS.find((name) => fits(file, JSON_SHAPES[name], true))
  if (format !== undefined) return format
  if (isObject(file) && Array.isArray(file['segments'])) return 'hansard-json'
  const untimed = JSON_FORMATS.find((name) => fits(file, JSON_SHAPES[name], false))
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

/** The first list that is not empty, otherwise the first list. */
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

/** The speakers that a file lists separately, by the starts of their texts. */
function indexSpeakers(file: unknown, { speakersByStart, start, speaker }: JsonShape) {
  const named = speakersByStart === undefined ? [] : listAt(file, speakersByStart).flat()
  return new Map(named.map((item) => [firstAt(item, start), firstAt(item, speaker)]))
}

/** Reads a time in milliseconds, since 1970 if it is an instant. Null if there is none. */
function readTime(value: unknown, unit: TimeUnit, fail: ElementFailure): number | null {
  if (value === undefined || value === null) return null
  if (unit === 'instants') {
    // Vexa writes dates in UTC without saying so.
    const at = readInstant(value) ?? readInstant(`${typeof value === 'string' ? value : ''}Z`)
    return at === null
      ? fail('has a time that is no date such as 2026-11-15T08:30:00Z')
      : at.getTime()
  }
  const isScaled = unit === 'milliseconds' && Number.isFinite(Number(value))
  return readSeconds(isScaled ? Number(value) / 1000 : value, fail)
}

/** Guesses the unit of the times in a list from how fast people would have to speak. */
function guessUnit(items: readonly unknown[], shape: JsonShape): TimeUnit {
  let [chars, spoken, first, last] = [0, 0, Infinity, 0]
  for (const item of items) {
    if (!isObject(item)) continue
    if ('start_ms' in item || 'startMs' in item) return 'milliseconds'
    const start = Number(firstAt(item, shape.start))
    const text = firstAt(item, shape.text)
    if (!Number.isFinite(start) || typeof text !== 'string') continue
    const end = Number(firstAt(item, shape.end))
    chars += text.length
    if (end > start) spoken += end - start
    first = Math.min(first, start)
    last = Math.max(last, start)
  }
  const units = spoken || last - first
  return units > 0 && chars / units < MIN_CHARS_PER_SECOND ? 'milliseconds' : 'seconds'
}

/** Converts instants into times since the given start, or since the first text if none is given. */
function placeInstants(
  texts: readonly FoundSegment[],
  given: Date | null,
): { startedAt: Date | null; segments: FoundSegment[] } {
  const firstMs = texts.reduce(
    (least, { startMs }) => Math.min(least, startMs ?? Infinity),
    Infinity,
  )
  if (firstMs === Infinity) return { startedAt: given, segments: [...texts] }
  const givenMs = given?.getTime() ?? Infinity
  const isNear = givenMs <= firstMs && firstMs - givenMs < DAY_MS
  const originMs = isNear ? givenMs : firstMs
  const since = (ms: number | null) => (ms === null ? null : ms - originMs)
  return {
    startedAt: new Date(originMs),
    segments: texts.map((text) => ({
      ...text,
      startMs: since(text.startMs),
      endMs: since(text.endMs),
    })),
  }
}

/** Joins words into sentences, which end at a full stop, a pause or another speaker. Does not change other lists. */
function joinWords(texts: FoundSegment[]): FoundSegment[] {
  const words = texts.filter(({ text }) => !/\S\s+\S/u.test(text)).length
  if (texts.length < 2 || words < texts.length * MIN_WORD_SHARE) return texts
  // Some products include the space in the word.
  const hasSpaces = texts.some(({ text }) => /^\s/u.test(text))
  const sentences: FoundSegment[] = []
  for (const word of texts) {
    const last = sentences.at(-1)
    if (last === undefined || isNewSentence(last, word)) {
      sentences.push({ ...word })
      continue
    }
    const space = hasSpaces || isWithoutSpace(last.text, word.text) ? '' : ' '
    last.text = `${last.text}${space}${word.text}`
    last.endMs = word.endMs ?? word.startMs ?? last.endMs
  }
  return sentences
}

function isNewSentence(sentence: FoundSegment, word: FoundSegment): boolean {
  // Punctuation and spaces can lack a time or a speaker.
  if (!/[\p{L}\p{N}]/u.test(word.text)) return false
  if (word.speaker !== sentence.speaker) return true
  if (sentence.text.length > SEGMENT_RULES.sentenceCapChars) return true
  if (findSentenceEnds(sentence.text.trimEnd().slice(-50)).at(-1) === endOf(sentence)) return true
  const saidMs = sentence.endMs ?? sentence.startMs
  if (saidMs === null || word.startMs === null) return false
  // A word long before the last one belongs to another channel.
  return Math.abs(word.startMs - saidMs) > MAX_PAUSE_MS
}

function endOf({ text }: FoundSegment): number {
  return Math.min(text.trimEnd().length, 50)
}

function isWithoutSpace(before: string, text: string): boolean {
  if (CLOSING_PUNCTUATION.test(text)) return true
  return UNSPACED.test(before.slice(-1)) && UNSPACED.test(text.slice(0, 1))
}

/** Names a speaker. Some files have only a number (from 0) or a letter. Empty if there is no speaker. */
function nameSpeaker(speaker: unknown): string {
  if (typeof speaker === 'number') {
    return Number.isSafeInteger(speaker) && speaker >= 0 ? `Speaker ${speaker + 1}` : ''
  }
  if (typeof speaker !== 'string') return ''
  if (/^[A-Z]$/.test(speaker)) return `Speaker ${speaker}`
  return Object.hasOwn(SOURCES, speaker) ? (SOURCES[speaker] ?? '') : speaker
}
