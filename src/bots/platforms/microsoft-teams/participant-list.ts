import type { ParticipantListItem } from '../bridge/messages.ts'
import type { Participant } from '../platform.ts'

/** The notes that Teams adds to the names of participants without an account, or from another organization. */
const NOTE =
  /\s*\((?:guest|unverified|external|unfamiliar)(?:[\s,]+(?:guest|unverified|external|unfamiliar))*\)$/i

/** Parses an entry of the participant list, whose label continues after the name: "Ana, Organizer, muted". */
export function parseMicrosoftTeamsParticipant(
  item: ParticipantListItem,
): Omit<Participant, 'id'> | null {
  const name = (item.name || (item.label.split(',')[0] ?? '')).replace(NOTE, '').trim()
  if (name === '') return null
  return { name, ...(item.isHost && { isHost: true }) }
}
