import { parseClockTime, type TextBlocks } from '../text-lines.ts'
import {
  findSpeakers,
  looksLikeName,
  removeHeadingMarks,
  splitSpeakerPrefix,
  type PossibleTurn,
} from './line-starts.ts'

const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?`
/** `[00:01:23] text`, `(01:23) text`, `00:01:23 - text`, `00:01:23 text` or, from Fathom, `@1:23 - text`. */
const TIME_FIRST = new RegExp(
  `^@?(?:\\[(${CLOCK})\\]|\\((${CLOCK})\\)|(${CLOCK})(?=\\s|$))\\s*[-–—:]?\\s*(.*)$`,
  'su',
)
/** `Ada (00:01:23): text` or `Ada [01:23]: text`. */
const TIME_AFTER_NAME = new RegExp(`^(\\S[^:]{0,198}?)\\s*[[(](${CLOCK})[\\])]\\s*:\\s*(.*)$`, 'su')
/** `Ada: [00:01:23] text`. */
const TIME_AFTER_COLON = new RegExp(`^(\\S[^:]{0,198}):\\s+[[(](${CLOCK})[\\])]\\s*(.*)$`, 'su')
/** `Ada: 0:15` on the line above the text. */
const TIME_ABOVE_TEXT = new RegExp(`^(\\S[^:]{0,198}):\\s+(${CLOCK})$`, 'su')

type TimeForm = 'after name' | 'after colon' | 'above text' | 'in brackets' | 'bare' | 'alone'
type TimedLine = { form: TimeForm; clock: string; name: string | null; rest: string }

/** A line, and what is written in front of its text. */
export type TextTurn = { clock: string | null; speaker: string | null; text: string }
type TurnReader = (line: string, isFirstOfBlock: boolean) => TextTurn

/** This many rising times in brackets or after names are not a coincidence, however long the texts between them are. */
const MIN_RISING_TIMES = 3

/** Finds out how the lines of this text give times and speakers. */
export function createTurnReader(blocks: TextBlocks): TurnReader {
  const forms = findTimeForms(blocks)
  const readTime = (line: string): TimedLine | null => {
    const timed = readTimedLine(line)
    return timed !== null && forms.has(timed.form) ? timed : null
  }
  const isSpeaker = createSpeakerCheck(blocks, readTime)
  const headerNames = findHeaderNames(blocks, readTime)
  return (raw, isFirstOfBlock) => {
    const line = joinSpaces(raw)
    const timed = readTime(line)
    const clock = timed?.clock ?? null
    if (timed !== null && timed.name !== null) {
      return isSpeaker(timed.name, true)
        ? { clock, speaker: timed.name, text: timed.rest }
        : { clock: null, speaker: null, text: line }
    }
    const text = timed?.rest ?? line
    const header = removeHeadingMarks(text)
    if (timed !== null && headerNames.has(header)) return { clock, speaker: header, text: '' }
    const prefix = splitSpeakerPrefix(text)
    const isStart = timed !== null || isFirstOfBlock
    return prefix !== null && isSpeaker(prefix.speaker, isStart)
      ? { clock, ...prefix }
      : { clock, speaker: null, text }
  }
}

/** Names that are alone after a time, above the text, as in `0:15 - Ada`. Two people must take turns. */
function findHeaderNames(
  blocks: TextBlocks,
  readTime: (line: string) => TimedLine | null,
): ReadonlySet<string> {
  let timedCount = 0
  const turns = blocks.flatMap((lines, block) => {
    const timed = lines.map(({ text }) => readTime(joinSpaces(text)))
    timedCount += timed.filter((one) => one !== null).length
    return timed.flatMap((one, at): PossibleTurn[] => {
      const below = lines[at + 1]
      if (one === null || one.name !== null || below === undefined || timed[at + 1] !== null)
        return []
      const speaker = removeHeadingMarks(one.rest)
      const isName = looksLikeName(speaker) && splitSpeakerPrefix(speaker) === null
      return isName ? [{ speaker, text: below.text, block }] : []
    })
  })
  return turns.length * 2 > timedCount ? findSpeakers(turns, false) : new Set()
}

/** Long runs of spaces would take long to compare. */
function joinSpaces(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim()
}

function readTimedLine(line: string): TimedLine | null {
  const [, name, after, said = ''] = TIME_AFTER_NAME.exec(line) ?? []
  if (name !== undefined && after !== undefined && looksLikeName(name)) {
    return { form: 'after name', clock: after, name, rest: said }
  }
  const [, before, inside, spoken = ''] = TIME_AFTER_COLON.exec(line) ?? []
  if (before !== undefined && inside !== undefined && looksLikeName(before)) {
    return { form: 'after colon', clock: inside, name: before, rest: spoken }
  }
  const [, speaker, above] = TIME_ABOVE_TEXT.exec(line) ?? []
  if (speaker !== undefined && above !== undefined && looksLikeName(speaker)) {
    return { form: 'above text', clock: above, name: speaker, rest: '' }
  }
  const [, inBrackets, inParentheses, bare, rest = ''] = TIME_FIRST.exec(line) ?? []
  const clock = inBrackets ?? inParentheses ?? bare
  if (clock === undefined) return null
  if (rest === '') return { form: 'alone', clock, name: null, rest }
  return { form: bare === undefined ? 'in brackets' : 'bare', clock, name: null, rest }
}

/**
 * A sentence can begin with a time of day. So times are used only if many lines or paragraphs begin with one in the
 * same form; without brackets they must also never go back.
 */
function findTimeForms(blocks: TextBlocks): Set<TimeForm> {
  const found = new Map<TimeForm, { clocks: string[]; blockStarts: number }>()
  let lineCount = 0
  for (const block of blocks) {
    lineCount += block.length
    for (const [at, { text }] of block.entries()) {
      const timed = readTimedLine(joinSpaces(text))
      if (timed === null) continue
      const form = found.get(timed.form) ?? { clocks: [], blockStarts: 0 }
      form.clocks.push(timed.clock)
      if (at === 0) form.blockStarts += 1
      found.set(timed.form, form)
    }
  }
  const accepted = [...found].filter(([form, { clocks, blockStarts }]) => {
    const isFrequent = blockStarts * 2 >= blocks.length || clocks.length * 4 >= lineCount
    const isRising = areRising(clocks)
    const isNoAccident = isRising && clocks.length >= MIN_RISING_TIMES
    if (form === 'in brackets' || form === 'after name') return isFrequent || isNoAccident
    const hasName = form === 'after colon' || form === 'above text'
    return isRising && (isFrequent || (hasName && isNoAccident))
  })
  return new Set(accepted.map(([form]) => form))
}

function areRising(clocks: readonly string[]): boolean {
  const times = clocks.map(parseClockTime)
  let latestMs = 0
  return times.every((time) => {
    // A text that is not a time is reported later, with its line.
    if ('problem' in time) return true
    const isLater = time.ms >= latestMs
    latestMs = time.ms
    return isLater
  })
}

/** Because sentences can contain a colon, a prefix is a speaker only if it behaves like one in the whole text. */
function createSpeakerCheck(
  blocks: TextBlocks,
  readTime: (line: string) => TimedLine | null,
): (name: string, isStart: boolean) => boolean {
  const turns: PossibleTurn[] = []
  let [lineCount, startCount, namedStarts] = [0, 0, 0]
  for (const [block, lines] of blocks.entries()) {
    for (const [at, { text }] of lines.entries()) {
      const line = joinSpaces(text)
      const timed = readTime(line)
      if (timed?.form === 'alone') continue
      const rest = timed?.rest ?? line
      const turn =
        timed !== null && timed.name !== null
          ? { speaker: timed.name, text: rest }
          : splitSpeakerPrefix(rest)
      const isStart = at === 0 || timed !== null
      lineCount += 1
      if (isStart) startCount += 1
      if (turn === null || !looksLikeName(turn.speaker)) continue
      turns.push({ ...turn, block })
      if (isStart) namedStarts += 1
    }
  }
  const areMostLinesNamed = turns.length * 2 >= lineCount
  const areMostStartsNamed = namedStarts * 2 > startCount
  const speakers = findSpeakers(turns, areMostLinesNamed || areMostStartsNamed)
  const repeated = areMostLinesNamed ? speakers : findSpeakers(turns, false)
  return (name, isStart) => (isStart ? speakers : repeated).has(name)
}
