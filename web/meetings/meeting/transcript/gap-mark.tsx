import type { WireTranscriptGap } from '../../../../src/http/shapes/meetings/transcript.ts'
import { formatDurationWithUnits } from '../../../../src/lib/time/duration-text.ts'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { gapCauseLabel } from '../../meeting-labels.ts'

/** Says between two lines how long nothing was recorded, and why. */
export function GapMark({ gap }: { gap: WireTranscriptGap }) {
  const { startedAt } = gap
  return (
    <div className="gap-mark" role="note">
      <span className="line-time">
        <TimeOfDay at={startedAt} />
      </span>
      <span>{describeGap(gap)}</span>
    </div>
  )
}

export function describeGap({ startedAt, endedAt, cause }: WireTranscriptGap): string {
  const label = gapCauseLabel(cause)
  const why = label === null ? '' : `: ${label}`
  return endedAt === null
    ? `Not recording since then${why}`
    : `${formatDurationWithUnits(Date.parse(endedAt) - Date.parse(startedAt))} not recorded${why}`
}
