import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Time } from '../../ui/format/time.tsx'

/** Shown in place of the transcript until the bot joins. */
export function ScheduledMeeting({ meeting }: { meeting: WireMeetingDetail }) {
  const { startedAt, botName } = meeting
  return (
    <EmptyState drawing="clock" title="This meeting has not started">
      <span className="break-anywhere">
        Hansard joins <Time at={startedAt} show="relative" />, on{' '}
        <Time at={startedAt} show="minute" />, as “{botName}”. The transcript appears here.
      </span>
    </EmptyState>
  )
}
