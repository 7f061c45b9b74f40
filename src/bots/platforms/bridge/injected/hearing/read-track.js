import { selectSources } from './select-sources.js'
import { createSoundGate } from './sound-gate.js'

/** Buffers of 10 ms that may wait while the page is busy. After that the oldest sound is lost. */
const MAX_WAITING_BUFFERS = 500
/** How often a silent track is read. Reading each buffer as it arrives costs more. */
const SILENT_READ_MS = 200
/** If a buffer is younger than this, no more buffers were waiting. */
const CAUGHT_UP_MS = 25
const MAX_RATE = 384_000
/** Buffer times use the page's clock. A larger age means that this browser uses another clock. */
const MAX_AGE_MS = 30_000

/** Reads the sound of one track and passes its pieces on. */
export function createTrackReader({ browser, createResampler }, { track, receiver }, onPiece) {
  const { Float32Array, Promise, now, timeOrigin } = browser
  const gate = createSoundGate(createResampler, onPiece)
  let reader = null
  let receivedAt = 0
  let dominant = null
  let mono = new Float32Array(0)
  let other = new Float32Array(0)

  function readSources(heardAt) {
    if (receiver === null) return []
    const listed = browser.getContributingSources(receiver)
    const sources = selectSources(listed, timeOrigin + heardAt, dominant)
    dominant = sources[0] ?? dominant
    return sources
  }
  /** Mixes all channels into `mono`, which is reused for the next buffer. */
  function mixChannels(data, { numberOfFrames, numberOfChannels }) {
    if (mono.length !== numberOfFrames) {
      mono = new Float32Array(numberOfFrames)
      other = new Float32Array(numberOfFrames)
    }
    browser.copyTo(data, mono, { planeIndex: 0, format: 'f32-planar' })
    if (numberOfChannels === 1) return
    for (let planeIndex = 1; planeIndex < numberOfChannels; planeIndex += 1) {
      browser.copyTo(data, other, { planeIndex, format: 'f32-planar' })
      for (let i = 0; i < numberOfFrames; i += 1) mono[i] += other[i]
    }
    for (let i = 0; i < numberOfFrames; i += 1) mono[i] /= numberOfChannels
  }
  /** Returns the age of the buffer. */
  function addBuffer(data) {
    const format = browser.readFormat(data)
    const { sampleRate, numberOfFrames, timestamp } = format
    receivedAt = now()
    const age = receivedAt - timestamp / 1_000
    const ageMs = age >= 0 && age < MAX_AGE_MS ? age : 0
    const isUsable = sampleRate > 0 && sampleRate <= MAX_RATE && numberOfFrames <= sampleRate
    if (isUsable && numberOfFrames > 0) {
      mixChannels(data, format)
      const heardAt = receivedAt - ageMs
      gate.add(mono, sampleRate, heardAt, () => readSources(heardAt))
    }
    return ageMs
  }
  async function readBuffers(current) {
    for (;;) {
      const { done, value } = await browser.read(current)
      if (done || value === undefined) return
      let ageMs = 0
      try {
        if (reader === current) ageMs = addBuffer(value)
      } finally {
        browser.close(value)
      }
      if (!gate.isOpen() && ageMs < CAUGHT_UP_MS)
        await new Promise((resolve) => browser.setTimeout(resolve, SILENT_READ_MS))
    }
  }
  function stop() {
    if (reader === null) return
    browser.cancel(reader)
    reader = null
    gate.end()
  }

  return {
    isReading: () => reader !== null,
    isEnded: () => browser.isEnded(track),
    receivedAt: () => receivedAt,
    /** Ends the current sound, for a track that sends no more buffers. */
    endSound: gate.end,
    /** Calls `onStop` with an error, or without arguments if the track has ended or `stop` was called. */
    start(onStop) {
      if (reader !== null) return
      const current = browser.openReader(track, MAX_WAITING_BUFFERS)
      reader = current
      browser.whenSettled(readBuffers(current), (error) => {
        if (reader === current) stop()
        onStop(error)
      })
    },
    stop,
  }
}
