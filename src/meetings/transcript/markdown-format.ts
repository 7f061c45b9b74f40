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
  // Without the second step a heading would lose the `#` at its end.
  return `# ${escapeInline(displayTitle(title)).replace(/(?<!\\)#$/, '\\#')}\n`
}

/**
 * What one segment adds to a document, which depends on nothing but the segment before it: a paragraph
 * when the speaker changed, else a line of the last paragraph. So a document can be appended to, and one
 * written at once has the same bytes.
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

/** The section at the end; nothing where there are no insights. */
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
