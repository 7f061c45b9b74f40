import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { MeetingStatus } from '../../../../src/http/shapes/values.ts'

/** The prefix of a meeting's title in the browser tab, so that a background tab shows the meeting's status. */
const STATUS_PREFIXES: Record<MeetingStatus, string> = {
  scheduled: '',
  joining: 'Joining · ',
  lobby: 'Waiting in the lobby · ',
  live: '● Live · ',
  stopping: 'Leaving · ',
  leaving: 'Leaving · ',
  ended: '',
  error: 'Failed · ',
}

export function meetingTabTitle({
  status,
  title,
}: Pick<WireMeetingDetail, 'status' | 'title'>): string {
  return `${STATUS_PREFIXES[status]}${title}`
}
