import {
  cleanInlineText,
  escapeInlineMarkdown,
  escapeMarkdownLine,
} from '../../meetings/transcript/markdown-text.ts'
import { RECAP_HEADING, TRANSCRIPT_HEADING } from '../../meetings/record/document-section.ts'
import { formatMeetingOffset } from '../../meetings/transcript/source.ts'
import type { RecapContent } from '../recap.ts'
import type { ActionItem } from '../store/action-item.ts'

/** When the segment with this number started, in milliseconds since the start of the meeting; null if it is not known. */
export type SegmentStart = (segmentNumber: number) => number | null

type Item = { text: string; segmentNumbers: readonly number[] }

/**
 * The recap as markdown, from its heading to the heading of the transcript. Null when nothing was found. The texts are
 * what people said, so they are escaped.
 */
export function formatRecapSection(
  content: RecapContent,
  actions: readonly ActionItem[],
  startOf: SegmentStart,
): string | null {
  const { summary, decisions, openQuestions, topics } = content
  const formatItem = ({ text, segmentNumbers }: Item) =>
    `${escapeItemStart(text)}${formatNotes(listTimes(segmentNumbers, startOf))}`
  const parts = [
    formatList('', summary.map(formatItem)),
    formatList('Decisions', decisions.map(formatItem)),
    formatList(
      'Action items',
      actions.map((item) => formatAction(item, listTimes(item.segmentNumbers, startOf))),
    ),
    formatList('Open questions', openQuestions.map(formatItem)),
    formatList(
      'Topics',
      topics.map(
        ({ title, startMs, endMs }) =>
          `${formatMeetingOffset(startMs)}–${formatMeetingOffset(endMs)} ${escapeInlineMarkdown(title)}`,
      ),
    ),
  ].filter((part) => part !== '')
  if (parts.length === 0) return null
  return `\n${RECAP_HEADING}\n\n${parts.join('\n')}\n${TRANSCRIPT_HEADING}\n`
}

function formatList(heading: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  const lines = items.map((item) => `- ${item}\n`).join('')
  return heading === '' ? lines : `### ${heading}\n\n${lines}`
}

function formatAction(
  { text, owner, dueDate, dueText, state }: ActionItem,
  times: readonly string[],
): string {
  const who = owner === null ? '' : `**${escapeInlineMarkdown(owner)}**: `
  const due = dueDate ?? dueText
  const notes = formatNotes(due === null ? times : [`due ${escapeInlineMarkdown(due)}`, ...times])
  return `[${state === 'done' ? 'x' : ' '}] ${who}${escapeInlineMarkdown(text)}${notes}`
}

/** A bracket at the start of an item would make it a check box. */
function escapeItemStart(text: string): string {
  return escapeMarkdownLine(cleanInlineText(text)).replace(/^\[/, String.raw`\[`)
}

function listTimes(segmentNumbers: readonly number[], startOf: SegmentStart): string[] {
  const starts = segmentNumbers.flatMap((number) => startOf(number) ?? [])
  return [...new Set(starts.map(formatMeetingOffset))]
}

function formatNotes(notes: readonly string[]): string {
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`
}
