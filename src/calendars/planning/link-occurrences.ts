import type { MeetingLink, Platform } from '../../bots/platforms/platform.ts'
import { shortenToStorableText } from '../../db/query-helpers.ts'
import { mapInSlices } from '../../lib/async/map-in-slices.ts'
import { sha256Base64 } from '../../lib/crypto.ts'
import type { Occurrence } from '../ics/events.ts'
import { findMeetingLink } from '../ics/links.ts'
import type { FoundPlace, LinkedOccurrence } from './occurrence-store.ts'

/** More occurrences in two weeks than anyone attends. The rest is left out. */
export const MAX_OCCURRENCES = 2_000

/** Finds the meeting that each occurrence's links lead to, without blocking the service for long. */
export type OccurrenceLinker = (occurrences: readonly Occurrence[]) => Promise<LinkedOccurrence[]>

const MAX_TITLE_LENGTH = 200
const MAX_ADDRESS_LENGTH = 320
const MAX_ATTENDEES = 500
const MAX_ATTENDEE_NAME_LENGTH = 100
/** A longer id would not fit into an index. */
const MAX_ID_LENGTH = 300

export function createOccurrenceLinker(platforms: readonly Platform[]): OccurrenceLinker {
  const parseLink = (text: string): FoundPlace | null => {
    for (const platform of platforms) {
      const link = platform.parseLink(text)
      if (link !== null) return { platform: platform.name, ...pickPlace(link) }
    }
    return null
  }
  return (occurrences) =>
    mapInSlices(occurrences.slice(0, MAX_OCCURRENCES), (occurrence) => ({
      occurrence: toStorableOccurrence(occurrence),
      place: findMeetingLink(occurrence.links, parseLink),
    }))
}

function pickPlace({ url, room, label }: MeetingLink): Omit<FoundPlace, 'platform'> {
  return { url, room, label }
}

/** The occurrence with texts that the database can store and index, whatever the feed contains. */
export function toStorableOccurrence(occurrence: Occurrence): Occurrence {
  const { uid, key, title, organizer, attendees } = occurrence
  return {
    ...occurrence,
    uid: toStorableId(uid),
    key: toStorableId(key),
    title: shortenToStorableText(title, MAX_TITLE_LENGTH),
    organizer: organizer === null ? null : shortenToStorableText(organizer, MAX_ADDRESS_LENGTH),
    attendees: attendees.slice(0, MAX_ATTENDEES).map(({ address, name, ...rest }) => ({
      ...rest,
      address: shortenToStorableText(address, MAX_ADDRESS_LENGTH),
      ...(name !== undefined && { name: shortenToStorableText(name, MAX_ATTENDEE_NAME_LENGTH) }),
    })),
  }
}

/** Different ids stay different. */
function toStorableId(id: string): string {
  const isStorable = id.length <= MAX_ID_LENGTH && shortenToStorableText(id, MAX_ID_LENGTH) === id
  return isStorable ? id : `sha256:${sha256Base64(id)}`
}
