import type { ParticipantListItem } from '../bridge/messages.ts'
import type { Participant } from '../platform.ts'

const HOST = /\bhost\b/i
const SELF = /^\(.{1,20}\)$/
const SCREEN = /^presentation$/i

/** Parses an entry of the participant list. Only the bot's own entry has a note in brackets: "(You)". */
export function parseGoogleMeetParticipant(
  item: ParticipantListItem,
): Omit<Participant, 'id'> | null {
  const name = item.label || (item.notes[0] ?? '')
  const notes = item.notes.filter((note) => note !== name)
  if (name === '' || notes.some((note) => SCREEN.test(note))) return null
  return {
    name,
    ...(notes.some((note) => HOST.test(note)) && { isHost: true }),
    ...(notes.some((note) => SELF.test(note)) && { isSelf: true }),
  }
}
