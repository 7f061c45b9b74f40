import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
  isGapNote,
  collectProblems,
} from '../found-transcript.ts'
import { splitBlocks, splitLines, type TextLine, shorten, type TextBlocks } from '../text-lines.ts'
import { createPrefixReader, removeDash, splitSpeakerPrefix } from '../text/line-starts.ts'
import {
  hasVoice,
  plainCueText,
  removeCueTags,
  splitVoices,
  readCues,
  splitAtTimes,
  type FoundCue,
} from './cues.ts'

/** The start of WebVTT blocks that are not cues. Some programs write the first line twice. */
const NOT_A_CUE = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:\s|$)|^Region:/
const SRT_START = /^\s*(?:\d+[ \t]*\r?\n\s*)?\d+:\d\d(?::\d\d)?(?:[.,]\d+)?[ \t]*-->/

const SBV_START = /^\s*\d+:\d\d:\d\d\.\d{3},\d+:\d\d:\d\d\.\d{3}[ \t]*\n/
const SBV_TIMES = /^\s*(\d+:\d\d:\d\d\.\d{3}),(\d+:\d\d:\d\d\.\d{3})$/

/** Fewer repeats can be two people who say the same thing. */
const MIN_REPEATS = 3
/** Rolling captions have at most four rows. */
const MAX_ROWS = 4

const HEADER = /^\s*start\tend\t(?:speaker\t)?text[ \t]*(?:\n|$)/i
const MAX_MS = 7 * 24 * 3_600_000

export function isVtt(text: string): boolean {
  return /^\s*WEBVTT(?:[ \t\r\n]|$)/.test(text)
}

/** Recognizes Teams: unlike other products, it closes every voice. */
export function isTeamsVtt(text: string): boolean {
  return isVtt(text) && /<v(?:\.[^\s<>]*)?\s[^<>]{0,400}>[^<]*<\/v>/.test(text)
}

/** Recognizes Zoom: it writes the speaker in front of the text and uses no voices. */
export function isZoomVtt(text: string): boolean {
  if (!isVtt(text)) return false
  // The start is enough to recognize the form, and the rest of a long file takes time.
  const start = text.slice(0, 20_000)
  if (hasVoice(start)) return false
  const lines = start.split(/\r?\n/).filter((line) => line.trim() !== '')
  const spoken = lines.filter((line, i) => lines[i - 1]?.includes('-->') && !isGapNote(line))
  return createPrefixReader(spoken) !== null
}

export function isSrt(text: string): boolean {
  return SRT_START.test(text)
}

/** SubViewer as YouTube writes it, with `0:00:01.500,0:00:03.000` above each text. */
export function isSbv(text: string): boolean {
  return SBV_START.test(text)
}

export function parseSbv(text: string): FoundTranscript {
  const lines = splitLines(text).map(({ line, text: raw }) => ({
    line,
    text: raw.replace(SBV_TIMES, '$1 --> $2').replaceAll('[br]', ' '),
  }))
  return readSubtitles(splitAtTimes(splitBlocks(lines)), removeCueTags)
}

export function parseVtt(text: string): FoundTranscript {
  const [header = [], ...blocks] = splitBlocks(splitLines(text))
  // The text up to the first empty line is a header, unless someone forgot the empty line.
  const isHeader = header.every((line) => !line.text.includes('-->'))
  const cueBlocks = isHeader ? blocks : [header.slice(1), ...blocks]
  const spokenBlocks = splitAtTimes(withoutStyles(cueBlocks)).filter(
    ([first]) => !NOT_A_CUE.test(first?.text ?? ''),
  )
  return readSubtitles(spokenBlocks, plainCueText)
}

/** Removes styles. They come before the first cue, and may contain empty lines. */
function withoutStyles(blocks: TextBlocks) {
  const hasTimes = (block: readonly TextLine[]) => block.some(({ text }) => text.includes('-->'))
  const first = Math.max(0, blocks.findIndex(hasTimes))
  const lastStyle = blocks
    .slice(0, first)
    .findLastIndex((block) => block.at(-1)?.text.endsWith('}'))
  return blocks.slice(lastStyle + 1)
}

export function parseSrt(text: string): FoundTranscript {
  return readSubtitles(splitAtTimes(splitBlocks(splitLines(text))), removeCueTags)
}

