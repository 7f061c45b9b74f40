import type { ServiceOverrides } from '../../../src/app/service.ts'
import type { CalendarProviderName } from '../../../src/calendars/calendar.ts'
import type { Db } from '../../../src/db/database.ts'
import type { ApiCalendarAccounts } from '../../../src/http/shapes/calendar-accounts.ts'
import type { ApiCalendar, ApiUpcomingMeeting } from '../../../src/http/shapes/calendars.ts'
import type { Log } from '../../../src/log.ts'
import { createEventLog } from './event-log.ts'
import {
  GOOGLE_APP,
  startGoogleCalendarServer,
  type GoogleCalendarServer,
  type GoogleEvent,
} from '../google-calendar/google-calendar-server.ts'
import type { HttpClient } from '../http/http-client.ts'
import {
  OUTLOOK_APP,
  startOutlookServer,
  type OutlookEvent,
  type OutlookServer,
} from '../microsoft/outlook-server.ts'
import { invitePerson, type InvitedPerson } from '../service/invite-person.ts'
import { startService, type TestService } from '../service/start-service.ts'
import { eventually } from '../time/eventually.ts'
import { createManualClock } from '../time/manual-clock.ts'

export const PUBLIC_URL = 'https://hansard.example.com'
const APPS = { google: GOOGLE_APP, microsoft: OUTLOOK_APP }

/** A service whose applications are set up at both providers, and a clock of all three that only the test advances. */
export type AccountWorld = AsyncDisposable & {
  service: TestService
  db: Db
  clock: ReturnType<typeof createManualClock>
  google: GoogleCalendarServer
  outlook: OutlookServer
  admin: HttpClient
  addPerson(): Promise<InvitedPerson>
}

