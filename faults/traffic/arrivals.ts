import type {
  ReceivedCallback,
  ReceiverReply,
  RecordingReceiver,
} from '../../test/support/callbacks/recording-receiver.ts'

export type Arrivals = {
  /** The wall-clock time of the newest caption that has arrived; 0 before the first one. */
  newestCaptionAt(meetingId: string): number
  /** The ages of stored events that arrived for the first time since the last call, in milliseconds. */
  takeAges(meetingIds: ReadonlySet<string>): number[]
}

const CAPTIONS = new Set(['caption_partial', 'segment_finalized'])

type Call = Omit<ReceivedCallback, 'status'>

/** Records what arrives at the receiver. `reply` decides its answers. */
export function followArrivals(
  receiver: RecordingReceiver,
  reply: (call: Call) => ReceiverReply = () => ({ status: 204 }),
): Arrivals {
  const newestCaptions = new Map<string, number>()
  const seen = new Set<string>()
  let ages: Array<{ meetingId: string; ageMs: number }> = []
  receiver.setReply((call) => {
    const { meetingId, sequence, type, timestamp } = call.event
    const at = Date.parse(timestamp)
    if (CAPTIONS.has(type))
      newestCaptions.set(meetingId, Math.max(at, newestCaptions.get(meetingId) ?? 0))
    const id = `${meetingId}_${sequence}`
    if (type !== 'caption_partial' && !seen.has(id)) {
      seen.add(id)
      ages.push({ meetingId, ageMs: Date.now() - at })
    }
    return reply(call)
  })
  return {
    newestCaptionAt: (meetingId) => newestCaptions.get(meetingId) ?? 0,
    takeAges(meetingIds) {
      const taken = ages.filter(({ meetingId }) => meetingIds.has(meetingId))
      ages = []
      return taken.map(({ ageMs }) => ageMs)
    },
  }
}
