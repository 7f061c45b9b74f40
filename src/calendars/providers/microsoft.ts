import { z } from 'zod'
import {
  GraphSubscription,
  readExpiry,
  toGraphSubscription,
} from '../../network/graph-subscriptions.ts'
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
 * Calendars of Microsoft 365 and Outlook.com by Microsoft Graph v1.0, written from microsoft-graph-docs-contrib
 * (api-reference/v1.0: event-delta at 028b8e3, resources/event at 02eb1a3; concepts: delta-query-events at 0a02846).
 */

const PAGE_ITEMS = 100
const MAX_CALENDARS = 200
/** The id that stands for a person's default calendar. */
const DEFAULT_CALENDAR = 'primary'

const Person = z.object({ emailAddress: z.object({ address: z.string().nullish() }).nullish() })
const Time = z.object({ dateTime: z.string(), timeZone: z.string().nullish() })
const Location = z.object({ displayName: z.string().nullish(), locationUri: z.string().nullish() })

/** An occurrence that is like its series has only a few of the fields. */
const GraphEvent = z.object({
  id: printable,
  '@removed': z.object({}).optional(),
  type: z.string().nullish(),
  seriesMasterId: printable.nullish(),
  iCalUId: printable.nullish().catch(null),
  originalStart: z.string().nullish(),
  start: Time.nullish(),
  end: Time.nullish(),
  isAllDay: z.boolean().nullish(),
  isCancelled: z.boolean().nullish(),
  isOrganizer: z.boolean().nullish(),
  subject: z.string().nullish(),
  body: z.object({ content: z.string().nullish() }).nullish(),
  organizer: Person.nullish(),
  attendees: z
    .array(
      Person.extend({
        type: z.string().nullish(),
        status: z.object({ response: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  responseStatus: z.object({ response: z.string().nullish() }).nullish(),
  sensitivity: z.string().nullish(),
  onlineMeeting: z.object({ joinUrl: z.string().nullish() }).nullish(),
  onlineMeetingUrl: z.string().nullish(),
  location: Location.nullish(),
  locations: z.array(Location).nullish(),
})
type GraphEvent = z.output<typeof GraphEvent>

const EventPage = z.object({
  value: z.array(z.unknown()).max(2_000),
  '@odata.nextLink': cursorText.optional(),
  '@odata.deltaLink': cursorText.optional(),
})
const Calendars = z.object({
  value: z
    .array(
      z.object({
        id: printable,
        name: z.string().nullish(),
        isDefaultCalendar: z.boolean().nullish(),
      }),
    )
    .max(1_000),
})
const Me = z.object({
  id: printable,
  mail: z.string().nullish(),
  userPrincipalName: z.string().nullish(),
})
const ErrorBody = z.object({ error: z.object({ code: z.string() }) })

const RESPONSES: Readonly<Record<string, OwnResponse>> = {
  organizer: 'organizer',
  accepted: 'accepted',
  declined: 'declined',
  tentativelyAccepted: 'tentative',
  notResponded: 'needs_action',
  none: 'needs_action',
}
const PRIVATE: ReadonlySet<string> = new Set(['private', 'personal', 'confidential'])

/** A global object id with the day of an occurrence, which is zero in the id of the series (MS-OXOCAL, 2.2.1.27). */
const OCCURRENCE_UID = /^(040000008200E00074C5B7101A82E008)[\dA-F]{8}(?=[\dA-F])/i

export const microsoftProvider: CalendarProvider = {
  name: 'microsoft',

  endpoints({ tenant, cloud }, hosts) {
    const { login, graph } = hosts.microsoft[cloud ?? 'global']
    const base = `${login}/${encodeURIComponent(tenant ?? 'common')}/oauth2/v2.0`
    return {
      authorize: `${base}/authorize`,
      token: `${base}/token`,
      revoke: null,
      scopes: ['offline_access', `${graph}/Calendars.Read`, `${graph}/User.Read`],
      extras: { response_mode: 'query', prompt: 'select_account' },
    }
  },

  apiBase: ({ cloud }, hosts) => `${hosts.microsoft[cloud ?? 'global'].graph}/v1.0/`,

  async readIdentity(api) {
    const { id, mail, userPrincipalName } = await api.readJson(
      'me?$select=id,mail,userPrincipalName',
      Me,
    )
    return { subject: id, address: readAddress(mail) ?? readAddress(userPrincipalName) ?? '' }
  },

  async listCalendars(api) {
    const path = `me/calendars?$select=id,name,isDefaultCalendar&$top=${MAX_CALENDARS}`
    const { value } = await api.readJson(path, Calendars)
    return value.map(({ id, name, isDefaultCalendar }) => ({
      id: isDefaultCalendar ? DEFAULT_CALENDAR : id,
      name: readTitle(name),
      isPrimary: isDefaultCalendar === true,
    }))
  },

  async readEvents(api, calendarId, from) {
    const path =
      'cursor' in from
        ? from.cursor
        : `${calendarPath(calendarId)}calendarView/delta?startDateTime=${from.window.from.toISOString()}&endDateTime=${from.window.to.toISOString()}`
    const prefer = `odata.maxpagesize=${PAGE_ITEMS}, outlook.timezone="UTC", outlook.body-content-type="text"`
    const page = await api.readJson(path, EventPage.refine(hasLink, 'no link'), {
      headers: { prefer },
      isSync: true,
    })
    const next = page['@odata.nextLink']
    const parsed = page.value.map((event) => GraphEvent.safeParse(event))
    const events = parsed.flatMap(({ success, data }) => (success ? [data] : []))
    return {
      changed: events.filter((event) => event['@removed'] === undefined).map(toStoredEvent),
      removedIds: events.flatMap((event) => (event['@removed'] === undefined ? [] : [event.id])),
      unreadable: parsed.length - events.length,
      cursor: next ?? page['@odata.deltaLink'] ?? '',
      isLast: next === undefined,
    }
  },

  async subscribe(api, { calendarId, url, token, expiresAt }) {
    const request = toGraphSubscription({
      changeType: 'created,updated,deleted',
      resource: `${calendarPath(calendarId)}events`,
      url,
      token,
      expiresAt,
    })
    const started = await api.postJson('subscriptions', request, GraphSubscription)
    return {
      providerId: started.id,
      resourceId: null,
      expiresAt: readExpiry(started, expiresAt),
    }
  },

  unsubscribe: (api, { providerId }) =>
    api.delete(`subscriptions/${encodeURIComponent(providerId)}`),

  findProblem(status, body) {
    const parsed = ErrorBody.safeParse(body)
    const code = parsed.success ? parsed.data.error.code : ''
    const isLost = status === 410 || /^(?:resyncRequired|syncState\w*)$/i.test(code)
    return isLost ? 'sync_lost' : null
  },
}

function hasLink(page: z.output<typeof EventPage>): boolean {
  return (page['@odata.nextLink'] ?? page['@odata.deltaLink']) !== undefined
}

function calendarPath(id: string): string {
  return id === DEFAULT_CALENDAR ? 'me/' : `me/calendars/${encodeURIComponent(id)}/`
}

function toStoredEvent(event: GraphEvent): StoredEvent {
  const { id, type, seriesMasterId, iCalUId, originalStart, isAllDay, ...rest } = event
  const start = readTime(rest.start, isAllDay)
  const end = readTime(rest.end, isAllDay)
  const original = originalStart ? readTime({ dateTime: originalStart }, isAllDay) : null
  // An occurrence that is like its series has no subject, and everything else is that of the series.
  const hasContent = rest.subject !== undefined
  return {
    id,
    seriesId: seriesMasterId ?? null,
    isSeries: type === 'seriesMaster',
    ...(iCalUId && { uid: iCalUId.replace(OCCURRENCE_UID, '$100000000') }),
    ...(start && { start }),
    ...(end && { end }),
    ...(original && { originalStart: original }),
    ...(hasContent && readContent(event)),
  }
}

function readContent(event: GraphEvent): Partial<StoredEvent> {
  const { subject, body, organizer, attendees, responseStatus, sensitivity, locations } = event
  const texts = [event.location, ...(locations ?? [])].flatMap((place) => [
    place?.locationUri,
    place?.displayName,
  ])
  return {
    title: readTitle(subject),
    organizer: readAddress(organizer?.emailAddress?.address),
    attendees: (attendees ?? []).slice(0, MAX_ATTENDEES).flatMap((attendee) => {
      const address = readAddress(attendee.emailAddress?.address)
      if (address === null) return []
      const response = RESPONSES[attendee.status?.response ?? ''] ?? null
      const isOther = attendee.type === 'resource'
      return [
        { address, response: toAttendeeResponse(response), ...(isOther && { isPerson: false }) },
      ]
    }),
    ownResponse: event.isOrganizer
      ? 'organizer'
      : (RESPONSES[responseStatus?.response ?? ''] ?? null),
    isPrivate: PRIVATE.has(sensitivity ?? ''),
    isCancelled: event.isCancelled ?? false,
    joinUrl: readUrl(event.onlineMeeting?.joinUrl) ?? readUrl(event.onlineMeetingUrl),
    links: readLinks([...texts, body?.content]),
  }
}

/** An organizer takes part without an answer. */
function toAttendeeResponse(response: OwnResponse | null): AttendeeResponse | null {
  return response === 'organizer' ? 'accepted' : response
}

/** Times are in UTC, because the request asks for it. They have no zone in their text. */
function readTime(
  time: { dateTime: string } | null | undefined,
  isAllDay: boolean | null | undefined,
): EventTime | null {
  if (!time) return null
  const text = /(?:Z|[+-]\d\d:\d\d)$/.test(time.dateTime) ? time.dateTime : `${time.dateTime}Z`
  const at = readInstant(text)
  if (at === null) return null
  return isAllDay ? { date: at.slice(0, 10) } : { at }
}
