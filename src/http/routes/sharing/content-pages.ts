import { hideEmailHosts } from '../../../lib/text/plain-text.ts'
import { markup, NO_HTML, type SafeHtml } from '../../../lib/text/safe-html.ts'
import { formatDay } from '../../../lib/time/day-text.ts'
import { formatDurationWithUnits } from '../../../lib/time/duration-text.ts'
import { cleanInlineText } from '../../../meetings/transcript/markdown-text.ts'
import {
  insertGapsBetweenSegments,
  calculateSegmentOffsetMs,
  formatDisplaySpeaker,
  formatDisplayTitle,
  formatGap,
  formatMeetingOffset,
  isGap,
  type TranscriptContent,
  type TranscriptSegment,
} from '../../../meetings/transcript/source.ts'
import { findFrontMatter } from '../../../projects/front-matter.ts'
import type { MeetingRecap } from '../../../recap/recaps.ts'
import { RECAP_SECTION_HEADINGS, type RecapSectionName } from '../../../recap/template.ts'
import { formatTime, renderFooter, renderFrame } from './page-frame.ts'

/** The content of a shared meeting's page. Other data of the meeting is not passed, so it can't be shown. */
export type SharedMeeting = {
  /** Null without a title. The label of its link would contain the code of the room. */
  title: string | null
  transcript: Pick<TranscriptContent, 'startedAt' | 'endedAt' | 'segments' | 'gaps'>
  recap: Pick<
    MeetingRecap,
    | 'title'
    | 'language'
    | 'writtenLanguage'
    | 'sections'
    | 'summary'
    | 'decisions'
    | 'actions'
    | 'openQuestions'
    | 'topics'
  > | null
  expiresAt: Date
  timeZone: string
}

/** The content of a shared document's page: its file name and its text, without the front matter. */
type SharedDocument = { path: string; text: string; expiresAt: Date; timeZone: string }

type Block = { kind: 'heading' | 'item' | 'code' | 'text'; text: string; level: number }

export function renderMeetingPage(meeting: SharedMeeting): Iterable<string> {
  const title = formatDisplayTitle(meeting.title ?? meeting.recap?.title ?? 'Meeting')
  return renderFrame(title, renderBody(title, meeting))
}

function* renderBody(title: string, meeting: SharedMeeting): Generator<SafeHtml> {
  const { transcript, recap, expiresAt, timeZone } = meeting
  const { startedAt, endedAt } = transcript
  const length =
    endedAt === null
      ? 'not ended yet'
      : formatDurationWithUnits(endedAt.getTime() - startedAt.getTime())
  yield markup`<h1 dir="auto">${title}</h1>
<p class="dim">${formatTime(startedAt, timeZone)} · ${length}</p>`
  if (recap !== null) yield* renderRecap(recap, transcript)
  yield markup`<h2 id="transcript">Transcript</h2>`
  yield* renderTranscript(transcript, recap?.language ?? null)
  yield renderFooter(expiresAt, timeZone)
}

type Statement = { text: string; segmentNumbers: readonly number[]; note?: string }
/** A statement of a recap can come from many segments. The first ones are enough to find it. */
const MAX_TIMES = 3

function* renderRecap(
  recap: NonNullable<SharedMeeting['recap']>,
  { startedAt, segments }: SharedMeeting['transcript'],
): Generator<SafeHtml> {
  const offsets = new Map(
    segments.map((segment) => [segment.number, formatOffset(segment, startedAt)]),
  )
  const topics = recap.topics.map(({ title: text, firstSegmentNumber }) => {
    return { text, segmentNumbers: [firstSegmentNumber] }
  })

  const statements: Record<RecapSectionName, readonly Statement[]> = {
    summary: recap.summary,
    decisions: recap.decisions.map(toDecision),
    actions: recap.actions.filter(({ state }) => state !== 'deleted').map(toStatement),
    openQuestions: recap.openQuestions.map(withSpeaker),
    topics,
  }
  for (const section of recap.sections) {
    if (statements[section].length === 0) continue
    const items = statements[section].map((statement) => renderStatement(statement, offsets))
    const lang = languageAttribute(recap.writtenLanguage)
    yield markup`<h2>${RECAP_SECTION_HEADINGS[section]}</h2>
<ul${lang}>${items}</ul>`
  }
}

function toDecision({ text, reason, ...decision }: MeetingRecap['decisions'][number]) {
  const ended = reason === null ? text : `${text} Reason: ${reason}`
  return withSpeaker({ ...decision, text: ended })
}

function withSpeaker({ text, speaker, segmentNumbers }: MeetingRecap['openQuestions'][number]) {
  return { text, segmentNumbers, ...(speaker !== null && { note: hideEmailHosts(speaker) }) }
}

function toStatement({
  text,
  owner,
  dueDate,
  state,
  segmentNumbers,
}: MeetingRecap['actions'][number]) {
  const notes = [
    owner === null ? [] : hideEmailHosts(owner),
    dueDate === null ? [] : `due ${formatDay(dueDate)}`,
    state === 'done' ? 'done' : [],
  ].flat()
  return { text, segmentNumbers, ...(notes.length > 0 && { note: notes.join(' · ') }) }
}

