const KEY = Symbol.for('stage.setContributingSources')
/** A browser lists a source for this long after its last packet. */
const LISTED_MS = 10_000
/** How long sound takes through the encoder and the buffer of the receiver. */
const DELAY_MS = 50
const LEVEL_MS = 20

/** The contributing sources of one receiver. They change with the sound that is played to it. */
export function createSources() {
  let played = []

  function read() {
    const now = performance.now()
    played = played.filter(({ endsAt }) => now < endsAt + LISTED_MS)
    const latest = new Map()
    for (const sound of played) {
      if (now < sound.startsAt + DELAY_MS) continue
      const at = Math.min(now, sound.endsAt + DELAY_MS)
      const step = Math.floor((at - DELAY_MS - sound.startsAt) / LEVEL_MS)
      latest.set(sound.source, {
        source: sound.source,
        timestamp: performance.timeOrigin + at,
        rtpTimestamp: Math.round(at * 48) % 2 ** 32,
        audioLevel: sound.levels[Math.min(step, sound.levels.length - 1)] ?? 0,
      })
    }
    return [...latest.values()]
  }
  return {
    add(source, samples, rate) {
      const startsAt = performance.now()
      const endsAt = startsAt + (samples.length * 1_000) / rate
      played.push({
        source,
        startsAt,
        endsAt,
        levels: levelsOf(samples, (rate * LEVEL_MS) / 1_000),
      })
    },
    /** Without the script in contributing-sources.script.js, the receiver has no sources. */
    attach(receiver) {
      RTCRtpReceiver[KEY]?.(receiver, read)
    },
  }
}

function levelsOf(samples, size) {
  const levels = []
  for (let at = 0; at < samples.length; at += size) {
    const part = samples.slice(Math.floor(at), Math.floor(at + size))
    const energy = part.reduce((sum, sample) => sum + sample * sample, 0)
    levels.push(Math.sqrt(energy / Math.max(1, part.length)))
  }
  return levels
}
