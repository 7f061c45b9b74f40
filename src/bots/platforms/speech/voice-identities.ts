/** More voices than one meeting has at the same time. */
const MAX_LEARNED = 500

/**
 * The ids of voices: `participant:` with the id on the wire, `source:` with a contributing source that belongs to nobody
 * yet, or `track:` with the track and a number when the sound has no source.
 */
export function createVoiceIdentities(speakerIdOfSource: (source: number) => string | null) {
  /** The sources of voices that began without one. */
  const learnedSources = new Map<string, number>()
  let unknownVoices = 0
  return {
    identify(source: number): string {
      const speakerId = speakerIdOfSource(source)
      return speakerId === null ? `source:${source}` : `participant:${speakerId}`
    },
    createUnknown: (track: number): string => `track:${track}/${++unknownVoices}`,
    learnSource(voice: string | null, source: number): void {
      if (voice === null) return
      learnedSources.set(voice, source)
      const [oldest] = learnedSources.keys()
      if (learnedSources.size > MAX_LEARNED && oldest !== undefined) learnedSources.delete(oldest)
    },
    /** The participant who has a voice; null while unknown. */
    participantOf(voice: string): string | null {
      const [, kind, id = ''] = /^(participant|source|track):(.*)$/s.exec(voice) ?? []
      if (kind === 'participant') return id
      const source = kind === 'source' ? Number(id) : learnedSources.get(voice)
      return source === undefined ? null : speakerIdOfSource(source)
    },
  }
}
