import { guestId, tellDeed } from '../common/feed.js'
import { connectLoopback } from '../common/loopback.js'
import { acknowledgement } from './acknowledge.js'

const SERVICE = '/$rpc/google.rtc.meetings.v1'
const SYNC_MS = 60_000

/** What goes on beneath the page during a call: data channels, and the roster once a minute. */
export function createWire({ knobs }) {
  let link = null
  let timer = 0
  let hasCaptions = false

  function call(service, name) {
    const headers = { 'x-stage-guest': guestId(), 'content-type': 'application/x-protobuf' }
    return fetch(`${SERVICE}.${service}/${name}`, { method: 'POST', headers, body: '' })
  }
  function sync() {
    return call('MeetingSpaceService', 'SyncMeetingSpaceCollections')
  }
  function openCaptions() {
    if (link === null || hasCaptions) return
    hasCaptions = true
    for (const label of knobs.wires) {
      const channel = link.open(label)
      if (label !== 'captions_v2') continue
      channel.addEventListener('message', ({ data }) => {
        const answer = acknowledgement(data)
        if (answer) channel.send(answer)
      })
    }
  }

  return {
    async connect() {
      await call('MeetingDeviceService', 'CreateMeetingDevice')
      link = await connectLoopback({
        nearOpens: ['media-session', 'media-director', 'meet_messages'],
        farOpens: ['collections'],
      })
      await sync()
      timer = setInterval(sync, SYNC_MS / knobs.speed)
      await tellDeed('entered')
    },
    openCaptions,
    deliver: (bytes) => link?.deliver(bytes),
    close() {
      clearInterval(timer)
      link?.close()
      link = null
    },
  }
}
