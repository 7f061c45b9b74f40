import { decodeEntities } from '../../../../lib/text/entities.ts'
import type { ProblemList } from '../found-transcript.ts'
import { parseClockTime, shorten, type TextLine, type TextBlocks } from '../text-lines.ts'

/** A subtitle of a WebVTT or SubRip file. */
export type FoundCue = { line: number; startMs: number; endMs: number; text: string }

/** A later cue of another speaker may start up to this much earlier. More means that the file is wrong. */
const MAX_STEP_BACK_MS = 120_000

const TIMES = /^\s*(\S+)\s+-->\s+(\S+)(?:\s.*)?$/
/** A line that was meant to have the times of a cue, but has a wrong arrow or other words. */
const LIKE_TIMES = /-->|^\s*\d+:\d[\d:.,]*\s*[-–—=]*>/
/** A line that certainly contains times, even in the middle of a text. */
const SURE_TIMES = /^\s*\d+:\d[\d:.,]*\s*-->\s*\d/
/** The line above a cue's times: its number, or the identifier that Teams writes. */
const CUE_NUMBER = /^(?:\d+|[\da-f-]{8,64}\/\d+-\d+)$/i

/** WebVTT tags, and the few HTML tags of SubRip files. Other text between < and > was said, and stays. */
const TAG = /<\/?(?:c|i|b|u|s|em|strong|ruby|rt|lang|font)(?:[.\s][^<>]*)?>|<\/v>|<\d[\d:.]*>/giu
/** Codes that Aegisub and players add to SubRip, such as `{\an8}` and `{\c&HFFF000&}`. */
const OVERRIDE = /\{\\[^{}\n]{0,200}\}/gu
const VOICE_START = /<v(?:\.[^\s<>]*)?[ \t\n]+([^<>]{0,400})>/giu

type SpokenText = { speaker: string; text: string }

/** Splits blocks whose cues have no empty line between them: times always begin a cue. */
export function splitAtTimes(blocks: TextBlocks): TextLine[][] {
  return blocks.flatMap((block) => {
    const parts: TextLine[][] = [[]]
    for (const line of block) {
      const part = parts.at(-1) ?? []
      const isFirst = part.length === 0 || (part.length === 1 && !isNoIdentifier(part[0]))
      if (isFirst || !SURE_TIMES.test(line.text)) {
        part.push(line)
        continue
      }
      const above = part.at(-1)
      const number = above !== undefined && CUE_NUMBER.test(above.text.trim()) ? part.pop() : null
      parts.push(number ? [number, line] : [line])
    }
    return parts
  })
}

/** Reads cues from blocks of lines. A block without times continues the text of the previous cue. */
export function readCues(blocks: TextBlocks, problems: ProblemList): FoundCue[] {
  const cues: FoundCue[] = []
  let latestMs = 0
  for (const block of blocks) {
    const at = block.slice(0, 2).findIndex(({ text }) => LIKE_TIMES.test(text))
    const timesLine = block[at]
    if (timesLine === undefined) {
      addWithoutTimes(block, cues.at(-1), problems)
      continue
    }
    const times = parseCueTimes(timesLine, problems)
    if (times === null) continue
    if (times.startMs < latestMs - MAX_STEP_BACK_MS) {
      const minutes = Math.round((latestMs - times.startMs) / 60_000)
      const back = `The cue starts ${minutes} minutes before a cue above it`
      problems.add(timesLine.line, `${back}. Import two transcripts as two files`)
    }
    latestMs = Math.max(latestMs, times.startMs)
    const text = block.slice(at + 1).map((line) => line.text)
    cues.push({ line: timesLine.line, ...times, text: text.join('\n') })
  }
  return cues
}

/** A single line above times is the identifier of a cue, unless it contains times itself or is a comment. */
function isNoIdentifier(line: TextLine | undefined): boolean {
  return line === undefined || SURE_TIMES.test(line.text) || /^NOTE(?:\s|$)/.test(line.text)
}

function addWithoutTimes(
  block: readonly TextLine[],
  cue: FoundCue | undefined,
  problems: ProblemList,
): void {
  const [first] = block
  if (first === undefined) return
  if (cue === undefined || /^\d+$/.test(first.text.trim())) {
    const example = '00:00:01.000 --> 00:00:04.000'
    problems.add(first.line, `“${shorten(first.text)}” is followed by no times such as ${example}`)
    return
  }
  cue.text = [cue.text, ...block.map(({ text }) => text)].join('\n')
}

function parseCueTimes(
  { line, text }: TextLine,
  problems: ProblemList,
): { startMs: number; endMs: number } | null {
  const [, start, end] = TIMES.exec(text) ?? []
  if (start === undefined || end === undefined) {
    problems.add(line, `“${shorten(text)}” is not of the form 00:00:01.000 --> 00:00:04.000`)
    return null
  }
  const [from, to] = [parseClockTime(start), parseClockTime(end)]
  for (const time of [from, to]) {
    if (!('problem' in time)) continue
    problems.add(line, time.problem)
    return null
  }
  if (!('ms' in from) || !('ms' in to)) return null
  if (to.ms >= from.ms) return { startMs: from.ms, endMs: to.ms }
  problems.add(line, `The cue ends (${end}) before it starts (${start})`)
  return null
}

export function hasVoice(text: string): boolean {
  return text.search(VOICE_START) !== -1
}

/** Splits the text of a cue by speaker: `<v Ada>Hello</v> <v Ben>Hi`. Text outside a voice has no speaker. */
export function splitVoices(given: string): SpokenText[] {
  // Tags inside a name are removed too, because they would end the name.
  const text = removeCueTags(given)
  const starts = [...text.matchAll(VOICE_START)]
  const before = text.slice(0, starts[0]?.index ?? text.length)
  const spoken = starts.map((match, i) => ({
    speaker: decodeEntities(match[1] ?? ''),
    text: plainCueText(text.slice(match.index + match[0].length, starts[i + 1]?.index)),
  }))
  return [{ speaker: '', text: plainCueText(before) }, ...spoken].filter((part) => part.text !== '')
}

/** The text of a cue, without tags and with entities decoded. */
export function plainCueText(text: string): string {
  return decodeEntities(removeCueTags(text))
}

/** Removes tags only, because SubRip has no entities. */
export function removeCueTags(text: string): string {
  return text.replaceAll(TAG, '').replaceAll(OVERRIDE, '').trim()
}
