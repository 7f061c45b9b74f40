import { Stack, Text } from '@mantine/core'
import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'

type WarningCode = WireMeetingDetail['warnings'][number]['code']

/** Warnings that change the meaning of the transcript. The others are for people who run the service. */
const TRANSCRIPT_WARNINGS: ReadonlySet<WarningCode> = new Set([
  'caption_language',
  'speaker_names',
  'speech_used',
  'speech_incomplete',
  'speech_behind',
  'speech_unavailable',
])

/** What readers should know about the transcript: where its words come from, and what is missing. */
export function MeetingWarnings({ meeting }: { meeting: WireMeetingDetail }) {
  const shown = meeting.warnings.filter(({ code }) => TRANSCRIPT_WARNINGS.has(code))
  if (shown.length === 0) return null
  return (
    <div className="notice" role="note" aria-label="About this transcript">
      <Stack gap={4}>
        {shown.map(({ code, subject, text }) => (
          <Text key={`${code} ${subject}`} size="sm" className="break-anywhere">
            {text.replace(/\.?$/, '.')}
          </Text>
        ))}
      </Stack>
    </div>
  )
}
