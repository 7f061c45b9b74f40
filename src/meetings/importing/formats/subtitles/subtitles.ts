import { hasVoice, plainCueText, removeCueTags, splitVoices } from './cue-text.ts'
import { readCues, splitAtTimes, type FoundCue } from './cues.ts'
import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
} from '../found-transcript.ts'
import { isGapNote } from '../gap-notes.ts'
import { removeRolledUpLines } from './roll-up.ts'
import { createPrefixReader, removeDash, splitSpeakerPrefix } from '../text/speaker-prefix.ts'
import { splitBlocks, splitLines, type TextLine } from '../text-lines.ts'

/** The blocks of a WebVTT file that hold no cue. Some programs write the first line twice. */
const NOT_A_CUE = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:\s|$)|^Region:/
const SRT_START = /^\s*(?:\d+[ \t]*\r?\n\s*)?\d+:\d\d(?::\d\d)?(?:[.,]\d+)?[ \t]*-->/

const SBV_START = /^\s*\d+:\d\d:\d\d\.\d{3},\d+:\d\d:\d\d\.\d{3}[ \t]*\n/
const SBV_TIMES = /^\s*(\d+:\d\d:\d\d\.\d{3}),(\d+:\d\d:\d\d\.\d{3})$/

export function isVtt(text: string): boolean {
  return /^\s*WEBVTT(?:[ \t\r\n]|$)/.test(text)
}

/** Teams closes every voice; other products do not. */
export function isTeamsVtt(text: string): boolean {
  return isVtt(text) && /<v(?:\.[^\s<>]*)?\s[^<>]{0,400}>[^<]*<\/v>/.test(text)
}

/** Zoom writes the speaker in front of the text, and uses no voices. */
export function isZoomVtt(text: string): boolean {
  if (!isVtt(text)) return false
  // Whole cues are not needed to see the form, and the rest of a long file takes time.
  const start = text.slice(0, 20_000)
  if (hasVoice(start)) return false
  const lines = start.split(/\r?\n/).filter((line) => line.trim() !== '')
  const spoken = lines.filter((line, i) => lines[i - 1]?.includes('-->') && !isGapNote(line))
  return createPrefixReader(spoken) !== null
}

export function isSrt(text: string): boolean {
  return SRT_START.test(text)
}

/** SubViewer, as YouTube writes it: `0:00:01.500,0:00:03.000` above each text. */
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
  // What follows the first line up to an empty line is a header, unless the empty line was forgotten.
  const isHeader = header.every((line) => !line.text.includes('-->'))
  const cueBlocks = isHeader ? blocks : [header.slice(1), ...blocks]
  const spokenBlocks = splitAtTimes(withoutStyles(cueBlocks)).filter(
    ([first]) => !NOT_A_CUE.test(first?.text ?? ''),
  )
  return readSubtitles(spokenBlocks, plainCueText)
}

/** Styles stand above the first cue, and may have empty lines in them. */
function withoutStyles(blocks: ReadonlyArray<readonly TextLine[]>) {
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

function readSubtitles(
  blocks: ReadonlyArray<readonly TextLine[]>,
  toPlainText: (text: string) => string,
): FoundTranscript {
  return toTranscript(readCues(blocks, createProblemList()), toPlainText)
}

/** Makes a transcript of cues. Names in front of the texts become speakers, if the cues have no voices. */
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

/** A cue can hold the texts of two speakers, one in each line. */
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
