import { saveBrowserFunctions } from './browser-functions.js'
import { createTrackReader } from './read-track.js'
import { createResamplers } from './resample-sound.js'

/** How often the listener checks that buffers still arrive. */
const CHECK_MS = 1_000
const MAX_TRACKS = 500

/**
 * Reads remote audio tracks while hearing is on, and sends their sound as 16-bit samples at 16 kHz. Silence is not
 * sent. `sendSound` gets the number of the track, the contributing sources (the dominant one first), the samples as
 * base64, the age of the first sample in milliseconds, and whether silence follows. `playsAtOnce` is true if nothing
 * else plays the tracks.
 */
export function createTrackListener(
  { runGuarded, addListener, base64Of },
  sendSound,
  { playsAtOnce = false } = {},
) {
  const browser = saveBrowserFunctions()
  const { Uint8Array, Math, now } = browser
  const { createResampler } = createResamplers()
  const readers = new Map()
  const player = createSilentPlayer(browser, (error) => runGuarded(() => rethrow(error)))
  let isOn = false
  let count = 0
  let checkTimer = 0

  function sendPiece(id, { sources, samples, startsAt, isEnd }) {
    const ageMs = Math.max(0, now() - startsAt)
    sendSound(id, sources, base64Of(new Uint8Array(samples.buffer)), ageMs, isEnd)
  }
  function start(track, reader) {
    if (reader.isEnded()) readers.delete(track)
    else
      reader.start((error) => {
        if (reader.isEnded()) readers.delete(track)
        if (error !== undefined) runGuarded(() => rethrow(error))
      })
  }
  /** Ends the sound of tracks without new buffers, and makes the browser produce buffers if the page plays nothing. */
  function check() {
    if (!isOn) return
    checkLater()
    const checkedBefore = now() - CHECK_MS
    const reading = [...readers].filter(([, reader]) => reader.isReading())
    const stalled = reading.filter(([, reader]) => reader.receivedAt() < checkedBefore)
    for (const [, reader] of stalled) reader.endSound()
    if (stalled.length > 0 && stalled.length === reading.length)
      player.play(reading.map(([track]) => track))
  }
  function checkLater() {
    checkTimer = browser.setTimeout(() => runGuarded(check), CHECK_MS)
  }

  return {
    /** Reads a remote track until it ends, while hearing is on. */
    addTrack(track, receiver) {
      if (readers.has(track) || readers.size >= MAX_TRACKS) return
      const id = ++count
      const parts = { browser, createResampler }
      const reader = createTrackReader(parts, { track, receiver }, (piece) => sendPiece(id, piece))
      readers.set(track, reader)
      addListener(track, 'ended', () => {
        reader.stop()
        readers.delete(track)
      })
      if (isOn) start(track, reader)
      if (isOn && playsAtOnce) player.play([...readers.keys()])
    },
    setOn(value) {
      if (isOn === value) return
      isOn = value
      browser.clearTimeout(checkTimer)
      for (const [track, reader] of readers) {
        if (isOn) start(track, reader)
        else reader.stop()
      }
      if (isOn) checkLater()
      else player.stop()
    },
  }
}

/**
 * The browser produces sound of remote tracks only while the page plays one of them. Some pages play nothing until a
 * person clicks, so a muted element outside the page plays all tracks.
 */
function createSilentPlayer(browser, onError) {
  let element = null
  let playing = []
  return {
    play(tracks) {
      if (tracks.length === playing.length && tracks.every((track, i) => track === playing[i]))
        return
      element ??= browser.createMutedAudio()
      playing = tracks
      browser.playTracks(element, tracks, onError)
    },
    stop() {
      if (element !== null) browser.playTracks(element, [], onError)
      element = null
      playing = []
    },
  }
}

function rethrow(error) {
  throw error
}
