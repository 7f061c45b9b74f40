import { escapeInline } from './markdown-text.ts'
import {
  formatOffset,
  displayInsights,
  segmentOffsetMs,
  displaySpeaker,
  displayTitle,
  type DisplayInsight,
  type TranscriptSegment,
  type TranscriptSource,
} from './source.ts'

export function markdownHeading(title: string): string {
  // Markdown drops an unescaped `#` at the end of a heading.
  return `# ${escapeInline(displayTitle(title)).replace(/(?<!\\)#$/, '\\#')}\n`
}

/**
 * The text that one segment adds to a document: a new paragraph if the speaker changed, else a line. It depends only on
 * the previous segment, so appending segment by segment gives the same bytes as writing the whole document.
 */
export function markdownSegment(
  segment: TranscriptSegment,
  before: { speaker: string } | null,
  startedAt: Date,
): string {
  const text = escapeInline(segment.text)
  const speaker = displaySpeaker(segment)
  if (before !== null && displaySpeaker(before) === speaker) return text === '' ? '' : `${text}\n`
  const start = `**${escapeInline(speaker)}** ${formatOffset(segmentOffsetMs(segment, startedAt))}`
  return text === '' ? `\n${start}\n` : `\n${start} ${text}\n`
}

export function* markdownSegments(
  segments: Iterable<TranscriptSegment>,
  startedAt: Date,
): Generator<string> {
  let before: TranscriptSegment | null = null
  for (const segment of segments) {
    yield markdownSegment(segment, before, startedAt)
    before = segment
  }
}

/** The insights section at the end of a document; empty when there are no insights. */
export function* markdownInsights(source: TranscriptSource): Generator<string> {
  if (source.insights.length > 0) yield '\n## Insights\n\n'
  for (const insight of displayInsights(source)) yield insightItem(insight)
}

export function* writeMarkdown(source: TranscriptSource): Generator<string> {
  yield markdownHeading(source.title)
  yield* markdownSegments(source.segments, source.startedAt)
  yield* markdownInsights(source)
}

function insightItem({ category, text, times }: DisplayInsight): string {
  const words = [`**${escapeInline(category)}**`, escapeInline(text)]
  if (times.length > 0) words.push(`(${times.join(', ')})`)
  return `- ${words.filter(Boolean).join(' ')}\n`
}
