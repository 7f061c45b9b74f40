import { writeSrt, writeVtt } from './cues.ts'
import { writeMarkdown } from './markdown-format.ts'
import { cleanInlineText } from './markdown-text.ts'
import {
  insertGapsBetweenSegments,
  type TranscriptContent,
  formatMeetingOffset,
  listDisplayInsights,
  calculateSegmentOffsetMs,
  formatDisplaySpeaker,
  formatDisplayTitle,
  formatGap,
  isGap,
  WORDS_MISSING,
  type TranscriptEntry,
} from './source.ts'
import { writeVcon } from './vcon-format.ts'

type TranscriptFormat = {
  contentType: string
  /** Yields the transcript in small pieces, about one per segment, so that a long transcript can be streamed. */
  write(source: TranscriptContent, meetingId: string): Iterable<string>
}

/** The transcript formats other than JSON, by file extension. */
export const TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION = {
  md: { contentType: 'text/markdown; charset=utf-8', write: writeMarkdown },
  txt: { contentType: 'text/plain; charset=utf-8', write: writePlainText },
  srt: { contentType: 'application/x-subrip; charset=utf-8', write: writeSrt },
  vtt: { contentType: 'text/vtt; charset=utf-8', write: writeVtt },
  vcon: { contentType: 'application/vcon+json', write: writeVcon },
} as const satisfies Record<string, TranscriptFormat>

/** Writes a header about the meeting, one line per segment or gap, and the insights. */
function* writePlainText(source: TranscriptContent): Generator<string> {
  yield meetingHeader(source)
  for (const entry of insertGapsBetweenSegments(source)) {
    const time = formatMeetingOffset(calculateSegmentOffsetMs(entry, source.startedAt))
    const text = entryText(entry)
    if (text !== '') yield `[${time}] ${text}\n`
  }
  if (source.insights.length > 0) yield '\nInsights\n\n'
  for (const { category, text, times } of listDisplayInsights(source)) {
    yield `- ${category}: ${text}${times.length > 0 ? ` (${times.join(', ')})` : ''}\n`
  }
}

function entryText(entry: TranscriptEntry): string {
  if (isGap(entry)) return `(${formatGap(entry)})`
  const text = cleanInlineText(entry.text)
  const mark = entry.isIncomplete ? `(${WORDS_MISSING}) ` : ''
  return text === '' ? '' : `${formatDisplaySpeaker(entry)}: ${mark}${text}`
}

function meetingHeader({
  title,
  platform,
  startedAt,
  endedAt,
  participants,
}: TranscriptContent): string {
  const rows: Array<[name: string, value: string]> = [
    ['Platform', cleanInlineText(platform)],
    ['Started', startedAt.toISOString()],
    ['Ended', endedAt?.toISOString() ?? ''],
    ['Participants', participants.map(cleanInlineText).filter(Boolean).join(', ')],
  ]
  const lines = rows.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`)
  return `${[formatDisplayTitle(title), ...lines].join('\n')}\n\n`
}
