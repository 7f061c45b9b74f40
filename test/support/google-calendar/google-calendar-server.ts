import { randomUUID } from 'node:crypto'
import { systemClock, type Clock } from '../../../src/lib/time/clock.ts'
import type { GoogleHosts } from '../../../src/network/google-hosts.ts'
import { createConsent, type Consent } from '../calendar-accounts/consent.ts'
import type { EventLog } from '../calendar-accounts/event-log.ts'
import {
  startProviderServer,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderServer,
} from '../http/provider-server.ts'

/*
 * Google's sign-in and the requests of the Calendar API v3 that Hansard sends, written from the discovery document
 * calendar:v3 and the guides “Synchronize resources efficiently”, “Push notifications”, “Handle API errors” and “Using
 * OAuth 2.0 for Web Server Applications”, as published in November 2026.
 */

/** An event as the API returns it, without its id. */
export type GoogleEvent = {
  summary: string
  start: { dateTime?: string; date?: string }
  end: { dateTime?: string; date?: string }
} & Record<string, unknown>

type Channel = { id: string; resourceId: string; address: string; token: string; calendar: string }

export type GoogleCalendarServer = ProviderServer & {
  hosts: GoogleHosts
  consent: Consent
  /** Calendars by their ids. The one with the address of a person is primary. */
  calendars: Map<string, EventLog<GoogleEvent>>
  channels: Channel[]
  pageSize: number
  /** Sync tokens of earlier versions get 410. */
  oldestSync: number
  /** Sends a message of each channel of a calendar. Returns the statuses of the answers. */
  notify(calendar: string, to: string): Promise<number[]>
}

export const GOOGLE_APP = {
  clientId: '123456789012-abc.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-the-value-of-the-secret',
}

const BASE = '/calendar/v3/'

