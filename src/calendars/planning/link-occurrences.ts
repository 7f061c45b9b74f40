import type { MeetingLink, Platform } from '../../bots/platforms/platform.ts'
import { mapInSlices } from '../../lib/async/map-in-slices.ts'
import type { Occurrence } from '../ics/events.ts'
import { findMeetingLink } from '../ics/links.ts'
import type { FoundPlace, LinkedOccurrence } from './occurrence-store.ts'
import { toStorableOccurrence } from './storable-occurrence.ts'

/** More occurrences in two weeks than anybody attends; the rest is left out. */
export const MAX_OCCURRENCES = 2_000

/** Finds the meeting that the links of each occurrence lead to, without blocking the service for long. */
export type OccurrenceLinker = (occurrences: readonly Occurrence[]) => Promise<LinkedOccurrence[]>

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
