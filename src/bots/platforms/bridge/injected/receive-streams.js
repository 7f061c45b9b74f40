import { createTrackListener } from './hearing/hear-tracks.js'
import { createMessageSender } from './message-sender.js'

/**
 * Receives the sound of streams that a server offers. Each stream has its own connection and listener, so its sound is
 * sent with the stream's id.
 */
export function receiveStreams(send) {
  const tools = createMessageSender(send)
  const streams = new Map()

  function open(id, configuration) {
    const connection = new RTCPeerConnection(configuration)
    const listener = createTrackListener(
      tools,
      (_track, _sources, data, ageMs, isEnd) => send(['sound', id, data, ageMs, isEnd]),
      { playsAtOnce: true },
    )
    const stream = { connection, listener, track: null }
    listener.setOn(true)
    connection.addEventListener('track', ({ track, receiver }) =>
      tools.runGuarded(() => hear(stream, track, receiver)),
    )
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate !== null && candidate.candidate !== '')
        send(['candidate', id, candidate.toJSON()])
    })
    connection.addEventListener('connectionstatechange', () =>
      send(['state', id, connection.connectionState]),
    )
    streams.set(id, stream)
    return stream
  }
  function hear(stream, track, receiver) {
    // A stream is the sound of one participant, and a second track would be mixed into it.
    if (track.kind !== 'audio' || stream.track?.readyState === 'live') return
    stream.track = track
    stream.listener.addTrack(track, receiver)
  }

  return {
    /** Answers an offer of a new or known stream with a session description. */
    async answer(id, sdp, configuration) {
      const { connection } = streams.get(id) ?? open(id, configuration)
      await connection.setRemoteDescription({ type: 'offer', sdp })
      await connection.setLocalDescription()
      return connection.localDescription.sdp
    },
    async addCandidate(id, candidate) {
      await streams.get(id)?.connection.addIceCandidate(candidate)
    },
    /** Closes a stream after its last sound was sent. */
    async close(id) {
      const stream = streams.get(id)
      if (stream === undefined) return
      streams.delete(id)
      stream.listener.setOn(false)
      // The listener sends its remaining sound before the next task.
      await new Promise((resolve) => setTimeout(resolve))
      stream.connection.close()
    },
  }
}
