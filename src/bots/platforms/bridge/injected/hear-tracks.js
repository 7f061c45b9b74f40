const RATE = 16_000
/** Sound is sent in pieces of this length. */
const PIECE_SAMPLES = RATE / 5
/** Quieter sound than this root mean square (about -56 dB) is silence. */
const QUIET = 0.0016
/** Silence after sound is sent for this long, so that a pause between two words does not end the sound. */
const TAIL_SAMPLES = RATE * 0.8
/** Silence before sound is sent too, because a word starts quietly. */
const LEAD_SAMPLES = RATE * 0.4
/** On each side of a sample, in samples of the lower rate. */
const TAPS = 8

/**
 * Reads remote audio tracks while hearing is on, and sends their sound as 16 bit samples. Silence is not sent, so it
 * costs almost nothing. `sendSound` gets the number of the track, the contributing sources (loudest first), the samples
 * as base64, the age of the first sample in milliseconds, and whether silence follows.
 */
export function createTrackListener({ runGuarded, base64Of }, sendSound) {
  const { MediaStreamTrackProcessor, Float32Array, Int16Array, Uint8Array, Reflect } = globalThis
  const { performance, Math } = globalThis
  const { getContributingSources } = globalThis.RTCRtpReceiver.prototype
  const tracks = new Set()
  let isOn = false
  let count = 0

  async function read(entry) {
    if (entry.reader !== null || entry.track.readyState !== 'live') return
    const reader = new MediaStreamTrackProcessor({ track: entry.track }).readable.getReader()
    entry.reader = reader
    const output = createOutput(entry)
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done || value === undefined) break
        try {
          if (entry.reader === reader) output.add(value)
        } finally {
          value.close()
        }
      }
    } finally {
      output.end()
      if (entry.reader === reader) entry.reader = null
    }
  }
  function sourcesOf({ receiver }) {
    if (receiver === null) return []
    const sources = Reflect.apply(getContributingSources, receiver, [])
    return sources
      .toSorted((a, b) => (b.audioLevel ?? 0) - (a.audioLevel ?? 0))
      .map(({ source }) => source)
  }

  /** Finds sound in the samples of one track and sends it in pieces. */
  function createOutput(entry) {
    let resampler = null
    let held = []
    let heldSamples = 0
    let quietSamples = Infinity
    let sources = []

    function flush(isEnd) {
      const samples = new Int16Array(heldSamples)
      let at = 0
      for (const part of held) {
        samples.set(part, at)
        at += part.length
      }
      held = []
      heldSamples = 0
      const ageMs = (samples.length * 1_000) / RATE
      sendSound(entry.id, sources, base64Of(new Uint8Array(samples.buffer)), ageMs, isEnd)
    }
    function hold(samples) {
      held.push(samples)
      heldSamples += samples.length
    }
    function dropOldLead() {
      while (held.length > 0 && heldSamples - held[0].length >= LEAD_SAMPLES)
        heldSamples -= held.shift().length
    }
    return {
      add(data) {
        const floats = monoOf(data)
        if (resampler?.rate !== data.sampleRate) resampler = createResampler(data.sampleRate)
        const { samples, level } = resampler.add(floats)
        const wasOpen = quietSamples < TAIL_SAMPLES
        quietSamples = level < QUIET ? quietSamples + samples.length : 0
        hold(samples)
        if (quietSamples >= TAIL_SAMPLES) {
          if (wasOpen) flush(true)
          else dropOldLead()
          return
        }
        const current = sourcesOf(entry)
        if (!wasOpen) sources = current
        else if (current.join() !== sources.join() && current.length > 0) {
          flush(false)
          sources = current
        }
        if (heldSamples >= PIECE_SAMPLES) flush(false)
      },
      end() {
        if (quietSamples < TAIL_SAMPLES) flush(true)
      },
    }
  }
  function monoOf(data) {
    const mono = new Float32Array(data.numberOfFrames)
    data.copyTo(mono, { planeIndex: 0, format: 'f32-planar' })
    return mono
  }
  /** Changes the sample rate with a windowed sinc filter, and measures the level of what it returns. */
  function createResampler(rate) {
    const step = rate / RATE
    const scale = Math.min(1, RATE / rate)
    const reach = Math.ceil(TAPS / scale)
    let input = new Float32Array(2 * reach)
    /** The position of the next output sample in `input`. */
    let position = reach
    const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
    const weigh = (x) =>
      Math.abs(x) >= reach
        ? 0
        : sinc(x * scale) * scale * (0.5 + 0.5 * Math.cos((Math.PI * x) / reach))
    return {
      rate,
      add(floats) {
        const joined = new Float32Array(input.length + floats.length)
        joined.set(input)
        joined.set(floats, input.length)
        const size = Math.max(0, Math.ceil((joined.length - reach - position) / step))
        const samples = new Int16Array(size)
        let energy = 0
        for (let i = 0; i < size; i += 1) {
          const center = position + i * step
          const first = Math.ceil(center - reach)
          let sum = 0
          for (let j = first; j < center + reach; j += 1)
            sum += (joined[j] ?? 0) * weigh(j - center)
          energy += sum * sum
          samples[i] = Math.max(-1, Math.min(1, sum)) * 32_767
        }
        position += size * step
        const used = Math.floor(position - reach)
        input = joined.slice(used)
        position -= used
        return { samples, level: size === 0 ? 0 : Math.sqrt(energy / size) }
      },
    }
  }

  function start(entry) {
    read(entry).catch((error) =>
      runGuarded(() => {
        throw error
      }),
    )
  }
  return {
    /** Reads a remote track from now until it ends, while hearing is on. */
    addTrack(track, receiver) {
      const entry = { id: ++count, track, receiver, reader: null }
      tracks.add(entry)
      track.addEventListener('ended', () => tracks.delete(entry))
      if (isOn) start(entry)
    },
    setOn(value) {
      isOn = value
      for (const entry of tracks) {
        if (isOn) start(entry)
        else if (entry.reader !== null) void entry.reader.cancel()
      }
    },
  }
}
