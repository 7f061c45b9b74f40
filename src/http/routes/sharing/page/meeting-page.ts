import { formatDurationWithUnits } from '../../../../lib/time/duration-text.ts'
import { cleanInlineText } from '../../../../meetings/transcript/markdown-text.ts'
import { insertGapsBetweenSegments } from '../../../../meetings/transcript/reading-order.ts'
import {
  calculateSegmentOffsetMs,
  formatDisplaySpeaker,
  formatDisplayTitle,
  formatGap,
  formatMeetingOffset,
  isGap,
  type TranscriptContent,
  type TranscriptSegment,
} from '../../../../meetings/transcript/source.ts'
import type { MeetingRecap } from '../../../../recap/recaps.ts'
import { markup, NO_HTML, type SafeHtml } from './safe-html.ts'
import { formatDay, formatTime, renderFooter, renderFrame } from './page-frame.ts'

/** What the page of a shared meeting shows. Other data of the meeting is not passed, so it cannot be shown. */
export type SharedMeeting = {
  /** Null when nobody gave it a title. The label of its link would contain the code of the room. */
  title: string | null
  transcript: Pick<TranscriptContent, 'startedAt' | 'endedAt' | 'segments' | 'gaps'>
  recap: Pick<
    MeetingRecap,
    'language' | 'summary' | 'decisions' | 'actions' | 'openQuestions' | 'topics'
  > | null
  expiresAt: Date
  timeZone: string
}

export function renderMeetingPage(meeting: SharedMeeting): Iterable<string> {
  const title = formatDisplayTitle(meeting.title ?? 'Meeting')
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
/** A statement of a recap can come from many segments; the first ones are enough to find it. */
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
  const parts: Array<[heading: string, statements: readonly Statement[]]> = [
    ['Summary', recap.summary],
    ['Decisions', recap.decisions.map(withSpeaker)],
    ['Action items', recap.actions.filter(({ state }) => state !== 'deleted').map(toStatement)],
    ['Open questions', recap.openQuestions.map(withSpeaker)],
    ['Topics', topics],
  ]
  for (const [heading, statements] of parts) {
    if (statements.length === 0) continue
    const items = statements.map((statement) => renderStatement(statement, offsets))
    const lang = languageAttribute(recap.language)
    yield markup`<h2>${heading}</h2>
<ul${lang}>${items}</ul>`
  }
}

function withSpeaker({ text, speaker, segmentNumbers }: MeetingRecap['decisions'][number]) {
  return { text, segmentNumbers, ...(speaker !== null && { note: hideEmailAddress(speaker) }) }
}

function toStatement({
  text,
  owner,
  dueDate,
  state,
  segmentNumbers,
}: MeetingRecap['actions'][number]) {
  const notes = [
    owner === null ? [] : hideEmailAddress(owner),
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
    const name = hideEmailAddress(formatDisplaySpeaker(entry))
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

/** Some platforms show a guest by the email address, which readers of a link are not to get. */
function hideEmailAddress(name: string): string {
  return name.replaceAll(/(\S)@[^\s@]+\.[^\s@]+/g, '$1')
}
