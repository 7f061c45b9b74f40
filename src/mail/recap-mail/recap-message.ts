import { formatDay } from '../../lib/time/day-text.ts'
import { hideEmailHosts, removeDirectionMarks, toPlainLine } from '../../lib/text/plain-text.ts'
import type { MeetingRecap } from '../../recap/recaps.ts'
import type { MailBlock, MailContent, MailLink, MailListItem } from '../messages/mail-blocks.ts'
import { renderMail } from '../messages/render-mail.ts'
import {
  fillText,
  MAILED_SECTIONS,
  recapTextsIn,
  type MailedSection,
  type RecapTexts,
} from './recap-texts.ts'

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

/** Where the mail to a user leads to. */
export type RecapMailLinks = { publicUrl: string; unsubscribeUrl: string }
/** Where the mail to a guest leads to, and when the share link expires. */
export type GuestMailLinks = { shareUrl: string; unsubscribeUrl: string; expiresAt: Date }

/** A longer mail is cut by mail programs. */
const MAX_ITEMS = 25
/** A statement can come from many lines. The first ones are enough to find it. */
const MAX_TIMES = 3
const MAX_TITLE_CHARS = 120

type RenderedMail = { subject: string; html: string; text: string }

/** The subject and both forms of the mail with a recap, for a user. */
export function renderRecapMail(
  mailed: MailedRecap,
  { publicUrl, unsubscribeUrl }: RecapMailLinks,
): RenderedMail {
  const url = `${publicUrl}/meetings/${encodeURIComponent(mailed.meetingId)}`
  const texts = recapTextsIn(mailed.recap.writtenLanguage)
  return render(mailed, texts, {
    lineUrl: (number) => `${url}#line-${number}`,
    button: { label: texts.open, url },
    footer: {
      text: texts.whySent,
      links: [
        { label: texts.choose, url: `${publicUrl}/account?tab=notifications` },
        { label: texts.unsubscribe, url: unsubscribeUrl },
      ],
    },
  })
}

/** The same for a person without an account. It shows nothing that the page of the share link does not. */
export function renderGuestRecapMail(
  mailed: MailedRecap,
  { shareUrl, unsubscribeUrl, expiresAt }: GuestMailLinks,
): RenderedMail {
  const end = expiresAt.toLocaleDateString('sv', { timeZone: mailed.timeZone })
  const texts = recapTextsIn(mailed.recap.writtenLanguage)
  return render(mailed, texts, {
    lineUrl: (number) => `${shareUrl}#s${number}`,
    button: { label: texts.read, url: shareUrl },
    note: fillText(texts.linkEnds, formatDay(end, texts.locale)),
    hidesEmailHosts: true,
    footer: {
      text: texts.whySentToGuest,
      links: [{ label: texts.unsubscribe, url: unsubscribeUrl }],
    },
  })
}

type Variant = {
  lineUrl(number: number): string
  button: MailLink
  /** Follows the button. */
  note?: string
  hidesEmailHosts?: boolean
  footer: MailContent['footer']
}

function render(mailed: MailedRecap, texts: RecapTexts, variant: Variant): RenderedMail {
  const { button, note, footer } = variant
  const title = removeDirectionMarks(toPlainLine(mailed.title, MAX_TITLE_CHARS))
  const shown = MAILED_SECTIONS.filter((section) => mailed.recap.sections.includes(section))
  const sections = shown.flatMap((section) => renderSection(section, mailed, texts, variant))
  const empty: MailBlock = { kind: 'paragraph', text: texts.nothing }
  const rendered = renderMail({
    language: texts.language,
    title,
    blocks: [
      { kind: 'paragraph', text: formatStart(mailed, texts), isDim: true },
      ...(sections.length === 0 ? [empty] : sections),
      { kind: 'button', link: button },
      ...(note === undefined ? [] : [{ kind: 'paragraph', text: note, isDim: true } as const]),
    ],
    footer,
  })
  return { subject: fillText(texts.subject, title), ...rendered }
}

function renderSection(
  section: MailedSection,
  { recap, times }: MailedRecap,
  texts: RecapTexts,
  { lineUrl, hidesEmailHosts = false }: Variant,
): MailBlock[] {
  const items = listItems(section, recap, texts)
  if (items.length === 0) return []
  const shown = items.slice(0, MAX_ITEMS).map(({ segmentNumbers, text, notes }): MailListItem => {
    const links = segmentNumbers.slice(0, MAX_TIMES).flatMap((number): MailLink[] => {
      const time = times.get(number)
      return time === undefined ? [] : [{ label: time, url: lineUrl(number) }]
    })
    return { text, notes: hidesEmailHosts ? notes.map(hideEmailHosts) : notes, links }
  })
  const others = items.length - shown.length
  return [
    { kind: 'heading', text: texts[section] },
    { kind: 'list', language: recap.writtenLanguage, items: shown },
    ...(others > 0
      ? [{ kind: 'paragraph', text: fillText(texts.more, String(others)), isDim: true } as const]
      : []),
  ]
}

type Item = { text: string; notes: string[]; segmentNumbers: readonly number[] }

function listItems(section: MailedSection, recap: MailedRecap['recap'], texts: RecapTexts): Item[] {
  if (section === 'summary')
    return recap.summary.map(({ text, segmentNumbers }) => ({ text, notes: [], segmentNumbers }))
  if (section === 'decisions')
    return recap.decisions.map(({ text, reason, segmentNumbers }) => ({
      text,
      notes: reason === null ? [] : [fillText(texts.reason, reason)],
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
            : [fillText(texts.due, dueText)]
          : [fillText(texts.due, formatDay(dueDate, texts.locale))]),
        ...(state === 'done' ? [texts.done] : []),
      ],
      segmentNumbers,
    }))
}

function formatStart({ startedAt, timeZone }: MailedRecap, { locale }: RecapTexts): string {
  const text = startedAt.toLocaleString(locale, {
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
