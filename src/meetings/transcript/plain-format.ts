import { cleanInlineText } from './markdown-text.ts'
import {
  formatMeetingOffset,
  listDisplayInsights,
  calculateSegmentOffsetMs,
  formatDisplaySpeaker,
  formatDisplayTitle,
  type TranscriptContent,
} from './source.ts'

/** Writes a header about the meeting, one line per segment, and the insights. */
export function* writePlainText(source: TranscriptContent): Generator<string> {
  yield meetingHeader(source)
  for (const segment of source.segments) {
    const text = cleanInlineText(segment.text)
    const time = formatMeetingOffset(calculateSegmentOffsetMs(segment, source.startedAt))
    if (text !== '') yield `[${time}] ${formatDisplaySpeaker(segment)}: ${text}\n`
  }
  if (source.insights.length > 0) yield '\nInsights\n\n'
  for (const { category, text, times } of listDisplayInsights(source)) {
    yield `- ${category}: ${text}${times.length > 0 ? ` (${times.join(', ')})` : ''}\n`
  }
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
