import { z } from 'zod'
import type { AttendeeResponse, OwnResponse } from '../ics/events.ts'
import {
  cursorText,
  MAX_ATTENDEES,
  printable,
  readAddress,
  readInstant,
  readLinks,
  readTitle,
  readUrl,
} from './event-fields.ts'
import type { CalendarProvider } from './provider.ts'
import type { EventTime, StoredEvent } from './stored-event.ts'

/*
 * Calendars of Google by the Google Calendar API v3, written from its discovery document and the guides “Synchronize
 * resources efficiently” and “Push notifications”, as published in November 2026.
 */

const SCOPE = 'https://www.googleapis.com/auth'
const PAGE_ITEMS = 250
/** Keeps pages small. Attachments, reminders and extended properties are not needed. */
const EVENT_FIELDS =
  'nextPageToken,nextSyncToken,items(id,status,iCalUID,recurringEventId,originalStartTime,start,end,summary,description,location,visibility,organizer(email,self),attendees(email,self,resource,responseStatus),hangoutLink,conferenceData(entryPoints(entryPointType,uri)))'

const Time = z.object({ date: z.string().nullish(), dateTime: z.string().nullish() })
const GoogleEvent = z.object({
  id: printable,
  status: z.string().nullish(),
  iCalUID: printable.nullish().catch(null),
  recurringEventId: printable.nullish(),
  originalStartTime: Time.nullish(),
  start: Time.nullish(),
  end: Time.nullish(),
  summary: z.string().nullish(),
  description: z.string().nullish(),
  location: z.string().nullish(),
  visibility: z.string().nullish(),
  organizer: z.object({ email: z.string().nullish(), self: z.boolean().nullish() }).nullish(),
  attendees: z
    .array(
      z.object({
        email: z.string().nullish(),
        self: z.boolean().nullish(),
        resource: z.boolean().nullish(),
        responseStatus: z.string().nullish(),
      }),
    )
    .nullish(),
  hangoutLink: z.string().nullish(),
  conferenceData: z
    .object({
      entryPoints: z
        .array(z.object({ entryPointType: z.string().nullish(), uri: z.string().nullish() }))
        .nullish(),
    })
    .nullish(),
})
type GoogleEvent = z.output<typeof GoogleEvent>

const EventPage = z.object({
  items: z.array(z.unknown()).max(2_500).nullish(),
  nextPageToken: cursorText.nullish(),
  nextSyncToken: cursorText.nullish(),
})
const Calendars = z.object({
  items: z
    .array(
      z.object({
        id: printable,
        summary: z.string().nullish(),
        summaryOverride: z.string().nullish(),
        primary: z.boolean().nullish(),
        accessRole: z.string().nullish(),
      }),
    )
    .max(1_000)
    .nullish(),
})
const Channel = z.object({ id: printable, resourceId: printable, expiration: z.string().nullish() })
const ErrorBody = z.object({
  error: z.object({ errors: z.array(z.object({ reason: z.string() })).optional() }),
})

const RESPONSES: Readonly<Record<string, AttendeeResponse>> = {
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'tentative',
  needsAction: 'needs_action',
}
const PRIVATE: ReadonlySet<string> = new Set(['private', 'confidential'])
const LIMIT_REASONS: ReadonlySet<string> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'calendarLimitsExceeded',
])

