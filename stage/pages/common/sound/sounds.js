import { sendReport } from '../feed.js'
import { bytesOf, exchange } from '../loopback.js'
import { createSources } from './sources.js'

/** The codecs of the knob `audioCodec`. PCMU is the sound of a telephone, with 8,000 samples per second. */
const MIME_TYPES = { opus: 'audio/opus', pcmu: 'audio/PCMU' }

const MIN_PACKETS = 5

/**
 * The participants' sound, over a real peer connection with both ends in this page. With `isMixed`, one track
 * carries all speakers; otherwise each of a few tracks carries one speaker at a time. Nothing is created without
 * the knob `hasSound`.
 */
export function createSounds(knobs, { trackCount, isMixed }) {
  let link = null
  let elements = []

  function playTracks() {
    link?.tracks.forEach((track, i) => {
      const element = elements[i]
      if (element === undefined || element.srcObject?.getTracks()[0] === track) return
      element.srcObject = new MediaStream([track])
      element.play().catch((error) => {
        // If a screen is replaced at once, its elements stop playing.
        if (error.name !== 'AbortError') throw error
      })
    })
  }

  return {
    /** Connects the tracks, which are silent until a participant speaks. */
    async connect() {
      if (!knobs.hasSound || link !== null) return
      link = openLink(knobs, trackCount)
      await link.connected
      playTracks()
    },
    /** Plays the tracks in these elements of the page. */
    playIn(next) {
      elements = next
      playTracks()
    },
    async play({ speaker, soundId, sampleRate, base64 }) {
      await link?.connected
      await link?.play(speaker, { samples: floatsOf(base64), sampleRate, isMixed })
      await sendReport({ kind: 'played', soundId })
    },
    close() {
      link?.close()
      link = null
    },
  }
}

function openLink({ audioCodec }, trackCount) {
  const near = new RTCPeerConnection()
  const far = new RTCPeerConnection()
  exchange(near, far)
  exchange(far, near)
  const tracks = []
  const slots = []
  const closed = Promise.withResolvers()
  let context = null
  near.addEventListener('track', ({ track }) => tracks.push(track))

  async function connect() {
    for (let i = 0; i < trackCount; i += 1) {
      const transceiver = near.addTransceiver('audio', { direction: 'recvonly' })
      const codecs = RTCRtpReceiver.getCapabilities('audio').codecs
      const wanted = codecs.filter(({ mimeType }) => mimeType === MIME_TYPES[audioCodec])
      transceiver.setCodecPreferences(wanted)
      const sources = createSources()
      sources.attach(transceiver.receiver)
      slots.push({ sources, receiver: transceiver.receiver, destination: null, speakers: 0 })
    }
    await near.setLocalDescription()
    await far.setRemoteDescription(near.localDescription)
    for (const [i, transceiver] of far.getTransceivers().entries()) {
      transceiver.direction = 'sendonly'
      slots[i].sender = transceiver.sender
    }
    await far.setLocalDescription()
    await near.setRemoteDescription(far.localDescription)
  }
  /** The input of a track. It sends nothing before its first sound. */
  async function inputOf(slot) {
    context ??= new AudioContext({ sampleRate: 48_000 })
    if (slot.destination === null) {
      slot.destination = context.createMediaStreamDestination()
      slot.destination.channelCount = 1
      // Without any input, the browser sends nothing.
      const silence = new ConstantSourceNode(context, { offset: 0 })
      silence.connect(slot.destination)
      silence.start()
      await slot.sender.replaceTrack(slot.destination.stream.getAudioTracks()[0])
      await untilReceived(slot.receiver)
    }
    return slot.destination
  }

  return {
    tracks,
    connected: connect(),
    /** Resolves at the end of the sound. If no track is free, the speaker is not heard. */
    async play({ sourceId }, { samples, sampleRate, isMixed }) {
      const slot = isMixed ? slots[0] : slots.find(({ speakers }) => speakers === 0)
      if (slot === undefined) return
      slot.speakers += 1
      const destination = await inputOf(slot)
      const buffer = context.createBuffer(1, samples.length, sampleRate)
      buffer.copyToChannel(samples, 0)
      const source = new AudioBufferSourceNode(context, { buffer })
      source.connect(destination)
      source.start()
      slot.sources.add(sourceId, samples, sampleRate)
      await new Promise((resolve) => {
        source.addEventListener('ended', resolve, { once: true })
        void closed.promise.then(resolve)
      })
      slot.speakers -= 1
    },
    close() {
      near.close()
      far.close()
      void context?.close()
      closed.resolve()
    },
  }
}

/** A platform's servers send a track before a participant speaks on it, so its first packets are silent. */
async function untilReceived(receiver) {
  for (let left = 100; left > 0; left -= 1) {
    const reports = [...(await receiver.getStats()).values()]
    if (reports.some(({ packetsReceived = 0 }) => packetsReceived > MIN_PACKETS)) return
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

function floatsOf(base64) {
  const samples = new Int16Array(bytesOf(base64).buffer)
  return Float32Array.from(samples, (sample) => sample / 32_768)
}
