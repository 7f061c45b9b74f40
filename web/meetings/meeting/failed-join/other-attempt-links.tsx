import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { TextLink } from '../../../ui/links.tsx'

/** Links from a meeting to the previous and the next attempt. */
export function OtherAttemptLinks({ meeting }: { meeting: WireMeetingDetail }) {
  const { retryOf, retriedAs } = meeting
  return (
    <>
      {retryOf !== null && (
        <TextLink to="/meetings/$meetingId" params={{ meetingId: retryOf }} size="sm">
          Earlier attempt
        </TextLink>
      )}
      {retriedAs !== null && (
        <TextLink to="/meetings/$meetingId" params={{ meetingId: retriedAs.meetingId }} size="sm">
          Later attempt
        </TextLink>
      )}
    </>
  )
}
