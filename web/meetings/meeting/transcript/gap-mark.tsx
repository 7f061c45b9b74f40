import { formatGapText } from '../../../../src/http/shapes/values.ts'
import type { ApiTranscriptGap } from '../../../../src/http/shapes/meetings/transcript.ts'
import { TimeOfDay } from '../../../ui/format/time.tsx'

/** The fields of a gap that the page needs. Events of earlier versions have no text. */
export type ShownGap = Omit<ApiTranscriptGap, 'text'>

/** Says between two lines how long nothing was recorded, and why. */
export function GapMark({ gap }: { gap: ShownGap }) {
  return (
    <div className="gap-mark" role="note">
      <span className="line-time">
        <TimeOfDay at={gap.startedAt} />
      </span>
      <span>{describeGap(gap)}</span>
    </div>
  )
}

/** Uses the same words as the exports. */
export function describeGap({ cause, startedAt, endedAt }: ShownGap): string {
  const endMs = endedAt === null ? null : Date.parse(endedAt)
  return formatGapText({ cause, startMs: Date.parse(startedAt), endMs })
}
