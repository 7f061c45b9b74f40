import type { VoiceAssigner } from '../../speech/voice-assigner.ts'
import type { WireReader } from '../../wire/wire-reader.ts'

/** More voices than speak while one of them is recognized. */
const MAX_VOICES = 200

/** Names voices by the roster of the wire. */
export function createVoiceNames(
  { roster }: Pick<WireReader, 'roster'>,
  { participantOf }: Pick<VoiceAssigner, 'participantOf'>,
) {
  /** By voice: the name of the participant who was alone with the bot while the voice spoke. */
  const onlyNames = new Map<string, string>()
  return {
    /** Notes who can have this voice now, for a voice without a participant. */
    noteSound(voice: string): void {
      if (onlyNames.has(voice) || participantOf(voice) !== null) return
      const [only, ...others] = roster.presentParticipants()
      onlyNames.set(voice, others.length === 0 ? (only?.name ?? '') : '')
      const [oldest] = onlyNames.keys()
      if (onlyNames.size > MAX_VOICES && oldest !== undefined) onlyNames.delete(oldest)
    },
    /** The name of the speaker; empty when it is unknown. */
    nameOf(voice: string): string {
      const id = participantOf(voice)
      return id === null ? (onlyNames.get(voice) ?? '') : (roster.nameOf(id) ?? '')
    },
    isBot(voice: string): boolean {
      const id = participantOf(voice)
      return id !== null && roster.isSelf(id)
    },
  }
}