function readSubtitles(blocks: TextBlocks, toPlainText: (text: string) => string): FoundTranscript {
  return toTranscript(
    collectProblems((problems) => readCues(blocks, problems)),
    toPlainText,
  )
}

/** Builds a transcript from cues. If the cues have no voices, names in front of the texts become speakers. */
export function toTranscript(
  cues: readonly FoundCue[],
  toPlainText: (text: string) => string,
): FoundTranscript {
  const spoken = cues.filter(({ text }) => !isGapNote(toPlainText(text)))
  const found = {
    ...NOTHING_FOUND,
    gapNotes: cues.length - spoken.length,
    durationMs: cues.reduce((latest, { endMs }) => Math.max(latest, endMs), 0),
  }
  // SubRip has no voices.
  if (toPlainText === plainCueText && spoken.some(({ text }) => hasVoice(text))) {
    const segments = spoken.flatMap(({ text, ...cue }) =>
      splitVoices(text).map((part) => ({ ...cue, ...part })),
    )
    return { ...found, segments }
  }
  const plain = spoken.map(({ text, ...cue }) => ({ ...cue, text: toPlainText(text) }))
  const { cues: once, repeats } = removeRolledUpLines(plain)
  const note = `Lines that these rolling captions show again were left out: ${repeats}`
  return { ...found, segments: toSegments(once), notes: repeats === 0 ? [] : [note] }
}

function toSegments(cues: readonly FoundCue[]): FoundSegment[] {
  const filled = cues.flatMap(({ text, ...cue }) =>
    text === '' ? [] : [{ ...cue, text: removeDash(text) }],
  )
  const reader = createPrefixReader(filled.map(({ text }) => text))
  if (reader === null) return filled.map((cue) => ({ speaker: '', ...cue }))
  const names = new Set(filled.map(({ text }) => reader.read(text).speaker))
  let speaker = ''
  return filled.flatMap(({ text, ...cue }) =>
    splitSpeakers(text, names).map((part, i) => {
      const spoken = reader.read(part)
      speaker = spoken.speaker === '' && reader.isOnlyAtChanges ? speaker : spoken.speaker
      return { ...cue, text: spoken.text, speaker, ...(i > 0 && { startMs: null }) }
    }),
  )
}

/** Splits a cue that contains the texts of two speakers, one in each line. */
function splitSpeakers(text: string, names: ReadonlySet<string>): string[] {
  const parts: string[] = []
  for (const raw of text.split('\n')) {
    const line = removeDash(raw)
    const name = splitSpeakerPrefix(line)?.speaker
    const isNew = parts.length === 0 || (name !== undefined && names.has(name))
    if (isNew) parts.push(line)
    else parts[parts.length - 1] = `${parts.at(-1)}\n${raw}`
  }
  return parts
}

/**
 * Roll-up captions, such as YouTube's, show each line again above the next one. Returns the cues with each line once,
 * or the same cues if the file has no such captions.
 */
function removeRolledUpLines(cues: readonly FoundCue[]): {
  cues: readonly FoundCue[]
  repeats: number
} {
  const lines = cues.map(({ text }) => text.split('\n').flatMap((line) => line.trim() || []))
  const repeats = lines.map((shown, i) => countRepeated(lines[i - 1] ?? [], shown))
  const count = repeats.filter((repeated) => repeated > 0).length
  // A repeat with a new line below it is a rolling caption, and not a text that was said twice.
  const isRolling = repeats.some(
    (repeated, i) => repeated > 0 && repeated < (lines[i]?.length ?? 0),
  )
  if (!isRolling || count < MIN_REPEATS || count * 2 < cues.length - 1) return { cues, repeats: 0 }
  return {
    cues: cues.map((cue, i) => ({ ...cue, text: (lines[i] ?? []).slice(repeats[i]).join('\n') })),
    repeats: count,
  }
}

/** Counts how many lines at the end of a cue are repeated at the start of the next one. */
function countRepeated(before: readonly string[], shown: readonly string[]): number {
  for (let count = Math.min(before.length, shown.length, MAX_ROWS); count > 0; count -= 1) {
    if (before.slice(-count).every((line, i) => line === shown[i])) return count
  }
  return 0
}

/** Recognizes Whisper's table: start and end in milliseconds and the text, separated by tabs. */
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
