import { tell } from './feed.js'

const LINGER_MS = 1_000
const PATIENCE_MS = 30_000

/** The far end of every channel by its key: the show sends as soon as it has heard of one. */
const ends = new Map()
let channels = 0

/** Bytes of the show for one channel. */
export function deliver({ channel, base64 }) {
  const end = ends.get(channel)
  if (end?.readyState === 'open') end.send(bytesOf(base64))
}

/**
 * A real peer connection with both ends in this page: `near` is the platform's client, the one that hooks
 * look at, and `far` stands for the platform's servers. What `far` sends and hears is the matter of the show.
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
      PATIENCE_MS,
    )
  })
  const accept = async (channel) => {
    await attend(channel)
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
    /** Opens one more channel; `isHeard` resolves when the show knows of it. */
    open(label) {
      const isHeard = new Promise((resolve) => {
        awaited.set(label, resolve)
      })
      const channel = near.createDataChannel(label, { ordered: true, maxRetransmits: 10 })
      return { channel, isHeard }
    },
    channel: (label) => opened.find((channel) => channel.label === label),
    /** What is still on its way arrives first, as it would from servers. */
    close() {
      setTimeout(() => {
        near.close()
        far.close()
      }, LINGER_MS)
    },
  }
}

function exchange(from, to) {
  from.addEventListener('icecandidate', ({ candidate }) => {
    if (candidate) void to.addIceCandidate(candidate)
  })
}

/** The far end of a channel: the show is told that it is open, and what comes in on it. */
async function attend(channel) {
  const key = `${channel.label}#${++channels}`
  channel.addEventListener('message', ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return
    void tell({ kind: 'bytes', channel: key, base64: base64Of(data) })
  })
  await untilOpen(channel)
  ends.set(key, channel)
  await tell({ kind: 'channel', label: channel.label, channel: key })
}

function untilOpen(channel) {
  if (channel.readyState === 'open') return Promise.resolve()
  return new Promise((resolve) => {
    channel.addEventListener('open', resolve, { once: true })
  })
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function base64Of(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
}
