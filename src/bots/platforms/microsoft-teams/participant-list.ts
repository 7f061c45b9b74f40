import type { ParticipantListItem } from '../bridge/messages.ts'
import type { Participant, JoinRequest } from '../platform.ts'

/** Who came without an account has a note behind the name. */
const NOTE = /\s*\((?:guest|unverified|external)\)$/i

/** An entry of the list of people, whose label goes on behind the name: "Ana, Organizer, muted". */
export function parseMicrosoftTeamsParticipant(
  item: ParticipantListItem,
  { displayName }: JoinRequest,
): Omit<Participant, 'id'> | null {
  const name = (item.name || (item.label.split(',')[0] ?? '')).replace(NOTE, '').trim()
  if (name === '' || name === displayName) return null
  return { name, ...(item.isHost && { isHost: true }) }
}
