import type { ApiRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import {
  cleanInlineText,
  escapeInlineMarkdown,
  escapeMarkdownLine,
} from '../../../../src/meetings/transcript/markdown-text.ts'
import type { RecapSectionName } from '../../../../src/http/shapes/values.ts'
import { escapeHtml } from '../../../ui/format/format-text.ts'
import type { CitedLine } from '../../cited-lines.tsx'
import { RECAP_SECTION_LABELS } from './recap-labels.ts'

/** An entry of a list. Everything in it is what people said, so each format escapes it. */
type Entry = {
  /** Undefined for entries that are not action items. */
  isDone?: boolean
  owner?: string | null
  text: string
  /** The due date, and who said it when. */
  notes: string[]
}
type Section = { title: string; entries: Entry[] }

interface RecapTextParts {
  title: string
  /** When the meeting was, as text. */
  date: string
  recap: Pick<
    ApiRecap,
    'sections' | 'summary' | 'decisions' | 'actions' | 'openQuestions' | 'topics'
  >
  lines: ReadonlyMap<number, CitedLine>
  /** How times are written. The page passes its own display function. */
  formatTime: (at: string) => string
}

/** A recap as Markdown and as HTML, for the clipboard and for files. Empty sections are left out. */
export function formatRecap(parts: RecapTextParts): { plain: string; html: string } {
  const sections = listSections(parts).filter(({ entries }) => entries.length > 0)
  const plain = [
    `# ${escapeInlineMarkdown(parts.title)}`,
    escapeMarkdownLine(parts.date),
    ...sections.map(
      ({ title, entries }) =>
        `## ${title}\n\n${entries.map((entry) => `- ${toMarkdown(entry)}`).join('\n')}`,
    ),
  ].join('\n\n')
  const html = [
    `<h2>${toHtmlText(parts.title)}</h2>`,
    `<p>${toHtmlText(parts.date)}</p>`,
    ...sections.map(
      ({ title, entries }) =>
        `<h3>${title}</h3>\n<ul>\n${entries.map((entry) => `<li>${toHtml(entry)}</li>`).join('\n')}\n</ul>`,
    ),
  ].join('\n')
  return { plain: `${plain}\n`, html }
}

/** In the order in which the page shows them. */
function listSections({ recap, lines, formatTime }: RecapTextParts): Section[] {
  const { summary, decisions, actions, openQuestions, topics } = recap
  const cite = (segmentNumbers: readonly number[]) => {
    const places = segmentNumbers.flatMap((number) => {
      const line = lines.get(number)
      return line === undefined ? [] : `${line.speaker} ${formatTime(line.timestamp)}`.trim()
    })
    return [...new Set(places)]
  }
  const toEntry = ({ text, segmentNumbers }: { text: string; segmentNumbers: number[] }) => ({
    text,
    notes: cite(segmentNumbers),
  })
  const entries: Record<RecapSectionName, Entry[]> = {
    summary: summary.map(toEntry),
    decisions: decisions.map(({ reason, text, ...decision }) =>
      toEntry({ ...decision, text: reason === null ? text : `${text} Reason: ${reason}` }),
    ),
    actions: actions
      .filter(({ state }) => state !== 'deleted')
      .map(({ text, owner, dueDate, dueText, state, segmentNumbers }) => ({
        isDone: state === 'done',
        owner,
        text,
        notes: [
          ...(dueDate === null && dueText === null ? [] : [`due ${dueDate ?? dueText}`]),
          ...cite(segmentNumbers),
        ],
      })),
    openQuestions: openQuestions.map(toEntry),
    topics: topics.map(({ title, firstSegmentNumber }) => {
      const first = lines.get(firstSegmentNumber)
      return { text: title, notes: first === undefined ? [] : [formatTime(first.timestamp)] }
    }),
  }
  return recap.sections.map((section) => ({
    title: RECAP_SECTION_LABELS[section],
    entries: entries[section],
  }))
}

function toMarkdown({ isDone, owner, text, notes }: Entry): string {
  const box = isDone === undefined ? '' : isDone ? '[x] ' : '[ ] '
  const who = owner == null ? '' : `**${escapeInlineMarkdown(owner)}**: `
  const isFirst = box === '' && who === ''
  return (
    box + who + (isFirst ? escapeItemStart(text) : escapeInlineMarkdown(text)) + brackets(notes)
  )
}

function brackets(notes: readonly string[]): string {
  return notes.length === 0 ? '' : ` (${notes.map(escapeInlineMarkdown).join(', ')})`
}

/** A bracket at the start of an item would turn it into a check box. */
function escapeItemStart(text: string): string {
  return escapeMarkdownLine(text).replace(/^\[/, String.raw`\[`)
}

function toHtml({ isDone, owner, text, notes }: Entry): string {
  const who = owner == null ? '' : `<strong>${toHtmlText(owner)}</strong>: `
  const what = `${who}${toHtmlText(text)}`
  const about = notes.length === 0 ? '' : ` <em>(${notes.map(toHtmlText).join(', ')})</em>`
  return (isDone === true ? `<s>${what}</s>` : what) + about
}

function toHtmlText(text: string): string {
  return escapeHtml(cleanInlineText(text))
}
