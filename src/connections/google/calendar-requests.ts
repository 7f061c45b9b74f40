import { z } from 'zod'
import { HOUR_MS } from '../../lib/time/durations.ts'
import { ReadProblem } from '../problems.ts'
import type { MeetingDetails } from '../provider.ts'
import type { GoogleSession } from './google-session.ts'

/** People may enter the room this long before or after the event. */
const SEARCH_MS = 12 * HOUR_MS
const EVENTS_PER_PAGE = '250'
/** Google may send pages with fewer events than asked for. Nobody has more in a day. */
const MAX_PAGES = 100
const MAX_TITLE_CHARS = 10_000
const FIELDS =
  'nextPageToken,items(summary,visibility,organizer(self),start(dateTime),conferenceData(conferenceId))'

const Event = z.object({
  summary: z
    .string()
    .default('')
    .transform((text) => text.slice(0, MAX_TITLE_CHARS)),
  visibility: z.string().max(50).default('default'),
  organizer: z.object({ self: z.boolean().default(false) }).default({ self: false }),
  start: z.object({ dateTime: z.string().max(50).optional() }).optional(),
  conferenceData: z.object({ conferenceId: z.string().max(500).optional() }).optional(),
})
const EventPage = z.object({
  items: z.array(Event).max(2_500).default([]),
  nextPageToken: z.string().min(1).max(8_000).optional(),
})
type Event = z.output<typeof Event>

/**
 * Title and privacy of the event with this meeting code in the person's calendar; of several, such as those of a repeated
 * event, the nearest to the time. The person's own events go before invitations, because anyone can send one with the
 * same code, and would otherwise decide what is private. Null without such an event.
 */
export async function findEvent(
  session: GoogleSession,
  person: string,
  meetingCode: string,
  beganAt: Date,
): Promise<MeetingDetails | null> {
  let best: Event | null = null
  let pageToken: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await session.readJson(
      {
        api: 'calendar',
        person,
        path: '/calendar/v3/calendars/primary/events',
        query: { ...searchAround(beganAt), ...(pageToken !== undefined && { pageToken }) },
      },
      EventPage,
    )
    for (const event of page.items)
      if (hasMeetingCode(event, meetingCode))
        if (best === null || isBetter(event, best, beganAt)) best = event
    pageToken = page.nextPageToken
    if (pageToken === undefined) return best && toDetails(best)
  }
  // One of the events that were not read may be private.
  throw new ReadProblem('unreadable', 'the calendar of the organizer has too many events')
}

function isBetter(event: Event, than: Event, at: Date): boolean {
  if (event.organizer.self !== than.organizer.self) return event.organizer.self
  return distance(event, at) < distance(than, at)
}

function distance({ start }: Event, at: Date): number {
  return Math.abs(new Date(start?.dateTime ?? 0).getTime() - at.getTime())
}

function toDetails({ summary, visibility }: Event): MeetingDetails {
  return { title: summary, isPrivate: visibility === 'private' || visibility === 'confidential' }
}

function searchAround(at: Date): Record<string, string> {
  return {
    timeMin: new Date(at.getTime() - SEARCH_MS).toISOString(),
    timeMax: new Date(at.getTime() + SEARCH_MS).toISOString(),
    singleEvents: 'true',
    maxResults: EVENTS_PER_PAGE,
    fields: FIELDS,
  }
}

function hasMeetingCode({ conferenceData }: Event, meetingCode: string): boolean {
  return conferenceData?.conferenceId?.toLowerCase() === meetingCode.toLowerCase()
}
