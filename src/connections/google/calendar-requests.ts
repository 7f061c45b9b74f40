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
  'nextPageToken,items(summary,visibility,start(dateTime),conferenceData(conferenceId))'

const Event = z.object({
  summary: z
    .string()
    .default('')
    .transform((text) => text.slice(0, MAX_TITLE_CHARS)),
  visibility: z.string().max(50).default('default'),
  start: z.object({ dateTime: z.string().max(50).optional() }).optional(),
  conferenceData: z.object({ conferenceId: z.string().max(500).optional() }).optional(),
})
const EventPage = z.object({
  items: z.array(Event).max(2_500).default([]),
  nextPageToken: z.string().min(1).max(8_000).optional(),
})
type Event = z.output<typeof Event>

/**
 * Title and privacy of the event with this meeting code in the person's calendar; of a repeated event, those of the
 * occurrence nearest to the time. Null without such an event.
 */
export async function findEvent(
  session: GoogleSession,
  person: string,
  meetingCode: string,
  beganAt: Date,
): Promise<MeetingDetails | null> {
  let nearest: Event | null = null
  let pageToken: string | undefined
  const distanceOf = ({ start }: Event) =>
    Math.abs(new Date(start?.dateTime ?? 0).getTime() - beganAt.getTime())
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
        if (nearest === null || distanceOf(event) < distanceOf(nearest)) nearest = event
    pageToken = page.nextPageToken
    if (pageToken === undefined) return nearest && toDetails(nearest)
  }
  // One of the events that were not read may be private.
  throw new ReadProblem('unreadable', 'the calendar of the organizer has too many events')
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
