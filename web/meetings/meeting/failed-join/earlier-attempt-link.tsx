import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { TextLink } from '../../../ui/links.tsx'

/** Leads from a meeting that was tried again to the attempt before it. */
export function EarlierAttemptLink({ meeting: { retryOf } }: { meeting: WireMeetingDetail }) {
  if (retryOf === null) return null
  return (
    <TextLink to="/meetings/$meetingId" params={{ meetingId: retryOf }} size="sm">
      Earlier attempt
    </TextLink>
  )
}
