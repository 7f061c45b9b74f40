import type { Db } from '../db/database.ts'
import { sha256 } from '../lib/crypto.ts'
import {
  RECAP_HEADING,
  TRANSCRIPT_HEADING,
  writeDocumentSection,
  type DocumentSectionResult,
} from '../meetings/record/document-section.ts'
import {
  cleanInlineText,
  escapeInlineMarkdown,
  escapeMarkdownLine,
} from '../meetings/transcript/markdown-text.ts'
import { readSegmentStarts } from '../meetings/transcript/read-transcript.ts'
import { formatMeetingOffset, calculateSegmentOffsetMs } from '../meetings/transcript/source.ts'
import type { DocumentFiles } from '../projects/files/store/document-files.ts'
import type { RecapContent, RecapDecision } from './recap.ts'
import type { ActionItem } from './store/action-item.ts'
import { readActionItemsOfMeeting } from './store/action-items.ts'
import type { RecapLease } from './store/recap-claims.ts'
import { addDocumentPart, type StoredRecap } from './store/stored-recap.ts'
import { listShownSections, RECAP_SECTION_HEADINGS, type RecapSectionName } from './template.ts'

/** When the segment with this number started, in milliseconds since the start of the meeting; null if unknown. */
export type SegmentStart = (segmentNumber: number) => number | null

type Item = { text: string; segmentNumbers: readonly number[] }

type Parts = { db: Db; files: DocumentFiles }

/**
 * The recap as markdown, from its heading to the transcript's heading. Null if nothing was found. The texts are what
 * people said, so they are escaped.
 */
export function formatRecapSection(
  content: RecapContent,
  actions: readonly ActionItem[],
  startOf: SegmentStart,
): string | null {
  const formatItem = ({ text, segmentNumbers }: Item, after = '') =>
    `${escapeItemStart(text)}${after}${formatNotes(listTimes(segmentNumbers, startOf))}`
  const formatDecision = ({ reason = null, ...decision }: RecapDecision) =>
    formatItem(decision, reason === null ? '' : ` Reason: ${escapeInlineMarkdown(reason)}`)
  const items: Record<RecapSectionName, string[]> = {
    summary: content.summary.map((item) => formatItem(item)),
    decisions: content.decisions.map(formatDecision),
    actions: actions.map((item) => formatAction(item, listTimes(item.segmentNumbers, startOf))),
    openQuestions: content.openQuestions.map((item) => formatItem(item)),
    topics: content.topics.map(
      ({ title, startMs, endMs }) =>
        `${formatMeetingOffset(startMs)}–${formatMeetingOffset(endMs)} ${escapeInlineMarkdown(title)}`,
    ),
  }
  const shown = listShownSections(content, (section) => items[section].length > 0)
  const parts = shown
    // The summary has a heading only if it is not the first section.
    .map((section, i) =>
      formatList(
        section === 'summary' && i === 0 ? '' : RECAP_SECTION_HEADINGS[section],
        items[section],
      ),
    )
    .filter((part) => part !== '')
  if (parts.length === 0) return null
  return `\n${RECAP_HEADING}\n\n${parts.join('\n')}\n${TRANSCRIPT_HEADING}\n`
}

function formatList(heading: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  const lines = items.map((item) => `- ${item}\n`).join('')
  return heading === '' ? lines : `### ${heading}\n\n${lines}`
}

/** An item of a list of action items in markdown. */
export function formatAction(
  {
    text,
    owner,
    dueDate,
    dueText,
    state,
  }: Pick<ActionItem, 'text' | 'owner' | 'dueDate' | 'dueText' | 'state'>,
  times: readonly string[],
): string {
  const who = owner === null ? '' : `**${escapeInlineMarkdown(owner)}**: `
  const due = dueDate ?? dueText
  const notes = formatNotes(due === null ? times : [`due ${escapeInlineMarkdown(due)}`, ...times])
  return `[${state === 'done' ? 'x' : ' '}] ${who}${escapeInlineMarkdown(text)}${notes}`
}

/** A bracket at the start of an item would turn it into a check box. */
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

/** Writes the stored recap into the meeting's document, above the transcript. */
export async function writeRecapIntoDocument(
  { db, files }: Parts,
  lease: RecapLease,
  stored: StoredRecap,
  meetingStartedAt: Date,
): Promise<DocumentSectionResult> {
  const { meetingId } = lease
  const { content } = stored
  if (content === null) return { outcome: 'none', changedPath: null }
  const actions = await readActionItemsOfMeeting(db, meetingId)
  const entries = [...content.summary, ...content.decisions, ...actions, ...content.openQuestions]
  const cited = new Set(entries.flatMap(({ segmentNumbers }) => segmentNumbers))
  const starts = await readSegmentStarts(db, meetingId, [...cited])
  const text = formatRecapSection(content, actions, (number) => {
    const startedAt = starts.get(number)
    return startedAt === undefined
      ? null
      : calculateSegmentOffsetMs({ startedAt }, meetingStartedAt)
  })
  const own = new Set(stored.documentParts)
  if (text !== null) {
    const hash = hashSection(text)
    own.add(hash)
    await addDocumentPart(db, lease, hash)
  }
  return writeDocumentSection(db, files, meetingId, {
    heading: RECAP_HEADING,
    lastLine: TRANSCRIPT_HEADING,
    text,
    isOwn: (section) => own.has(hashSection(section)),
  })
}

function hashSection(text: string): string {
  return sha256(text).toString('hex')
}