function renderStatement(
  { text, note, segmentNumbers }: Statement,
  offsets: ReadonlyMap<number, string>,
): SafeHtml {
  const times = segmentNumbers.slice(0, MAX_TIMES).flatMap((number) => {
    const offset = offsets.get(number)
    return offset === undefined ? [] : markup`<a class="time" href="#s${number}">${offset}</a>`
  })

  const about = note === undefined ? times : [markup`<span class="dim">${note}</span>`, ...times]
  const facts = about.length === 0 ? NO_HTML : markup`<span class="facts">${about}</span>`
  return markup`<li dir="auto">${cleanInlineText(text)}${facts}</li>`
}

function* renderTranscript(
  transcript: SharedMeeting['transcript'],
  language: string | null,
): Generator<SafeHtml> {
  if (transcript.segments.length === 0) yield markup`<p>Nothing was said.</p>`
  yield markup`<div${languageAttribute(language)}>`
  let speaker = ''
  for (const entry of insertGapsBetweenSegments(transcript)) {
    if (isGap(entry)) {
      speaker = ''
      yield markup`<p class="gap" lang="en">${formatGap(entry)}</p>`
      continue
    }
    const name = hideEmailHosts(formatDisplaySpeaker(entry))
    if (name !== speaker) yield markup`<p class="speaker" dir="auto">${name}</p>`
    speaker = name
    const offset = formatOffset(entry, transcript.startedAt)
    yield markup`<p class="said" id="s${entry.number}"><a class="time" href="#s${entry.number}">${offset}</a>
<span dir="auto">${cleanInlineText(entry.text)}</span></p>`
  }
  yield markup`</div>`
}

function formatOffset(segment: TranscriptSegment, startedAt: Date): string {
  return formatMeetingOffset(calculateSegmentOffsetMs(segment, startedAt))
}

function languageAttribute(language: string | null): SafeHtml {
  return language === null ? NO_HTML : markup` lang="${language}"`
}

export function renderDocumentPage({ path, ...rest }: SharedDocument): Iterable<string> {
  const title = path.slice(path.lastIndexOf('/') + 1)
  return renderFrame(title, renderDocumentBody(title, rest))
}

function* renderDocumentBody(
  title: string,
  { text, expiresAt, timeZone }: Omit<SharedDocument, 'path'>,
): Generator<SafeHtml> {
  yield markup`<h1 dir="auto">${title}</h1>`
  yield* renderText(text.slice(findFrontMatter(text)?.bodyStart ?? 0))
  yield renderFooter(expiresAt, timeZone)
}

/**
 * Shows headings, list items and code blocks as such, and every other line as plain text. One pass over the lines,
 * because a hostile document can make a complete Markdown parser slow.
 */
function* renderText(text: string): Generator<SafeHtml> {
  let list: string[] = []
  for (const block of splitIntoBlocks(text)) {
    if (block.kind === 'item') {
      list.push(block.text)
      continue
    }
    if (list.length > 0) yield renderList(list)
    list = []
    yield renderBlock(block)
  }
  if (list.length > 0) yield renderList(list)
}

function* splitIntoBlocks(text: string): Generator<Block> {
  let code: string[] | null = null
  for (const line of text.split(/\r\n|\n|\r/)) {
    const isFence = /^ {0,3}(?:```|~~~)/.test(line)
    if (code !== null && !isFence) {
      code.push(line)
      continue
    }
    if (isFence) {
      if (code !== null) yield { kind: 'code', text: code.join('\n'), level: 0 }
      code = code === null ? [] : null
      continue
    }
    yield* parseLine(line)
  }
  if (code !== null) yield { kind: 'code', text: code.join('\n'), level: 0 }
}

function* parseLine(line: string): Generator<Block> {
  const [, marks, heading] = /^(#{1,6}) +(.+)$/s.exec(line) ?? []
  const [, item] = /^\s*[-*+] +(.+)$/s.exec(line) ?? []
  if (marks !== undefined && heading !== undefined)
    yield { kind: 'heading', text: heading, level: marks.length }
  else if (item !== undefined) yield { kind: 'item', text: item, level: 0 }
  else if (line.trim() !== '') yield { kind: 'text', text: line, level: 0 }
}

function renderList(items: readonly string[]): SafeHtml {
  return markup`<ul>${items.map((item) => markup`<li dir="auto">${item}</li>`)}</ul>`
}

/** The file name is the only first-level heading. */
function renderBlock({ kind, text, level }: Block): SafeHtml {
  if (kind === 'code') return markup`<pre>${text}</pre>`
  if (kind === 'text') return markup`<p class="line" dir="auto">${text}</p>`
  const rank = Math.min(6, level + 1)
  return markup`<h${rank} dir="auto">${text}</h${rank}>`
}
