import { pageId, reportAction } from '../../common/feed.js'
import { connectLoopback, deliver } from '../../common/loopback.js'
import { acknowledgement } from './acknowledge.js'

const MEDIA_SESSION = 'stage-media-session-00000001'
/** The platform stores the caption language in the third value under this key. */
const PREFERENCE = 'rt_g3jartmcups-stage'
const SYNC_MS = 60_000

/** The data channels of a call, and the roster request once a minute. */
export function createDataChannels({ knobs, deviceId }) {
  let link = null
  let timer = 0
  let opening = null
  const connected = Promise.withResolvers()

  /** Uses absolute URLs like the platform's own page, because hooks compare them as text. */
  function call(service, name, subject) {
    const headers = {
      'x-stage-page': pageId(),
      'content-type': 'application/x-protobuf',
      authorization: 'SAPISIDHASH stage',
    }
    const url = `${location.origin}/$rpc/google.rtc.meetings.v1.${service}/${name}`
    return fetch(url, { method: 'POST', headers, body: encodeText(subject) })
  }
  function sync() {
    return call('MeetingSpaceService', 'SyncMeetingSpaceCollections', deviceId)
  }
  /** Opens the client's caption channels once, when captions are first turned on. */
  function openCaptions() {
    opening ??= connected.promise.then(() => Promise.all(knobs.wires.map(openChannel)))
    return opening
  }
  function openChannel(label) {
    const { channel, isRegistered } = link.open(label)
    channel.addEventListener('message', ({ data }) => {
      const answer = label === 'captions_v2' ? acknowledgement(data) : null
      if (answer) channel.send(answer)
    })
    return isRegistered
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
      await reportAction('entered')
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

/** A protobuf message with one text in its first field. */
function encodeText(text) {
  const bytes = new TextEncoder().encode(text)
  return Uint8Array.of(0x0a, bytes.length, ...bytes)
}
