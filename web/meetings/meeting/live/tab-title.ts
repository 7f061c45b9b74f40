import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { MeetingStatus } from '../../../../src/http/shapes/values.ts'

/** What the browser tab says before the title of a meeting, so that a tab in the background tells how it goes. */
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
