import { sendReport } from './feed.js'

const LINGER_MS = 1_000
const OPEN_TIMEOUT_MS = 30_000

/** The far end of every channel, by key. The stage sends on a channel only after the channel was reported. */
const ends = new Map()
let channels = 0

/** Sends bytes from the stage on one channel. */
export function deliver({ channel, base64 }) {
  const end = ends.get(channel)
  if (end?.readyState === 'open') end.send(bytesOf(base64))
}

/**
 * A real peer connection with both ends in this page. `near` is the platform's client, which a bot hooks. `far` stands
 * for the platform's servers: the stage decides what it sends, and receives its messages.
 */
export async function connectLoopback({ farOpens = [], nearOpens }) {
  const near = new RTCPeerConnection()
  const far = new RTCPeerConnection()
  exchange(near, far)
  exchange(far, near)
  const awaited = new Map()
  let accepted = 0
  let isComplete
  const complete = new Promise((resolve, reject) => {
    isComplete = resolve
    setTimeout(
      () => reject(new Error('no data channel opened; see README.md of the stage')),
      OPEN_TIMEOUT_MS,
    )
  })
  const accept = async (channel) => {
    await forwardChannel(channel)
    awaited.get(channel.label)?.()
    accepted += 1
    if (accepted === nearOpens.length + farOpens.length) isComplete()
  }
  far.addEventListener('datachannel', ({ channel }) => void accept(channel))

  const opened = nearOpens.map((label) => near.createDataChannel(label, { ordered: true }))
  for (const label of farOpens) void accept(far.createDataChannel(label, { ordered: true }))
  await near.setLocalDescription(await near.createOffer())
  await far.setRemoteDescription(near.localDescription)
  await far.setLocalDescription(await far.createAnswer())
  await near.setRemoteDescription(far.localDescription)
  await Promise.all([...opened.map(untilOpen), complete])

  return {
    /** Opens one more channel. `isRegistered` resolves when the stage knows the channel. */
    open(label) {
      const isRegistered = new Promise((resolve) => {
        awaited.set(label, resolve)
      })
      const channel = near.createDataChannel(label, { ordered: true, maxRetransmits: 10 })
      return { channel, isRegistered }
    },
    channel: (label) => opened.find((channel) => channel.label === label),
    /** Closes after a delay, so that messages in flight still arrive. */
    close() {
      setTimeout(() => {
        near.close()
        far.close()
      }, LINGER_MS)
    },
  }
}

/** Passes the candidates of one end to the other. */
export function exchange(from, to) {
  from.addEventListener('icecandidate', ({ candidate }) => {
    if (candidate) void to.addIceCandidate(candidate)
  })
}

/** Reports to the stage that the channel is open, and every message that arrives on its far end. */
async function forwardChannel(channel) {
  const key = `${channel.label}#${++channels}`
  channel.addEventListener('message', ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return
    void sendReport({ kind: 'bytes', channel: key, base64: base64Of(data) })
  })
  await untilOpen(channel)
  ends.set(key, channel)
  await sendReport({ kind: 'channel', label: channel.label, channel: key })
}

function untilOpen(channel) {
  if (channel.readyState === 'open') return Promise.resolve()
  return new Promise((resolve) => {
    channel.addEventListener('open', resolve, { once: true })
  })
}

export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function base64Of(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
}
