import { findFrontMatter } from '../../projects/front-matter.ts'
import {
  escapeInlineMarkdown,
  escapeMarkdownLine,
  unescapeInlineMarkdown,
} from './markdown-text.ts'
import {
  formatMeetingOffset,
  listDisplayInsights,
  calculateSegmentOffsetMs,
  formatDisplaySpeaker,
  formatDisplayTitle,
  formatGap,
  isGap,
  type DisplayInsight,
  type TranscriptChatMessage,
  type TranscriptContent,
  WORDS_MISSING,
  type TranscriptEntry,
  type TranscriptSegment,
  insertGapsBetweenSegments,
} from './source.ts'

type TranscriptTurn = {
  speaker: string
  /** `HH:MM:SS` since the start of the meeting. */
  time: string
  text: string
}

const TURN = /^\*\*((?:[^*\\]|\\.|(?<= )\*(?= ))+)\*\* (\d{2,}:\d{2}:\d{2})(?: (.*))?$/u
export const MARKDOWN_HEADING = /^#{1,6} /
/** The line of a gap. A segment cannot start with an unescaped asterisk. */
const GAP = /^\*\d[^*]* not recorded: [^*]+\*$/

export function formatMarkdownTitle(title: string): string {
  // Markdown drops an unescaped `#` at the end of a heading.
  return `# ${escapeInlineMarkdown(formatDisplayTitle(title)).replace(/(?<!\\)#$/, '\\#')}\n`
}

/**
 * The text that a segment or gap adds to a document: a new paragraph for a gap, after a gap and if the speaker changed,
 * else a line. It depends only on the previous entry, so appending entry by entry gives the same bytes as writing the
 * whole document.
 */
export function formatMarkdownEntry(
  entry: TranscriptEntry,
  before: TranscriptEntry | null,
  startedAt: Date,
): string {
  if (isGap(entry)) return `\n*${formatGap(entry)}*\n`
  const speaker = formatDisplaySpeaker(entry)
  if (before !== null && !isGap(before) && formatDisplaySpeaker(before) === speaker) {
    const line = escapeMarkdownLine(entry.text)
    return line === '' ? '' : `${formatMissingWords(entry)}${line}\n`
  }
  const text = escapeInlineMarkdown(entry.text)
  const start = `**${escapeInlineMarkdown(speaker)}** ${formatMeetingOffset(calculateSegmentOffsetMs(entry, startedAt))}`
  return text === '' ? `\n${start}\n` : `\n${start} ${formatMissingWords(entry)}${text}\n`
}

function formatMissingWords({ isIncomplete }: TranscriptSegment): string {
  return isIncomplete ? `*(${WORDS_MISSING})* ` : ''
}

export function* formatMarkdownEntries(
  entries: Iterable<TranscriptEntry>,
  startedAt: Date,
  last: TranscriptEntry | null = null,
): Generator<string> {
  let before = last
  for (const entry of entries) {
    yield formatMarkdownEntry(entry, before, startedAt)
    before = entry
  }
}

/** The insights section at the end of a document; empty if there are no insights. */
export function* formatMarkdownInsights(source: TranscriptContent): Generator<string> {
  if (source.insights.length > 0) yield '\n## Insights\n\n'
  for (const insight of listDisplayInsights(source)) yield insightItem(insight)
}

/** The chat section at the end of a document; empty if no messages are stored. */
export function* formatMarkdownChat(
  messages: readonly TranscriptChatMessage[],
  startedAt: Date,
): Generator<string> {
  if (messages.length > 0) yield '\n## Chat\n\n'
  for (const { author, text, at } of messages) {
    const name = escapeInlineMarkdown(formatDisplaySpeaker({ speaker: author }))
    const time = formatMeetingOffset(calculateSegmentOffsetMs({ startedAt: at }, startedAt))
    yield `- **${name}** ${time} ${escapeInlineMarkdown(text)}\n`
  }
}

export function* writeMarkdown(source: TranscriptContent): Generator<string> {
  yield formatMarkdownTitle(source.title)
  yield* formatMarkdownEntries(insertGapsBetweenSegments(source), source.startedAt)
  yield* formatMarkdownInsights(source)
}

function insightItem({ category, text, times }: DisplayInsight): string {
  const words = [`**${escapeInlineMarkdown(category)}**`, escapeInlineMarkdown(text)]
  if (times.length > 0) words.push(`(${times.join(', ')})`)
  return `- ${words.filter(Boolean).join(' ')}\n`
}

/** Reads the turns of a saved transcript document. Skips its front matter, headings, gaps and insights. */
export function parseTranscriptMarkdown(text: string): TranscriptTurn[] {
  const turns: TranscriptTurn[] = []
  let current: TranscriptTurn | null = null
  for (const line of text.slice(findFrontMatter(text)?.bodyStart ?? 0).split(/\r?\n/)) {
    const turn = parseMarkdownTurn(line)
    if (turn !== null) turns.push(turn)
    else if (current !== null && !MARKDOWN_HEADING.test(line) && !GAP.test(line))
      current.text = appendLine(current.text, line)
    current = MARKDOWN_HEADING.test(line) ? null : (turn ?? current)
  }
  return turns
}

/** Parses the start of a turn such as `**Ada** 00:01:23 text`; null for any other line. */
export function parseMarkdownTurn(line: string): TranscriptTurn | null {
  const [, speaker, time, text = ''] = TURN.exec(line) ?? []
  if (speaker === undefined || time === undefined) return null
  return { speaker: unescapeInlineMarkdown(speaker), time, text: unescapeInlineMarkdown(text) }
}

function appendLine(text: string, line: string): string {
  return [text, unescapeInlineMarkdown(line)].filter(Boolean).join(' ')
}