export async function startGoogleCalendarServer(
  clock: Clock = systemClock,
): Promise<GoogleCalendarServer> {
  const now = () => clock.now()
  const consent = createConsent(GOOGLE_APP.clientId, GOOGLE_APP.clientSecret)
  const calendars = new Map<string, EventLog<GoogleEvent>>()
  const server = await startProviderServer(() => ({ now, answer }))
  function answer({
    method,
    url,
    headers,
    body,
  }: ProviderCall): ProviderAnswer | Promise<ProviderAnswer> {
    if (url.pathname === '/o/oauth2/v2/auth')
      return { status: 302, body: '', headers: { location: consent.authorize(url).href } }
    if (url.pathname === '/token') return answerToken(new URLSearchParams(body))
    if (url.pathname === '/revoke') {
      consent.revokeToken(new URLSearchParams(body).get('token') ?? '')
      return { status: 200, body: {} }
    }
    const subject = consent.findSubject(headers.authorization, now())
    if (subject === null) return refuse(401, 'authError')
    const path = decodeURIComponent(url.pathname.slice(BASE.length))
    if (method === 'POST') return answerPost(path, JSON.parse(body) as Record<string, string>)
    return answerGet(path, url, subject)
  }
  const { origin } = server
  const opened: GoogleCalendarServer = Object.assign(server, {
    hosts: { accounts: origin, oauth: origin, meet: origin, calendar: origin },
    consent,
    calendars,
    channels: [] as Channel[],
    pageSize: 250,
    oldestSync: 0,
    async notify(calendar: string, to: string) {
      const statuses: number[] = []
      for (const channel of opened.channels.filter((one) => one.calendar === calendar)) {
        const response = await fetch(`${to}${new URL(channel.address).pathname}`, {
          method: 'POST',
          headers: {
            'x-goog-channel-id': channel.id,
            'x-goog-channel-token': channel.token,
            'x-goog-resource-id': channel.resourceId,
            'x-goog-resource-state': 'exists',
            'x-goog-message-number': '2',
          },
        })
        statuses.push(response.status)
      }
      return statuses
    },
  })

  function answerToken(form: URLSearchParams): ProviderAnswer {
    const answer = consent.exchange(form, now())
    if (typeof answer !== 'string') return { status: 200, body: answer }
    const status = answer === 'invalid_client' ? 401 : 400
    return { status, body: { error: answer, error_description: 'Token has been revoked.' } }
  }

  function answerPost(path: string, body: Record<string, string>): ProviderAnswer {
    if (path === 'channels/stop') {
      const at = opened.channels.findIndex(
        ({ id, resourceId }) => id === body['id'] && resourceId === body['resourceId'],
      )
      if (at < 0) return refuse(404, 'notFound')
      opened.channels.splice(at, 1)
      return { status: 204, body: '' }
    }
    const [, calendar = ''] = /^calendars\/(.+)\/events\/watch$/.exec(path) ?? []
    if (!calendars.has(calendar)) return refuse(404, 'notFound')
    const { id = '', address = '', token = '', expiration = '' } = body
    if (!address.startsWith('https://')) return refuse(400, 'push.webhookUrlNotHttps')
    if (opened.channels.some((one) => one.id === id)) return refuse(400, 'channelIdNotUnique')
    const resourceId = randomUUID()
    opened.channels.push({ id, resourceId, address, token, calendar })
    const channel = { kind: 'api#channel', id, resourceId, token, expiration }
    return { status: 200, body: channel }
  }

  function answerGet(path: string, url: URL, subject: string): ProviderAnswer {
    if (path === 'users/me/calendarList/primary') return { status: 200, body: { id: subject } }
    if (path === 'users/me/calendarList') {
      const items = [...calendars.keys()].map((id) => ({
        id,
        summary: id,
        accessRole: 'owner',
        ...(id === subject && { primary: true }),
      }))
      return { status: 200, body: { items } }
    }
    const [, calendar = ''] = /^calendars\/(.+)\/events$/.exec(path) ?? []
    const log = calendars.get(calendar)
    return log === undefined ? refuse(404, 'notFound') : listEvents(log, url.searchParams)
  }

  /** A sync token has the number of a change. A page token also has the rest of its round. */
  function listEvents(log: EventLog<GoogleEvent>, query: URLSearchParams): ProviderAnswer {
    const syncToken = query.get('syncToken')
    const [from, to] = [query.get('timeMin'), query.get('timeMax')]
    if (syncToken !== null && (from !== null || to !== null))
      return refuse(400, 'syncTokenWithRequestRestrictions')
    const since = Number(syncToken ?? 0)
    if (syncToken !== null && since < opened.oldestSync) return refuse(410, 'fullSyncRequired')
    const listed = log.listSince(since).flatMap(({ id, event }) => {
      if (event === null) return syncToken === null ? [] : [{ id, status: 'cancelled' }]
      const isInside = syncToken !== null || isBetween(event, from ?? '', to ?? '')
      return isInside ? [{ id, status: 'confirmed', ...event }] : []
    })
    const offset = Number(query.get('pageToken') ?? 0)
    const size = Math.min(opened.pageSize, Number(query.get('maxResults')))
    const items = listed.slice(offset, offset + size)
    const isLast = offset + size >= listed.length
    return {
      status: 200,
      body: {
        kind: 'calendar#events',
        items,
        ...(isLast
          ? { nextSyncToken: String(log.version()) }
          : { nextPageToken: String(offset + size) }),
      },
    }
  }
  return opened
}

function isBetween({ start, end }: GoogleEvent, from: string, to: string): boolean {
  const at = (time: GoogleEvent['start']) => Date.parse(time.dateTime ?? time.date ?? '')
  return at(end) > Date.parse(from) && at(start) < Date.parse(to)
}

export function refuse(status: number, reason: string): ProviderAnswer {
  const errors = [{ domain: 'global', reason, message: reason }]
  return { status, body: { error: { code: status, message: reason, errors } } }
}
