import type { LaneRecord } from '../../../src/deliveries/lane/lane-record.ts'

/** The lane of a meeting that has delivered nothing yet. */
export const NEW_LANE: LaneRecord = {
  id: 'lane_1',
  fence: 1,
  meetingId: 'meeting_1',
  kind: 'meeting',
  url: 'http://a.test/',
  tokenId: 'token_1',
  events: null,
  meetingEndedAt: null,
  state: 'open',
  deliveredThrough: 0,
  previousSequence: 0,
  failures: 0,
  rejections: 0,
  failingSince: null,
  dueAt: 0,
  lastError: null,
}