export const googleProvider: CalendarProvider = {
  name: 'google',

  endpoints: (_app, { google }) => ({
    authorize: `${google.accounts}/o/oauth2/v2/auth`,
    token: `${google.oauth}/token`,
    revoke: `${google.oauth}/revoke`,
    scopes: [`${SCOPE}/calendar.events.readonly`, `${SCOPE}/calendar.calendarlist.readonly`],
    // Google gives a refresh token only with the first consent, unless it is asked for a new one.
    extras: { access_type: 'offline', prompt: 'consent select_account' },
  }),

  apiBase: (_app, { google }) => `${google.calendar}/calendar/v3/`,

  /** The id of a person’s primary calendar is the address of the account. */
  async readIdentity(api) {
    const { id } = await api.readJson(
      'users/me/calendarList/primary?fields=id',
      z.object({ id: printable }),
    )
    return { subject: id.toLowerCase(), address: id.toLowerCase() }
  },

  async listCalendars(api) {
    const fields = 'items(id,summary,summaryOverride,primary,accessRole)'
    const path = `users/me/calendarList?maxResults=250&fields=${encodeURIComponent(fields)}`
    const { items } = await api.readJson(path, Calendars)
    return (items ?? [])
      .filter(({ accessRole }) => accessRole !== 'freeBusyReader')
      .map(({ id, summary, summaryOverride, primary }) => ({
        id,
        name: readTitle(summaryOverride ?? summary ?? id),
        isPrimary: primary === true,
      }))
  },

  async readEvents(api, calendarId, from) {
    const query = new URLSearchParams({
      singleEvents: 'true',
      maxResults: String(PAGE_ITEMS),
      fields: EVENT_FIELDS,
    })
    if ('cursor' in from)
      for (const [name, value] of new URLSearchParams(from.cursor)) query.set(name, value)
    else {
      query.set('timeMin', from.window.from.toISOString())
      query.set('timeMax', from.window.to.toISOString())
    }
    const path = `calendars/${encodeURIComponent(calendarId)}/events?${query.toString()}`
    const page = await api.readJson(path, EventPage.refine(hasToken, 'no token'), { isSync: true })
    const items = page.items ?? []
    const parsed = items.map((event) => GoogleEvent.safeParse(event))
    const events = parsed.flatMap(({ success, data }) => (success ? [data] : []))
    return {
      changed: events.filter(({ status }) => status !== 'cancelled').map(toStoredEvent),
      removedIds: events.flatMap(({ id, status }) => (status === 'cancelled' ? [id] : [])),
      unreadable: items.length - events.length,
      ...nextCursor(page, query),
    }
  },

  async subscribe(api, { calendarId, url, id, token, expiresAt }) {
    const path = `calendars/${encodeURIComponent(calendarId)}/events/watch`
    const expiration = String(expiresAt.getTime())
    const request = { id, type: 'web_hook', address: url, token, expiration }
    const channel = await api.postJson(path, request, Channel)
    const until = Number(channel.expiration ?? expiresAt.getTime())
    return {
      providerId: channel.id,
      resourceId: channel.resourceId,
      expiresAt: Number.isSafeInteger(until) ? new Date(until) : expiresAt,
    }
  },

  unsubscribe: (api, { providerId: id, resourceId }) =>
    api.post('channels/stop', { id, resourceId }),

  findProblem(status, body) {
    if (status === 410) return 'sync_lost'
    const parsed = ErrorBody.safeParse(body)
    const reasons = parsed.success ? (parsed.data.error.errors ?? []) : []
    if (status === 403 && reasons.some(({ reason }) => LIMIT_REASONS.has(reason)))
      return 'throttled'
    if (status === 403 && reasons.some(({ reason }) => reason === 'accessNotConfigured'))
      return 'api_off'
    return null
  },
}

function hasToken({ nextPageToken, nextSyncToken }: z.output<typeof EventPage>): boolean {
  return (nextPageToken ?? nextSyncToken ?? null) !== null
}

/** All pages of a round have the parameters of its first page. The next round has only the sync token. */
function nextCursor(
  { nextPageToken, nextSyncToken }: z.output<typeof EventPage>,
  query: URLSearchParams,
): { cursor: string; isLast: boolean } {
  if (!nextPageToken)
    return {
      cursor: new URLSearchParams({ syncToken: nextSyncToken ?? '' }).toString(),
      isLast: true,
    }
  const round = new URLSearchParams({ pageToken: nextPageToken })
  for (const name of ['timeMin', 'timeMax', 'syncToken'])
    for (const value of query.getAll(name)) round.set(name, value)
  return { cursor: round.toString(), isLast: false }
}

function toStoredEvent(event: GoogleEvent): StoredEvent {
  const { id, iCalUID, recurringEventId, organizer, attendees, conferenceData } = event
  const [start, end, originalStart] = [event.start, event.end, event.originalStartTime].map(
    readTime,
  )
  const video = conferenceData?.entryPoints?.find((one) => one.entryPointType === 'video')
  const own = attendees?.find(({ self }) => self)
  return {
    id,
    seriesId: recurringEventId ?? null,
    isSeries: false,
    ...(iCalUID && { uid: iCalUID }),
    ...(start && { start }),
    ...(end && { end }),
    ...(originalStart && { originalStart }),
    title: readTitle(event.summary),
    organizer: readAddress(organizer?.email),
    attendees: (attendees ?? []).slice(0, MAX_ATTENDEES).flatMap((attendee) => {
      const address = readAddress(attendee.email)
      if (address === null) return []
      const response = RESPONSES[attendee.responseStatus ?? ''] ?? null
      return [{ address, response, ...(attendee.resource && { isPerson: false }) }]
    }),
    ownResponse: findOwnResponse(organizer?.self === true, own?.responseStatus),
    isPrivate: PRIVATE.has(event.visibility ?? ''),
    isCancelled: false,
    joinUrl: readUrl(video?.uri) ?? readUrl(event.hangoutLink),
    links: readLinks([event.location, event.description]),
  }
}

/** An organizer who declined does not come. */
function findOwnResponse(
  isOrganizer: boolean,
  status: string | null | undefined,
): OwnResponse | null {
  const response = RESPONSES[status ?? ''] ?? null
  return isOrganizer && response !== 'declined' ? 'organizer' : response
}

function readTime(time: z.output<typeof Time> | null | undefined): EventTime | null {
  if (time?.date && /^\d{4}-\d\d-\d\d$/.test(time.date)) return { date: time.date }
  const at = readInstant(time?.dateTime ?? '')
  return at === null ? null : { at }
}
