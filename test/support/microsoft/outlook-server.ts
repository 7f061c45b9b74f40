import { systemClock, type Clock } from '../../../src/lib/time/clock.ts'
import type { MicrosoftHostsByCloud } from '../../../src/network/microsoft-hosts.ts'
import { createConsent, type Consent } from '../calendar-accounts/consent.ts'
import { createEventLog, type EventLog } from '../calendar-accounts/event-log.ts'
import {
  startProviderServer,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderServer,
} from '../http/provider-server.ts'
import { addGraphSubscriptions, type GraphSubscriptions } from './graph-subscriptions.ts'

/*
 * The sign-in of people with Microsoft Entra ID, and their calendars in Microsoft Graph v1.0, written from
 * microsoft-graph-docs-contrib (api-reference/v1.0: event-delta at 028b8e3, resources/event at 02eb1a3; concepts:
 * delta-query-events at 0a02846) and the documentation of the v2.0 endpoint, as published in November 2026.
 */

/** An event as Graph returns it, without its id. Times are in UTC. */
export type OutlookEvent = Record<string, unknown> & {
  type: 'singleInstance' | 'occurrence' | 'exception' | 'seriesMaster'
  start: { dateTime: string; timeZone: 'UTC' }
  end: { dateTime: string; timeZone: 'UTC' }
}

export type OutlookServer = ProviderServer &
  GraphSubscriptions & {
    hosts: MicrosoftHostsByCloud
    consent: Consent
    /** The default calendar of the person who signed in. */
    events: EventLog<OutlookEvent>
    pageSize: number
    /** Delta tokens of earlier versions get 410. */
    oldestDelta: number
  }

export const OUTLOOK_APP = {
  clientId: '5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a',
  clientSecret: 'Zy8~the-value-of-the-secret',
  tenant: 'organizations',
}

export async function startOutlookServer(clock: Clock = systemClock): Promise<OutlookServer> {
  const now = () => clock.now()
  const consent = createConsent(OUTLOOK_APP.clientId, OUTLOOK_APP.clientSecret)
  // An exchange of a refresh token always gives a new one.
  consent.rotates = true
  const events = createEventLog<OutlookEvent>()
  const server = await startProviderServer(() => ({ now, answer }))
  function answer({
    method,
    url,
    headers,
    body,
  }: ProviderCall): ProviderAnswer | Promise<ProviderAnswer> {
    if (url.pathname === `/${OUTLOOK_APP.tenant}/oauth2/v2.0/token`)
      return answerToken(new URLSearchParams(body))
    const subject = consent.findSubject(headers.authorization, now())
    if (subject === null) return refuse(401, 'InvalidAuthenticationToken')
    const path = decodeURIComponent(url.pathname.replace('/v1.0/', ''))
    if (path.startsWith('subscriptions')) return opened.answerSubscription(method, path, body)
    if (path === 'me')
      return {
        status: 200,
        body: { id: `oid-${subject}`, mail: subject, userPrincipalName: subject },
      }
    if (path === 'me/calendars') {
      const calendar = { id: 'AAMkDefault=', name: 'Calendar', isDefaultCalendar: true }
      return { status: 200, body: { value: [calendar] } }
    }
    if (path === 'me/calendarView/delta') return listEvents(url, headers['prefer'])
    return refuse(404, 'ErrorItemNotFound')
  }
  const { origin } = server
  const hosts = { login: origin, graph: origin }
  const opened: OutlookServer = Object.assign(addGraphSubscriptions(server, now), {
    hosts: { global: hosts, 'us-gov-high': hosts, 'us-gov-dod': hosts },
    consent,
    events,
    pageSize: 100,
    oldestDelta: 0,
  })

  function answerToken(form: URLSearchParams): ProviderAnswer {
    const answer = consent.exchange(form, now())
    if (typeof answer !== 'string') return { status: 200, body: answer }
    const status = answer === 'invalid_client' ? 401 : 400
    return { status, body: { error: answer, error_codes: [70008] } }
  }

  /** The window and the number of the last change are in the token, as in those of Graph. */
  function listEvents(url: URL, prefer: string | string[] | undefined): ProviderAnswer {
    const query = url.searchParams
    const token = query.get('$deltatoken') ?? query.get('$skiptoken')
    const [since = '0', from = '', to = '', offsetText = '0'] =
      token === null
        ? ['0', query.get('startDateTime') ?? '', query.get('endDateTime') ?? '']
        : Buffer.from(token, 'base64url').toString().split('|')
    if (query.has('$deltatoken') && Number(since) < opened.oldestDelta)
      return refuse(410, 'SyncStateNotFound')
    const isFirst = since === '0'
    const listed = events.listSince(Number(since)).flatMap(({ id, event }): object[] => {
      const isInside = event !== null && isBetween(event, from, to)
      if (isInside) return [{ '@odata.type': '#microsoft.graph.event', id, ...event }]
      return isFirst ? [] : [{ id, '@removed': { reason: 'deleted' } }]
    })
    const asked = Number(/odata\.maxpagesize=(\d+)/.exec(String(prefer))?.[1] ?? 10)
    const offset = Number(offsetText)
    const size = Math.min(opened.pageSize, asked)
    const isLast = offset + size >= listed.length
    const state = isLast ? [events.version(), from, to] : [since, from, to, offset + size]
    const next = Buffer.from(state.join('|')).toString('base64url')
    const link = `${origin}/v1.0/me/calendarView/delta?`
    return {
      status: 200,
      body: {
        '@odata.context': `${origin}/v1.0/$metadata#Collection(event)`,
        value: listed.slice(offset, offset + size),
        ...(isLast
          ? { '@odata.deltaLink': `${link}$deltatoken=${next}` }
          : { '@odata.nextLink': `${link}$skiptoken=${next}` }),
      },
    }
  }
  return opened
}

function isBetween({ type, start, end }: OutlookEvent, from: string, to: string): boolean {
  if (type === 'seriesMaster') return true
  const at = (text: string) => Date.parse(`${text}Z`)
  return at(end.dateTime) > Date.parse(from) && at(start.dateTime) < Date.parse(to)
}

export function refuse(status: number, code: string): ProviderAnswer {
  return { status, body: { error: { code, message: code, innerError: { code } } } }
}
