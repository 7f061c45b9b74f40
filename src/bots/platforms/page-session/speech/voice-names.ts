import type { WireReader } from '../../wire/wire-reader.ts'

/** Names the voices of a voice assigner by the roster of the wire. */
export function createVoiceNames({ roster, speakerIdOfSource }: WireReader) {
  /** The wire id of the participant who has a voice. A source may have become known since the voice began. */
  function participantOf(voice: string): string | null {
    const [, kind, id = ''] = /^(participant|source):(.*)$/s.exec(voice) ?? []
    if (kind === 'source') return speakerIdOfSource?.(Number(id)) ?? null
    return kind === 'participant' ? id : null
  }
  return {
    /** The name of the speaker; empty when it is unknown. Without an id, the only participant must be the speaker. */
    nameOf(voice: string): string {
      const id = participantOf(voice)
      if (id !== null) return roster.nameOf(id) ?? ''
      const [only, ...others] = roster.presentParticipants()
      return others.length === 0 ? (only?.name ?? '') : ''
    },
    isBot(voice: string): boolean {
      const id = participantOf(voice)
      return id !== null && roster.isSelf(id)
    },
  }
}
