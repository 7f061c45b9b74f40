import { tell } from './feed.js'

/**
 * A real peer connection with both ends in this page: `near` is the platform's client, the one that hooks
 * look at, and `far` stands for the platform's servers. What `far` sends and hears is the matter of the show.
 */
export async function connectLoopback({ farOpens = [], nearOpens }) {
  const near = new RTCPeerConnection()
  const far = new RTCPeerConnection()
  const ends = new Map()
  exchange(near, far)
  exchange(far, near)
  far.addEventListener('datachannel', ({ channel }) => attend(channel, ends))

  const opened = nearOpens.map((label) => near.createDataChannel(label, { ordered: true }))
  for (const label of farOpens) attend(far.createDataChannel(label, { ordered: true }), ends)
  await near.setLocalDescription(await near.createOffer())
  await far.setRemoteDescription(near.localDescription)
  await far.setLocalDescription(await far.createAnswer())
  await near.setRemoteDescription(far.localDescription)
  await Promise.all(opened.map(untilOpen))

  return {
    open: (label) => near.createDataChannel(label, { ordered: true, maxRetransmits: 10 }),
    channel: (label) => opened.find((channel) => channel.label === label),
    /** Bytes of the show for one channel. */
    deliver: ({ channel, base64 }) => ends.get(channel)?.send(bytesOf(base64)),
    close() {
      near.close()
      far.close()
    },
  }
}

function exchange(from, to) {
  from.addEventListener('icecandidate', ({ candidate }) => {
    if (candidate) void to.addIceCandidate(candidate)
  })
}

/** The far end of a channel: the show is told that it is open, and what comes in on it. */
function attend(channel, ends) {
  const key = `${channel.label}#${ends.size + 1}`
  ends.set(key, channel)
  channel.addEventListener('message', ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return
    void tell({ kind: 'bytes', channel: key, base64: base64Of(data) })
  })
  void untilOpen(channel).then(() => tell({ kind: 'channel', label: channel.label, channel: key }))
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
