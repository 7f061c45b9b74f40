import { SPEECH_RATE } from './resample-sound.js'

/** The length of the pieces in which sound is passed on. */
const PIECE_SAMPLES = SPEECH_RATE / 5
/** Sound with a smaller root mean square (about -56 dB) is silence. */
const QUIET = 0.0016
/** The silence before sound is passed on too, because a word starts quietly. */
const LEAD_MS = 400
/** The silence after sound is passed on for this long, so that a pause between two words does not end the sound. */
const TAIL_MS = 800
/** If the times of two parts differ from their lengths by more than this, something between them is missing. */
const MAX_JUMP_MS = 100

/**
 * Finds sound in the samples of one track and passes it on in pieces, each with one dominant source. Silence is only
 * measured, which costs little.
 */
export function createSoundGate(createResampler, onPiece) {
  const { Float32Array, Int16Array, Math } = globalThis
  let rate = 0
  let lead = new Float32Array(0)
  let leadSize = 0
  let leadEnd = 0
  let resample = null
  let quietMs = 0
  let sources = []
  let piece = new Int16Array(PIECE_SAMPLES)
  let pieceSize = 0
  let pieceStartsAt = 0
  let endsAt = 0

  function flush(isEnd) {
    if (pieceSize === 0 && !isEnd) return
    onPiece({ sources, samples: piece.slice(0, pieceSize), startsAt: pieceStartsAt, isEnd })
    pieceStartsAt += (pieceSize * 1_000) / SPEECH_RATE
    pieceSize = 0
  }
  function pass(input) {
    const samples = resample(input)
    for (let at = 0; at < samples.length;) {
      const size = Math.min(samples.length - at, PIECE_SAMPLES - pieceSize)
      piece.set(samples.subarray(at, at + size), pieceSize)
      pieceSize += size
      at += size
      if (pieceSize === PIECE_SAMPLES) flush(false)
    }
  }
  function keepLead(input) {
    const size = Math.min(input.length, lead.length)
    const kept = input.subarray(input.length - size)
    const untilEnd = Math.min(size, lead.length - leadEnd)
    lead.set(kept.subarray(0, untilEnd), leadEnd)
    lead.set(kept.subarray(untilEnd))
    leadEnd = (leadEnd + size) % lead.length
    leadSize = Math.min(leadSize + size, lead.length)
  }
  function takeLead() {
    const taken = new Float32Array(leadSize)
    for (let i = 0; i < leadSize; i += 1)
      taken[i] = lead[(leadEnd - leadSize + i + lead.length) % lead.length]
    leadSize = 0
    return taken
  }
  function open(at) {
    const before = takeLead()
    resample = createResampler(rate)
    pieceStartsAt = at - (before.length * 1_000) / rate
    quietMs = 0
    pass(before)
  }
  function end() {
    if (resample === null) return
    resample = null
    flush(true)
  }
  function setRate(next) {
    end()
    rate = next
    lead = new Float32Array(Math.round((next * LEAD_MS) / 1_000))
    leadSize = 0
    leadEnd = 0
  }

  return {
    isOpen: () => resample !== null,
    /**
     * Adds the track's next samples. `at` is the time of the first one; `readSources` returns the current sources of
     * the sound, the dominant one first.
     */
    add(input, inputRate, at, readSources) {
      if (inputRate !== rate) setRate(inputRate)
      const durationMs = (input.length * 1_000) / rate
      const hasJumped = Math.abs(at - endsAt) > MAX_JUMP_MS
      endsAt = at + durationMs
      if (hasJumped) leadSize = 0
      const isQuiet = levelOf(input) < QUIET
      if (resample === null) {
        if (isQuiet) return keepLead(input)
        sources = readSources()
        open(at)
      } else {
        if (hasJumped) {
          flush(false)
          pieceStartsAt = at
        }
        const current = readSources()
        if (current.length > 0) {
          if (current[0] !== sources[0]) flush(false)
          sources = current
        }
      }
      quietMs = isQuiet ? quietMs + durationMs : 0
      pass(input)
      if (quietMs >= TAIL_MS) end()
    },
    /** Call this when the track is silent from now on. */
    end,
  }
}

function levelOf(input) {
  let energy = 0
  for (let i = 0; i < input.length; i += 1) energy += input[i] * input[i]
  return Math.sqrt(energy / Math.max(1, input.length))
}
