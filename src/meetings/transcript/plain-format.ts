import { cleanInline } from './markdown-text.ts'
import {
  formatOffset,
  displayInsights,
  segmentOffsetMs,
  displaySpeaker,
  displayTitle,
  type TranscriptSource,
} from './source.ts'

/** Writes a header about the meeting, one line per segment, and the insights. */
export function* writePlain(source: TranscriptSource): Generator<string> {
  yield meetingHeader(source)
  for (const segment of source.segments) {
    const text = cleanInline(segment.text)
    const time = formatOffset(segmentOffsetMs(segment, source.startedAt))
    if (text !== '') yield `[${time}] ${displaySpeaker(segment)}: ${text}\n`
  }
  if (source.insights.length > 0) yield '\nInsights\n\n'
  for (const { category, text, times } of displayInsights(source)) {
    yield `- ${category}: ${text}${times.length > 0 ? ` (${times.join(', ')})` : ''}\n`
  }
}

function meetingHeader({
  title,
  platform,
  startedAt,
  endedAt,
  participants,
}: TranscriptSource): string {
  const rows: Array<[name: string, value: string]> = [
    ['Platform', cleanInline(platform)],
    ['Started', startedAt.toISOString()],
    ['Ended', endedAt?.toISOString() ?? ''],
    ['Participants', participants.map(cleanInline).filter(Boolean).join(', ')],
  ]
  const lines = rows.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`)
  return `${[displayTitle(title), ...lines].join('\n')}\n\n`
}
