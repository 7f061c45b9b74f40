import { escapeInlineMarkdown } from './markdown-text.ts'
import {
  formatMeetingOffset,
  listDisplayInsights,
  calculateSegmentOffsetMs,
  formatDisplaySpeaker,
  formatDisplayTitle,
  type DisplayInsight,
  type TranscriptSegment,
  type TranscriptContent,
} from './source.ts'

export function formatMarkdownTitle(title: string): string {
  // Markdown drops an unescaped `#` at the end of a heading.
  return `# ${escapeInlineMarkdown(formatDisplayTitle(title)).replace(/(?<!\\)#$/, '\\#')}\n`
}

/**
 * The text that one segment adds to a document: a new paragraph if the speaker changed, else a line. It depends only on
 * the previous segment, so appending segment by segment gives the same bytes as writing the whole document.
 */
export function formatMarkdownSegment(
  segment: TranscriptSegment,
  before: { speaker: string } | null,
  startedAt: Date,
): string {
  const text = escapeInlineMarkdown(segment.text)
  const speaker = formatDisplaySpeaker(segment)
  if (before !== null && formatDisplaySpeaker(before) === speaker)
    return text === '' ? '' : `${text}\n`
  const start = `**${escapeInlineMarkdown(speaker)}** ${formatMeetingOffset(calculateSegmentOffsetMs(segment, startedAt))}`
  return text === '' ? `\n${start}\n` : `\n${start} ${text}\n`
}

export function* formatMarkdownSegments(
  segments: Iterable<TranscriptSegment>,
  startedAt: Date,
): Generator<string> {
  let before: TranscriptSegment | null = null
  for (const segment of segments) {
    yield formatMarkdownSegment(segment, before, startedAt)
    before = segment
  }
}

/** The insights section at the end of a document; empty when there are no insights. */
export function* formatMarkdownInsights(source: TranscriptContent): Generator<string> {
  if (source.insights.length > 0) yield '\n## Insights\n\n'
  for (const insight of listDisplayInsights(source)) yield insightItem(insight)
}

export function* writeMarkdown(source: TranscriptContent): Generator<string> {
  yield formatMarkdownTitle(source.title)
  yield* formatMarkdownSegments(source.segments, source.startedAt)
  yield* formatMarkdownInsights(source)
}

function insightItem({ category, text, times }: DisplayInsight): string {
  const words = [`**${escapeInlineMarkdown(category)}**`, escapeInlineMarkdown(text)]
  if (times.length > 0) words.push(`(${times.join(', ')})`)
  return `- ${words.filter(Boolean).join(' ')}\n`
}