export async function startAccountWorld(
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
  log?: Log,
): Promise<AccountWorld> {
  await using stack = new AsyncDisposableStack()
  const clock = createManualClock()
  const google = stack.use(await startGoogleCalendarServer(clock))
  const outlook = stack.use(await startOutlookServer(clock))
  let db: Db | undefined
  const service = stack.use(
    await startService(
      { HANSARD_PUBLIC_URL: PUBLIC_URL, ...env },
      {
        clock,
        microsoftHosts: outlook.hosts,
        googleHosts: google.hosts,
        routes: (_, opened) => void (db = opened),
        ...extras,
      },
      log,
    ),
  )
  if (db === undefined) throw new Error('the service opened no database')
  outlook.serviceOrigin = originOf(service)
  const admin = await service.adminClient()
  for (const [provider, app] of Object.entries(APPS))
    expectStatus(await admin.put(`/web/calendar-apps/${provider}`, app), 200)
  const { body } = await admin.get('/web/calendar-apps')
  for (const { consent } of [google, outlook])
    consent.redirectUris.push(String(body['redirectUri']))
  const opened = stack.move()
  return {
    service,
    db,
    clock,
    google,
    outlook,
    admin,
    addPerson: () => invitePerson(service, admin),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Where the service can be reached, whatever its public address is. */
export const originOf = ({ port }: Pick<TestService, 'port'>) => `http://127.0.0.1:${port}`

/** Opens the provider’s page in the person’s browser, consents, and returns to the service. Returns its next page. */
export async function connectAccount(
  world: Pick<AccountWorld, 'google' | 'outlook'>,
  client: HttpClient,
  provider: CalendarProviderName,
  accountId?: string,
): Promise<URL> {
  const started = await client.post('/web/calendar-accounts', { provider, accountId })
  expectStatus(started, 200)
  const { consent } = provider === 'google' ? world.google : world.outlook
  return deliverAnswer(client, consent.authorize(new URL(String(started.body['url']))))
}

/** Opens the address where a provider sent the browser. Returns the page of the console that follows. */
export async function deliverAnswer(client: HttpClient, answer: URL): Promise<URL> {
  const { headers } = await client.get(`${answer.pathname}${answer.search}`)
  return new URL(headers.get('location') ?? '', PUBLIC_URL)
}

/** Connects an account and adds its primary calendar. */
export async function addProviderCalendar(
  world: AccountWorld,
  { client }: Pick<InvitedPerson, 'client'>,
  provider: CalendarProviderName,
  { subject, ...fields }: { subject: string } & Record<string, unknown>,
): Promise<ApiCalendar> {
  const { google, outlook } = world
  const server = provider === 'google' ? google : outlook
  server.consent.subject = subject
  if (provider === 'google' && !google.calendars.has(subject))
    google.calendars.set(subject, createEventLog<GoogleEvent>())
  const page = await connectAccount(world, client, provider)
  const calendarAccountId = page.searchParams.get('connected')
  if (calendarAccountId === null) throw new Error(`not connected: ${page.search}`)
  const { status, body } = await client.post('/web/calendars', {
    name: subject,
    calendarAccountId,
    providerCalendarId: provider === 'google' ? subject : 'primary',
    ...fields,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { calendar } = body as unknown as { calendar: ApiCalendar }
  return waitForPoll(world, client, calendar.id, world.clock.now())
}

/** Waits until a read that began after that time has ended. */
export function waitForPoll(
  { clock }: Pick<AccountWorld, 'clock'>,
  client: HttpClient,
  id: string,
  since: Date,
): Promise<ApiCalendar> {
  return eventually(async () => {
    const calendar = await getCalendar(client, id)
    const isWaiting = new Date(calendar.nextPollAt) <= clock.now()
    const { polledAt } = calendar
    return !isWaiting && polledAt !== null && new Date(polledAt) >= since ? calendar : null
  })
}

/** Reads a calendar again, after the pause that it needs. */
export async function pollAgain(
  world: Pick<AccountWorld, 'clock'>,
  client: HttpClient,
  id: string,
  seconds = 30,
): Promise<ApiCalendar> {
  world.clock.advance(seconds)
  const since = world.clock.now()
  await client.post(`/web/calendars/${id}/poll`)
  return waitForPoll(world, client, id, since)
}

export async function getCalendar(client: HttpClient, id: string): Promise<ApiCalendar> {
  const { body } = await client.get(`/web/calendars/${id}`)
  return (body as unknown as { calendar: ApiCalendar }).calendar
}

export async function listAccounts(client: HttpClient): Promise<ApiCalendarAccounts['accounts']> {
  const { body } = await client.get('/web/calendar-accounts')
  return (body as unknown as ApiCalendarAccounts).accounts
}

/** The upcoming meetings of the person’s calendars, as title and reason. */
export async function listReasons(client: HttpClient): Promise<string[]> {
  return (await listUpcoming(client)).map(({ title, reason }) => `${title}: ${reason}`)
}

export async function listUpcoming(client: HttpClient): Promise<ApiUpcomingMeeting[]> {
  const { body } = await client.get('/web/upcoming?limit=100')
  const { upcoming } = body as unknown as { upcoming: ApiUpcomingMeeting[] }
  return upcoming.filter(({ calendarId }) => calendarId !== null)
}

type EventTimes = { clock: { now(): Date }; minutes: number }

/** An event of Google Calendar that begins in so many minutes and takes half an hour. */
export function googleEvent(
  { clock, minutes }: EventTimes,
  summary: string,
  fields: object = {},
): GoogleEvent {
  const at = (more: number) => ({
    dateTime: new Date(clock.now().getTime() + (minutes + more) * 60_000).toISOString(),
  })
  return { summary, start: at(0), end: at(30), iCalUID: `${summary}@google.com`, ...fields }
}

/** An event of Outlook that begins in so many minutes and takes half an hour. */
export function outlookEvent(
  { clock, minutes }: EventTimes,
  subject: string,
  fields: Partial<OutlookEvent> = {},
): OutlookEvent {
  const at = (more: number) => {
    const text = new Date(clock.now().getTime() + (minutes + more) * 60_000).toISOString()
    return { dateTime: text.replace('Z', '0000'), timeZone: 'UTC' as const }
  }
  return { type: 'singleInstance', subject, start: at(0), end: at(30), ...fields }
}

function expectStatus({ status, body }: { status: number; body: object }, expected: number): void {
  if (status !== expected) throw new Error(`${status}: ${JSON.stringify(body)}`)
}
