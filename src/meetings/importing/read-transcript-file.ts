import { DAY_MS } from '../../lib/time/durations.ts'
import { getZoneOffsets } from '../../lib/time/zone-offsets.ts'
import { SEGMENT_RULES, splitLongText } from '../captions/segment-rules.ts'
import { cleanParticipantName, UNKNOWN_SPEAKER } from '../../language/person-names.ts'
import { cleanText } from '../../language/clean-text.ts'
import { estimateSpeechMs } from '../transcript/cues.ts'
import type { GapCause } from '../transcript/gap-causes.ts'
import { readDatedTitle, readFileName, type FileNameFacts } from './file-name.ts'
import type { ImportFormat } from './format-names.ts'
import {
  failAt,
  type FoundSegment,
  type FoundTranscript,
  type LocalStart,
} from './formats/found-transcript.ts'
import { IMPORT_FORMAT_READERS, recogniseFormat, refuseOtherFiles } from './import-formats.ts'

export type TranscriptFile = {
  content: string
  fileName: string | null
  /** Null to detect the format from the content. */
  format: ImportFormat | null
  /** The time zone of dates and times in the file that have none. */
  timeZone: string
}

export type ImportedSegment = { speaker: string; text: string; startMs: number }
export type ImportedGap = { cause: GapCause; startMs: number; endMs: number; afterSegment: number }
export type ImportWarning = { path: string; message: string }

/** A transcript as it will be stored. Times are in milliseconds since the start of the meeting. */
export type ImportedTranscript = {
  format: ImportFormat
  title: string | null
  /** Null if the file does not say it. */
  startedAt: Date | null
  durationMs: number
  participants: string[]
  segments: ImportedSegment[]
  gaps: ImportedGap[]
  warnings: ImportWarning[]
}

const MAX_IMPORTED_SEGMENTS = 20_000
const MAX_TITLE_CHARS = 200
const MAX_PARTICIPANTS = 1_000
const MAX_GAPS = 1_000
const MAX_MEETING_MS = 7 * DAY_MS

/** Used if the time is missing. Noon is on the same date in most other time zones. */
const ASSUMED_TIME = '12:00'

type TimedText = { text: string; startMs: number | null; endMs: number | null }

/** How programs name the speakers that they tell apart: `SPEAKER_00`, `spk_0`, or `[SPEAKER_00]` in subtitles. */
const NUMBERED_SPEAKER = /^\[?(?:speaker|spk)[_-](\d{1,3})\]?$/i

/** An earlier start is a mistake in the file. */
const EARLIEST_START_MS = Date.UTC(1970, 0, 2)

/** Reads a transcript. Throws `UnreadableTranscript` with the lines that cannot be read. */
export function readTranscriptFile(file: TranscriptFile): ImportedTranscript {
  const text = file.content.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n')
  refuseOtherFiles(text)
  const format = file.format ?? recogniseFormat(text)
  const found = IMPORT_FORMAT_READERS[format].parse(text)
  const cleaned = cleanSegments(found.segments)
  if (cleaned.length === 0) failAt(1, 'No spoken text was found in this file')
  refuseDistantTimes(cleaned)
  const segments = fillMissingStarts(cleaned).toSorted((a, b) => a.startMs - b.startMs)
  const name = file.fileName === null ? null : readFileName(file.fileName)
  const titled = readDatedTitle(found.title ?? '')
  const start = findStart(found, [titled, name], file.timeZone)
  return {
    format,
    title: toTitle(titled?.title ?? found.title) ?? toTitle(name?.title ?? null),
    startedAt: start.at,
    durationMs: Math.min(MAX_MEETING_MS, Math.max(found.durationMs ?? 0, findEnd(segments.at(-1)))),
    participants: listParticipants(segments, found.participants),
    segments: segments.map(({ speaker, text: said, startMs }) => ({
      speaker,
      text: said,
      startMs,
    })),
    gaps: placeGaps(found, segments),
    warnings: [...start.warnings, ...listWarnings(found)],
  }
}

/** Cleans names and texts, and cuts long texts into segments like those of an attended meeting. */
function cleanSegments(found: readonly FoundSegment[]): FoundSegment[] {
  const cleaned: FoundSegment[] = []
  const speakers = new Map<string, string>()
  for (const segment of found) {
    const text = cleanText(segment.text)
    if (text === '') continue
    const speaker = speakers.get(segment.speaker) ?? cleanSpeaker(segment.speaker)
    speakers.set(segment.speaker, speaker)
    for (const [i, piece] of splitLongText(text, SEGMENT_RULES).entries()) {
      cleaned.push({ ...segment, speaker, text: piece.trim(), ...(i > 0 && { startMs: null }) })
    }
    if (cleaned.length > MAX_IMPORTED_SEGMENTS) {
      const limit = MAX_IMPORTED_SEGMENTS.toLocaleString('en')
      failAt(segment.line, `The transcript has more than ${limit} segments`)
    }
  }
  return cleaned
}

/** In formats with dates, texts can have times that are days before or after the meeting. */
function refuseDistantTimes(segments: readonly FoundSegment[]): void {
  const distant = segments.find(
    ({ startMs }) => startMs !== null && (startMs < -DAY_MS || startMs > MAX_MEETING_MS),
  )
  if (distant === undefined) return
  failAt(distant.line, 'A text has a time long before the start of the meeting, or a week after it')
}

function cleanSpeaker(name: string): string {
  const [, number] = NUMBERED_SPEAKER.exec(name) ?? []
  if (number !== undefined) return `Speaker ${Number(number) + 1}`
  return cleanParticipantName(name) || UNKNOWN_SPEAKER
}

