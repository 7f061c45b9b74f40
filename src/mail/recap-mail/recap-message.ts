import { formatDay } from '../../lib/time/day-text.ts'
import { toPlainLine } from '../../lib/text/plain-text.ts'
import type { MeetingRecap } from '../../recap/recaps.ts'
import { RECAP_SECTION_HEADINGS, type RecapSectionName } from '../../recap/template.ts'
import type { MailBlock, MailLink, MailListItem } from '../messages/mail-blocks.ts'
import { renderMail } from '../messages/render-mail.ts'

/** A recap as its mail shows it. */
export type MailedRecap = {
  meetingId: string
  title: string
  startedAt: Date
  timeZone: string
  recap: Pick<
    MeetingRecap,
    'sections' | 'summary' | 'decisions' | 'actions' | 'openQuestions' | 'writtenLanguage'
  >
  /** When cited lines were said, such as `12:04`, by the number of the line. */
  times: ReadonlyMap<number, string>
}

/** Where a mail leads to. */
export type RecapMailLinks = { publicUrl: string; unsubscribeUrl: string }

/** What matters most comes first. Topics are in the console. */
const MAILED_SECTIONS = [
  'decisions',
  'actions',
  'summary',
  'openQuestions',
] as const satisfies readonly RecapSectionName[]
type MailedSection = (typeof MAILED_SECTIONS)[number]

/** A longer mail is cut by mail programs. */
const MAX_ITEMS = 25
/** A statement can come from many lines. The first ones are enough to find it. */
const MAX_TIMES = 3
const MAX_TITLE_CHARS = 120

/** The subject and both forms of the mail with a recap. */
export function renderRecapMail(
  mailed: MailedRecap,
  { publicUrl, unsubscribeUrl }: RecapMailLinks,
): { subject: string; html: string; text: string } {
  const { meetingId, recap } = mailed
  const title = removeDirectionMarks(toPlainLine(mailed.title, MAX_TITLE_CHARS))
  const url = `${publicUrl}/meetings/${encodeURIComponent(meetingId)}`
  const shown = MAILED_SECTIONS.filter((section) => recap.sections.includes(section))
  const sections = shown.flatMap((section) => renderSection(section, mailed, url))
  const empty: MailBlock = { kind: 'paragraph', text: 'Nothing stood out in this meeting.' }
  const rendered = renderMail({
    title,
    blocks: [
      { kind: 'paragraph', text: formatStart(mailed), isDim: true },
      ...(sections.length === 0 ? [empty] : sections),
      { kind: 'button', link: { label: 'Open the meeting', url } },
    ],
    footer: {
      text: 'You get this recap because its project sends recaps by mail.',
      links: [
        { label: 'Choose which recaps you get', url: `${publicUrl}/account?tab=notifications` },
        { label: 'Get no recaps by mail', url: unsubscribeUrl },
      ],
    },
  })
  return { subject: `Recap: ${title}`, ...rendered }
}

function renderSection(
  section: MailedSection,
  { recap, times }: MailedRecap,
  url: string,
): MailBlock[] {
  const items = listItems(section, recap)
  if (items.length === 0) return []
  const shown = items.slice(0, MAX_ITEMS).map(({ segmentNumbers, ...item }): MailListItem => {
    const links = segmentNumbers.slice(0, MAX_TIMES).flatMap((number): MailLink[] => {
      const time = times.get(number)
      return time === undefined ? [] : [{ label: time, url: `${url}#line-${number}` }]
    })
    return { ...item, links }
  })
  const others = items.length - shown.length
  return [
    { kind: 'heading', text: RECAP_SECTION_HEADINGS[section] },
    { kind: 'list', language: recap.writtenLanguage, items: shown },
    ...(others > 0
      ? [{ kind: 'paragraph', text: `${others} more in Hansard.`, isDim: true } as const]
      : []),
  ]
}

type Item = { text: string; notes: string[]; segmentNumbers: readonly number[] }

function listItems(section: MailedSection, recap: MailedRecap['recap']): Item[] {
  if (section === 'summary')
    return recap.summary.map(({ text, segmentNumbers }) => ({ text, notes: [], segmentNumbers }))
  if (section === 'decisions')
    return recap.decisions.map(({ text, reason, segmentNumbers }) => ({
      text,
      notes: reason === null ? [] : [`Reason: ${reason}`],
      segmentNumbers,
    }))
  if (section === 'openQuestions')
    return recap.openQuestions.map(({ text, speaker, segmentNumbers }) => ({
      text,
      notes: speaker === null ? [] : [speaker],
      segmentNumbers,
    }))
  return recap.actions
    .filter(({ state }) => state !== 'deleted')
    .map(({ text, owner, dueDate, dueText, state, segmentNumbers }) => ({
      text,
      notes: [
        ...(owner === null ? [] : [owner]),
        ...(dueDate === null
          ? dueText === null
            ? []
            : [`due ${dueText}`]
          : [`due ${formatDay(dueDate)}`]),
        ...(state === 'done' ? ['done'] : []),
      ],
      segmentNumbers,
    }))
}

function formatStart({ startedAt, timeZone }: MailedRecap): string {
  const text = startedAt.toLocaleString('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return `${text} (${timeZone})`
}

/** Marks that reverse the direction of text could make a subject look like another one. */
function removeDirectionMarks(text: string): string {
  return text.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
}
