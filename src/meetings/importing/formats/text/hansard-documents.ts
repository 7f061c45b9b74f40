import { findFrontMatter } from '../../../../projects/front-matter.ts'
import { MARKDOWN_HEADING, parseMarkdownTurn } from '../../../transcript/markdown-format.ts'
import { unescapeInlineMarkdown } from '../../../transcript/markdown-text.ts'
import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
  isGapNote,
} from '../found-transcript.ts'
import { durationBetween, readInstant, readTexts } from '../json/json-fields.ts'
import { parseClockTime, splitLines } from '../text-lines.ts'
import { splitSpeakerPrefix } from './line-starts.ts'

const TITLE = /^# (.*)$/
const TIMED_LINE = /^\[(\d{2,}:\d{2}:\d{2})\] (.*)$/su
const HEADER_FIELD = /^(Platform|Started|Ended|Participants): (.*)$/

/** True for a saved transcript document, and for a transcript downloaded as markdown, which begins with its title. */
export function isHansardMarkdown(text: string): boolean {
  const start = text.slice(0, 20_000).split(/\r?\n/)
  const title = start.findIndex((line) => TITLE.test(line))
  if (title === -1) return false
  if (findFrontMatter(text) !== null) return start.some((line) => parseMarkdownTurn(line) !== null)
  const first = start.slice(title + 1).find((line) => line.trim() !== '' && !isGapNote(line))
  return first !== undefined && parseMarkdownTurn(first) !== null
}

export function parseHansardMarkdown(text: string): FoundTranscript {
  const header = findFrontMatter(text)
  const headerLines = text.slice(0, header?.bodyStart ?? 0).split('\n').length - 1
  const problems = createProblemList()
  const found = { ...NOTHING_FOUND, ...readFrontMatter(header?.fields ?? {}) }
  const segments: FoundSegment[] = []
  /** The speaker of the lines that follow; null outside the transcript. */
  let speaker: string | null = null
  let gapNotes = 0
  for (const { line, text: raw } of splitLines(text).slice(headerLines)) {
    const turn = parseMarkdownTurn(raw)
    if (turn !== null) {
      speaker = turn.speaker
      const time = parseClockTime(turn.time)
      if ('problem' in time) problems.add(line, time.problem)
      else segments.push({ line, speaker, text: turn.text, startMs: time.ms, endMs: null })
    } else if (MARKDOWN_HEADING.test(raw)) {
      found.title ??= unescapeInlineMarkdown(TITLE.exec(raw)?.[1] ?? '') || null
      speaker = null
    } else if (isGapNote(raw)) gapNotes += 1
    else if (speaker !== null && raw !== '')
      segments.push({
        line,
        speaker,
        text: unescapeInlineMarkdown(raw),
        startMs: null,
        endMs: null,
      })
  }
  problems.throwIfAny()
  return { ...found, segments: segments.filter((one) => one.text !== ''), gapNotes }
}

function readFrontMatter(fields: Record<string, unknown>): Partial<FoundTranscript> {
  const { title, participants } = fields
  const startedAt = readInstant(fields['startedAt'])
  return {
    title: typeof title === 'string' ? title : null,
    startedAt,
    durationMs: durationBetween(startedAt, readInstant(fields['endedAt'])),
    participants: readTexts(participants),
  }
}

/** True for a transcript that was downloaded as plain text. */
export function isHansardText(text: string): boolean {
  const head = text.slice(0, 5_000).split(/\r?\n/).slice(1, 6)
  return (
    head.some((line) => line.startsWith('Platform: ')) &&
    head.some((line) => /^Started: \d{4}-/.test(line))
  )
}

export function parseHansardText(text: string): FoundTranscript {
  const problems = createProblemList()
  const fields = new Map<string, string>()
  const segments: FoundSegment[] = []
  let gapNotes = 0
  const [title, ...lines] = splitLines(text)
  for (const { line, text: raw } of lines) {
    const [, clock, spoken] = TIMED_LINE.exec(raw) ?? []
    const [, name, value] = HEADER_FIELD.exec(raw) ?? []
    if (raw === 'Insights') break
    if (clock !== undefined && spoken !== undefined) {
      const time = parseClockTime(clock)
      const turn = splitSpeakerPrefix(spoken)
      if (isGapNote(spoken)) gapNotes += 1
      else if ('problem' in time) problems.add(line, time.problem)
      else if (turn === null)
        problems.add(line, 'The text has no speaker: expected [00:01:23] Name: text')
      else segments.push({ line, ...turn, startMs: time.ms, endMs: null })
    } else if (name !== undefined && value !== undefined && segments.length === 0)
      fields.set(name, value)
    else if (raw !== '') problems.add(line, 'Expected a line such as [00:01:23] Name: text')
  }
  problems.throwIfAny()
  const startedAt = readInstant(fields.get('Started'))
  return {
    ...NOTHING_FOUND,
    title: title?.text ?? null,
    startedAt,
    durationMs: durationBetween(startedAt, readInstant(fields.get('Ended'))),
    participants: (fields.get('Participants') ?? '').split(', ').filter(Boolean),
    segments,
    gapNotes,
  }
}
