/** Which participant each contributing source of the sound belongs to. */
export interface SourceSpeakers {
  /** A source that belonged to another participant belongs to this one from now on. */
  assign(source: number, speakerId: string): void
  /** The sources of a participant are these, and no others. */
  replaceSourcesOf(speakerId: string, sources: readonly number[]): void
  speakerIdOf(source: number): string | null
}

/** More than any meeting has. What was assigned first is dropped first. */
const MAX_SOURCES = 10_000
const MAX_SOURCES_OF_ONE = 16

export function createSourceSpeakers(): SourceSpeakers {
  const speakers = new Map<number, string>()
  const replaced = new Map<string, readonly number[]>()

  function assign(source: number, speakerId: string): void {
    setNewest(speakers, source, speakerId)
  }
  return {
    assign,
    replaceSourcesOf(speakerId, sources) {
      for (const source of replaced.get(speakerId) ?? [])
        if (speakers.get(source) === speakerId) speakers.delete(source)
      const current = sources.slice(0, MAX_SOURCES_OF_ONE)
      for (const source of current) assign(source, speakerId)
      setNewest(replaced, speakerId, current)
    },
    speakerIdOf: (source) => speakers.get(source) ?? null,
  }
}

function setNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > MAX_SOURCES && oldest !== undefined) map.delete(oldest)
}

/** Reads the number of a source, an unsigned 32 bit number, from a wire; null when it is none. */
export function parseSource(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return null
  const source = Number(text)
  return source <= 0xffff_ffff ? source : null
}
