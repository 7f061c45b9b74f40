import type { ProjectReader } from '../../access/project-readers.ts'
import type { Sharer } from '../../access/sharing/guest-shares.ts'
import type { RecapMailRecipients } from '../../recap/template.ts'
import type { RecapMailChoice } from './choice-names.ts'

/**
 * How the service got a meeting. `attended`: a bot was there. `connection`: its official transcript was read. `upload`:
 * a person imported a file.
 */
export type MeetingOrigin = 'attended' | 'connection' | 'upload'

/** What decides who gets the recap of a meeting. */
export type RecapAudience = {
  project: string
  /** Whom the project mails recaps to. */
  recipients: RecapMailRecipients
  /** The addresses in its calendar invitation. Empty without one. */
  invitedAddresses: readonly string[]
  /** The names that participants had in the meeting. */
  participantNames: readonly string[]
  /** Null while the meeting goes on. */
  endedAt: Date | null
  origin: MeetingOrigin
  /** Null if the project mails nothing to people without an account, or if share links are turned off. */
  guests: {
    /** The people in the calendar invitation who did not decline, with or without an account. */
    addresses: readonly string[]
    linkDays: number
    sharer: Sharer
  } | null
}

/** The readers of the project who get the recap, by what the project and they themselves have chosen. */
export function findRecapRecipients(
  audience: RecapAudience,
  readers: readonly ProjectReader[],
  choices: ReadonlyMap<string, RecapMailChoice>,
): ProjectReader[] {
  const { recipients } = audience
  if (recipients === 'nobody') return []
  const tookPart = new Set(findParticipants(audience, readers))
  return readers.filter((reader) => {
    const choice = choices.get(reader.userId) ?? 'all'
    if (choice === 'none') return false
    return tookPart.has(reader) || (recipients === 'members' && choice === 'all')
  })
}

/**
 * The readers who took part: those with an invited address. Without an invitation, those whose name a participant had,
 * if no other reader has the same name.
 */
function findParticipants(
  { invitedAddresses, participantNames }: RecapAudience,
  readers: readonly ProjectReader[],
): ProjectReader[] {
  if (invitedAddresses.length > 0) {
    const addresses = new Set(invitedAddresses)
    return readers.filter(({ email }) => addresses.has(email))
  }
  const counts = new Map<string, number>()
  for (const { name } of readers) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = new Set(participantNames)
  return readers.filter(({ name }) => names.has(name) && counts.get(name) === 1)
}