function findEnd(
  last: { text: string; startMs: number; endMs: number | null } | undefined,
): number {
  if (last === undefined) return 0
  return Math.max(last.endMs ?? 0, last.startMs + estimateSpeechMs(last.text))
}

function toTitle(title: string | null): string | null {
  const clean = cleanText((title ?? '').slice(0, 2_000))
  return clean === '' ? null : Array.from(clean).slice(0, MAX_TITLE_CHARS).join('').trim()
}

/** The people who spoke, in order, and then the other people that the file lists. */
function listParticipants(
  segments: ReadonlyArray<{ speaker: string }>,
  listed: readonly string[],
): string[] {
  const names = [...segments.map(({ speaker }) => speaker), ...listed.map(cleanSpeaker)]
  const known = new Set(names.filter((name) => name !== UNKNOWN_SPEAKER))
  return [...known].slice(0, MAX_PARTICIPANTS)
}

function placeGaps(
  { gaps }: FoundTranscript,
  segments: ReadonlyArray<{ startMs: number }>,
): ImportedGap[] {
  return gaps
    .slice(0, MAX_GAPS)
    .toSorted((a, b) => a.startMs - b.startMs)
    .map((gap) => ({
      ...gap,
      afterSegment: segments.filter(({ startMs }) => startMs < gap.startMs).length,
    }))
}

/** The start in a file name as Zoom, Google Meet and Hansard write it; null if it has none. */
export function findStartInFileName(fileName: string, timeZone: string): Date | null {
  return findStart({ startedAt: null }, [readFileName(fileName)], timeZone).at
}

function findStart(
  found: Pick<FoundTranscript, 'startedAt'>,
  names: ReadonlyArray<FileNameFacts | null>,
  timeZone: string,
): { at: Date | null; warnings: ImportWarning[] } {
  const inName = names.map((name) => name?.startedAt ?? null).find((at) => at !== null) ?? null
  // A file with only the date often has the time in its name.
  const isOnlyDate = found.startedAt !== null && 'date' in found.startedAt && !found.startedAt.time
  const start = isOnlyDate ? (inName ?? found.startedAt) : (found.startedAt ?? inName)
  if (start === null) return { at: null, warnings: [] }
  const at = start instanceof Date ? start : toInstant(start, timeZone)
  if (at === null || at.getTime() < EARLIEST_START_MS) return { at: null, warnings: [] }
  const message = describeAssumption(start, timeZone)
  return { at, warnings: message === null ? [] : [{ path: 'startedAt', message }] }
}

/** Describes what the start in the file leaves open; null if it is complete. */
function describeAssumption(start: Date | LocalStart, timeZone: string): string | null {
  if (start instanceof Date) return null
  if (start.time === null) {
    return `The file has only the date, ${start.date}: noon was assumed`
  }
  if (start.zone === undefined) return null
  return `${start.zone} is not one time zone: ${timeZone} was assumed`
}

function listWarnings({ segments, gapNotes, notes }: FoundTranscript): ImportWarning[] {
  const warnings: ImportWarning[] = notes.map((message) => ({ path: 'content', message }))
  if (segments.every(({ startMs }) => startMs === null)) {
    const message = 'The file has no times: they were estimated from the length of the texts'
    warnings.push({ path: 'content', message })
  }
  if (gapNotes > 0) {
    const message = `Notes about times that were not recorded were left out: ${gapNotes}`
    warnings.push({ path: 'content', message })
  }
  return warnings
}

/** Converts a local date and time in a time zone to an instant. Null for a date that does not exist. */
function toInstant({ date, time }: LocalStart, timeZone: string): Date | null {
  const asUtc = Date.parse(`${date}T${time ?? ASSUMED_TIME}Z`)
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 10) !== date) return null
  const { offsetAt } = getZoneOffsets(timeZone)
  // The second step makes it right after a clock change too.
  const guess = asUtc - offsetAt(asUtc)
  return new Date(asUtc - offsetAt(guess))
}

/**
 * Gives a start to every text without one: when the previous text has been said. Several such texts before a known
 * start share the time until then.
 */
function fillMissingStarts<Text extends TimedText>(
  texts: readonly Text[],
): Array<Text & { startMs: number }> {
  const starts = texts.map(({ startMs }) => startMs)
  for (let i = 0; i < texts.length;) {
    if (starts[i] !== null && starts[i + 1] !== null) {
      i += 1
      continue
    }
    // From the last text with a start, or from the start of the meeting, to the next text with one.
    const hasAnchor = starts[i] !== null
    let end = i + 1
    while (end < texts.length && starts[end] === null) end += 1
    const fromMs = starts[i] ?? 0
    const untilMs = starts[end] ?? (hasAnchor ? (texts[i]?.endMs ?? null) : null)
    spread(texts, starts, { first: i, end, fromMs, untilMs })
    i = end
  }
  return texts.map((text, i) => ({ ...text, startMs: starts[i] ?? 0 }))
}

function spread(
  texts: readonly TimedText[],
  starts: Array<number | null>,
  range: { first: number; end: number; fromMs: number; untilMs: number | null },
): void {
  const { first, end, fromMs, untilMs } = range
  const durations = texts.slice(first, end).map(({ text }) => estimateSpeechMs(text))
  const neededMs = durations.reduce((sum, ms) => sum + ms, 0)
  const availableMs = untilMs === null ? neededMs : Math.max(0, untilMs - fromMs)
  const factor = neededMs > availableMs ? availableMs / neededMs : 1
  let atMs = fromMs
  for (const [i, ms] of durations.entries()) {
    starts[first + i] ??= Math.round(atMs)
    atMs += ms * factor
  }
}
