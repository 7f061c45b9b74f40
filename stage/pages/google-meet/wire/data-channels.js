import { guestId, tellDeed } from '../../common/feed.js'
import { connectLoopback, deliver } from '../../common/loopback.js'
import { acknowledgement } from './acknowledge.js'

const MEDIA_SESSION = 'stage-media-session-00000001'
/** Where the platform keeps the language of captions: the third value. */
const PREFERENCE = 'rt_g3jartmcups-stage'
const SYNC_MS = 60_000

/** What goes on beneath the page during a call: data channels, and the roster once a minute. */
export function createWire({ knobs, deviceId }) {
  let link = null
  let timer = 0
  let opening = null
  const connected = Promise.withResolvers()

  /** Whole addresses, as the platform's own page writes them: hooks compare them as text. */
  function call(service, name, about) {
    const headers = {
      'x-stage-guest': guestId(),
      'content-type': 'application/x-protobuf',
      authorization: 'SAPISIDHASH stage',
    }
    const url = `${location.origin}/$rpc/google.rtc.meetings.v1.${service}/${name}`
    return fetch(url, { method: 'POST', headers, body: named(about) })
  }
  function sync() {
    return call('MeetingSpaceService', 'SyncMeetingSpaceCollections', deviceId)
  }
  /** The client's own caption channels, opened with the first captions and kept. */
  function openCaptions() {
    opening ??= connected.promise.then(() => Promise.all(knobs.wires.map(openChannel)))
    return opening
  }
  function openChannel(label) {
    const { channel, isHeard } = link.open(label)
    channel.addEventListener('message', ({ data }) => {
      const answer = label === 'captions_v2' ? acknowledgement(data) : null
      if (answer) channel.send(answer)
    })
    return isHeard
  }

  return {
    async connect() {
      localStorage.setItem(PREFERENCE, JSON.stringify([null, null, 1]))
      await call('MeetingDeviceService', 'CreateMeetingDevice', MEDIA_SESSION)
      await call('MediaSessionService', 'GetMediaSession', `mediasessions/${MEDIA_SESSION}`)
      link = await connectLoopback({
        nearOpens: ['media-session', 'media-director', 'meet_messages'],
        farOpens: ['collections'],
      })
      connected.resolve()
      await sync()
      timer = setInterval(sync, SYNC_MS / knobs.speed)
      await tellDeed('entered')
    },
    openCaptions,
    deliver,
    close() {
      clearInterval(timer)
      link?.close()
      link = null
    },
  }
}

/** A message with one text in its first field. */
function named(text) {
  const bytes = new TextEncoder().encode(text)
  return Uint8Array.of(0x0a, bytes.length, ...bytes)
}
