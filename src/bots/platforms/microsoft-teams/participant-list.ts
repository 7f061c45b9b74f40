import type { ParticipantListItem } from '../bridge/messages.ts'
import type { Participant, JoinRequest } from '../platform.ts'

/** The note that Teams adds to the names of participants without an account. */
const NOTE = /\s*\((?:guest|unverified|external)\)$/i

/** Parses an entry of the participant list, whose label continues after the name: "Ana, Organizer, muted". */
export function parseMicrosoftTeamsParticipant(
  item: ParticipantListItem,
  { displayName }: JoinRequest,
): Omit<Participant, 'id'> | null {
  const name = (item.name || (item.label.split(',')[0] ?? '')).replace(NOTE, '').trim()
  if (name === '' || name === displayName) return null
  return { name, ...(item.isHost && { isHost: true }) }
}
