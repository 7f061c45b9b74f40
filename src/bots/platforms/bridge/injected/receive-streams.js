import { createTrackListener } from './hearing/hear-tracks.js'
import { createMessageSender } from './message-sender.js'

/** The largest data channel message that is passed on. */
const MAX_DATA_BYTES = 128 * 1_024

/**
 * Receives the sound of connections to a server. Each track has its own listener, so its sound is sent with the ids of
 * its connection, its stream and itself. Messages of data channels are passed on as they are.
 */
export function receiveStreams(send) {
  const tools = createMessageSender(send)
  const connections = new Map()

  function open(id, { maxTracks, channels = [], ...configuration }) {
    const connection = new RTCPeerConnection(configuration)
    const opened = { connection, maxTracks, listeners: new Map(), channels: new Map() }
    connection.addEventListener('track', ({ track, receiver, streams }) =>
      tools.runGuarded(() =>
        hear(id, opened, { track, receiver, stream: `${streams[0]?.id ?? ''}|${track.id}` }),
      ),
    )
    connection.addEventListener('datachannel', ({ channel }) => readChannel(id, channel))
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate !== null && candidate.candidate !== '')
        send(['candidate', id, candidate.toJSON()])
    })
    connection.addEventListener('connectionstatechange', () =>
      send(['state', id, connection.connectionState]),
    )
    for (const label of channels) {
      const channel = connection.createDataChannel(label)
      opened.channels.set(label, channel)
      readChannel(id, channel)
    }
    connections.set(id, opened)
    return opened
  }
  function hear(id, { listeners, maxTracks }, { track, receiver, stream }) {
    if (track.kind !== 'audio') return
    // A server may use the same track for another participant later.
    listeners.get(track)?.setOn(false)
    listeners.delete(track)
    for (const known of listeners.keys()) if (known.readyState !== 'live') listeners.delete(known)
    if (listeners.size >= maxTracks) return
    const listener = createTrackListener(
      tools,
      (_track, _sources, data, ageMs, isEnd) => send(['sound', id, stream, data, ageMs, isEnd]),
      { playsAtOnce: true },
    )
    listeners.set(track, listener)
    listener.setOn(true)
    listener.addTrack(track, receiver)
  }
  function readChannel(id, channel) {
    channel.binaryType = 'arraybuffer'
    tools.addListener(channel, 'message', ({ data }) => {
      if (data instanceof ArrayBuffer && data.byteLength <= MAX_DATA_BYTES)
        send(['data', id, tools.base64Of(new Uint8Array(data))])
    })
  }

  return {
    /** Answers an offer of a new or known connection with a session description. */
    async answer(id, sdp, settings) {
      const { connection } = connections.get(id) ?? open(id, settings)
      await connection.setRemoteDescription({ type: 'offer', sdp })
      await connection.setLocalDescription()
      return connection.localDescription.sdp
    },
    /** Offers a new connection, or looks for another network path of a known one. */
    async offer(id, settings) {
      const known = connections.get(id)
      known?.connection.restartIce()
      const { connection } = known ?? open(id, settings)
      await connection.setLocalDescription()
      return connection.localDescription.sdp
    },
    async accept(id, sdp) {
      await connections.get(id)?.connection.setRemoteDescription({ type: 'answer', sdp })
    },
    async addCandidate(id, candidate) {
      await connections.get(id)?.connection.addIceCandidate(candidate)
    },
    /** Sends base64 data over a channel. Returns false if it is not open. */
    sendData(id, label, data) {
      const channel = connections.get(id)?.channels.get(label)
      if (channel?.readyState !== 'open') return false
      channel.send(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)))
      return true
    },
    /** Closes a connection after its last sound was sent. */
    async close(id) {
      const closed = connections.get(id)
      if (closed === undefined) return
      connections.delete(id)
      for (const listener of closed.listeners.values()) listener.setOn(false)
      // The listeners send their remaining sound before the next task.
      await new Promise((resolve) => setTimeout(resolve))
      closed.connection.close()
    },
  }
}
