import type { Meeting } from '../meeting.ts'
import type { MeetingMetrics } from '../metrics.ts'
import type { MeetingWriter } from '../record/meeting-writer.ts'
import type { EndReason, MeetingStatus } from '../status.ts'

const STATUSES_BEFORE_ADMISSION = new Set<MeetingStatus>(['joining', 'lobby'])

/** Counts the segments, the join result and the end of one meeting, each after it was stored. */
export function wrapWriterToCountMetrics(
  writer: MeetingWriter,
  { platform, status }: Pick<Meeting, 'platform' | 'status'>,
  metrics: MeetingMetrics,
): MeetingWriter {
  let isJoining = STATUSES_BEFORE_ADMISSION.has(status)
  const countJoinResult = (result: 'admitted' | EndReason) => {
    if (isJoining) metrics.countJoinResult(platform, result)
    isJoining = false
  }
  return {
    ...writer,
    async changeStatus(change) {
      const isChanged = await writer.changeStatus(change)
      if (isChanged && change.to === 'live') countJoinResult('admitted')
      if (isChanged && (change.to === 'ended' || change.to === 'error')) {
        const reason = change.reason ?? 'internal'
        countJoinResult(reason)
        metrics.countEnded(platform, reason)
      }
      return isChanged
    },
    async writeSegments(...args) {
      const rows = await writer.writeSegments(...args)
      metrics.countSegments(platform, rows.length)
      return rows
    },
  }
}
