import { cleanInline } from '../markdown.ts'
import {
  clockOf,
  insightsOf,
  offsetOf,
  speakerOf,
  titleOf,
  type TranscriptSource,
} from './source.ts'

/** One line for each segment, after a few about the meeting. */
export function* writePlain(source: TranscriptSource): Generator<string> {
  yield about(source)
  for (const segment of source.segments) {
    const text = cleanInline(segment.text)
    const time = clockOf(offsetOf(segment, source.startedAt))
    if (text !== '') yield `[${time}] ${speakerOf(segment)}: ${text}\n`
  }
  if (source.insights.length > 0) yield '\nInsights\n\n'
  for (const { category, text, times } of insightsOf(source)) {
    yield `- ${category}: ${text}${times.length > 0 ? ` (${times.join(', ')})` : ''}\n`
  }
}

function about({ title, platform, startedAt, endedAt, participants }: TranscriptSource): string {
  const rows: Array<[name: string, value: string]> = [
    ['Platform', cleanInline(platform)],
    ['Started', startedAt.toISOString()],
    ['Ended', endedAt?.toISOString() ?? ''],
    ['Participants', participants.map(cleanInline).filter(Boolean).join(', ')],
  ]
  const lines = rows.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`)
  return `${[titleOf(title), ...lines].join('\n')}\n\n`
}
