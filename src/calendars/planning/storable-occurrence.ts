import { shortenToStorableText } from '../../db/storable-text.ts'
import { sha256Base64 } from '../../lib/crypto/digest.ts'
import type { Occurrence } from '../ics/events.ts'

const MAX_TITLE_LENGTH = 200
const MAX_ADDRESS_LENGTH = 320
const MAX_ATTENDEES = 500
/** A longer id does not fit into an index. */
const MAX_ID_LENGTH = 300

/** The occurrence with texts that the database can store and index, whatever the feed contains. */
export function toStorableOccurrence(occurrence: Occurrence): Occurrence {
  const { uid, key, title, organizer, attendees } = occurrence
  return {
    ...occurrence,
    uid: toStorableId(uid),
    key: toStorableId(key),
    title: shortenToStorableText(title, MAX_TITLE_LENGTH),
    organizer: organizer === null ? null : shortenToStorableText(organizer, MAX_ADDRESS_LENGTH),
    attendees: attendees.slice(0, MAX_ATTENDEES).map(({ address, response }) => ({
      address: shortenToStorableText(address, MAX_ADDRESS_LENGTH),
      response,
    })),
  }
}

/** Different ids stay different. */
function toStorableId(id: string): string {
  const isStorable = id.length <= MAX_ID_LENGTH && shortenToStorableText(id, MAX_ID_LENGTH) === id
  return isStorable ? id : `sha256:${sha256Base64(id)}`
}
