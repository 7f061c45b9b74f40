import type { AreaContext } from '../db/context.ts'
import type { SecureContext } from 'node:tls'
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Viewer } from '../access/viewer.ts'
import { createSignInChallenges } from '../accounts/sign-in/challenges.ts'
import type { Platform } from '../bots/platforms/platform.ts'
import type { Db } from '../db/database.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { GOOGLE_HOSTS, type GoogleHosts } from '../network/google-hosts.ts'
import { createGuardedFetch } from '../network/guarded-fetch.ts'
import type { NetworkPolicy } from '../network/network-policy.ts'
import { MICROSOFT_HOSTS, type MicrosoftHostsByCloud } from '../network/microsoft-hosts.ts'
import { REQUEST_TIMEOUT_MS, type ApiHttp } from '../network/api-requests.ts'
import { ServiceError } from '../errors.ts'
import type { SecretBox } from '../lib/crypto.ts'
import type { Tracer } from '../lib/tracer.ts'
import type { MeetingOptions } from '../meetings/meeting.ts'
import type { Meetings } from '../meetings/meetings.ts'
import { createAttendRunner } from './attending/attend-runner.ts'
import { addressLabel } from './calendar-store.ts'
import type { CalendarProviderName } from './calendar.ts'
import { createCalendars, MIN_POLL_PAUSE_MS } from './calendars.ts'
import { createFeedReader, FEED_READER_LIMITS } from './ics/feed-reader.ts'
import { MAX_READ_AGE_MS, plannedWindow } from './planning/decide-attendance.ts'
import { createOccurrenceLinker, type OccurrenceLinker } from './planning/link-occurrences.ts'
import { type ClaimedCalendar, startPollRunner, type PollTimes } from './poll-runner.ts'
import { createCalendarPreviews } from './previews.ts'
import { createAccessTokens } from './providers/access-tokens.ts'
import { createCalendarAccounts, type CalendarAccountParts } from './providers/accounts.ts'
import { createCalendarApps } from './providers/app-store.ts'
import { readStoredEvents } from './providers/event-store.ts'
import { receiveNotifications } from './providers/notifications.ts'
import { openProviderApi } from './providers/provider-api.ts'
import { PROVIDERS } from './providers/providers.ts'
import { createSubscriptions, type Subscriptions } from './providers/subscriptions.ts'
import {
  type CalendarSources,
  createIcsSource,
  pollCalendar,
  type PolledCalendar,
} from './sources/calendar-source.ts'
import { createProviderSource } from './sources/provider-source.ts'
import { INTERNAL_PROBLEM, createFeedFetcher } from './sources/fetch-feed.ts'
import { storePoll, type LinkedPollResult } from './store-poll.ts'
import {
  findRunningMeeting,
  setAttendance,
  findUpcoming,
  listUpcoming,
  type UpcomingMeeting,
} from './upcoming.ts'

type Parts = AreaContext & {
  tracer: Tracer
  secretBox: SecretBox
  membership: NodeMembership
  meetings: Meetings
  platforms: readonly Platform[]
  policy: NetworkPolicy
  secureContext: SecureContext | null
  times: PollTimes
  timeZone: string
  /** The URL where people open the service. */
  baseUrl(): string
  /** The public address of this service with https; null if there is none. */
  publicUrl: string | null
  /** Replace the hosts of the providers in tests. */
  microsoftHosts: MicrosoftHostsByCloud | undefined
  googleHosts: GoogleHosts | undefined
  defaultOptions: MeetingOptions
  findCallbackProblem(url: string): Promise<string | null>
  findAccountProblem(account: string): Promise<string | null>
}

/** The largest feed takes about three seconds. A slower one must not delay the others. */
const READER_LIMITS = { ...FEED_READER_LIMITS, maxReadMs: 8_000 }

/** Opens the calendars area. A node with the role `tasks` starts to poll calendars and to create their meetings. */
export function openCalendarsArea(parts: Parts) {
  const { db, clock, log, membership, meetings, policy } = parts
  const stack = new AsyncDisposableStack()
  const reader = stack.use(createFeedReader(READER_LIMITS))
  const fetcher = stack.use(createFeedFetcher(parts))
  const guarded = stack.use(createGuardedFetch(parts))
  const http = { guarded, policy, clock, timeoutMs: REQUEST_TIMEOUT_MS }
  const provider = openProviders({ ...parts, http }, () => onChanged())
  const sources: CalendarSources = {
    ics: createIcsSource({ fetchFeed: fetcher.fetchFeed, reader }),
    microsoft: provider.createSource('microsoft'),
    google: provider.createSource('google'),
  }
  const linkOccurrences = createOccurrenceLinker(parts.platforms)
  const startRunners = () => {
    const poll = createPoll({
      ...parts,
      sources,
      linkOccurrences,
      onStored: () => attending.wake(),
      ensureSubscription: provider.subscriptions.ensure,
    })
    const attending = stack.use(createAttendRunner(parts))
    const tracedPoll: typeof poll = (claimed, signal) => {
      const attributes = { 'hansard.calendar.id': claimed.calendarId }
      return parts.tracer.run('poll calendar', { parent: null, attributes }, () =>
        poll(claimed, signal),
      )
    }
    return [attending, stack.use(startPollRunner({ db, clock, log, membership, poll: tracedPoll }))]
  }
  const runners = membership.hasRole('tasks') ? startRunners() : []
  const wake = () => runners.forEach((runner) => runner.wake())
  membership.onMessage('calendars_changed', wake)
  const onChanged = () => {
    wake()
    membership.broadcast('calendars_changed', {})
  }
  wake()
  const calendars = createCalendars({
    ...parts,
    findAddressProblem: describeBlocked(policy),
    hostOf: provider.hostOf,
    onRemoved: provider.subscriptions.stopOfRemoved,
    onChanged,
  })
  return {
    calendars,
    apps: provider.apps,
    accounts: provider.createAccounts(calendars.remove),
    /** Makes calendars due whose provider reported a change. Returns how many of the tokens were right. */
    async receiveReports(tokens: readonly string[]): Promise<number> {
      const count = await receiveNotifications(parts, tokens, MIN_POLL_PAUSE_MS)
      if (count > 0) onChanged()
      return count
    },
    cleanUpSubscriptions: provider.subscriptions.cleanUp,
    previews: createCalendarPreviews({ ...parts, sources, linkOccurrences }),
    metrics: createCalendarMetrics(db),
    listUpcoming: (
      viewer: Viewer,
      range: { from: Date; to: Date },
      limit: number,
      cursor: string | undefined,
    ) => listUpcoming(db, viewer, { ...range, now: clock.now() }, limit, cursor),
    /** Stores a person's decision about an upcoming meeting. */
    async setAttendance(viewer: Viewer, id: string, attend: boolean | null) {
      const before = await findUpcoming(db, viewer, id, clock.now())
      if (before === null) throw new ServiceError('upcoming_not_found')
      if (before.calendarId === null) return decideWithoutCalendar(meetings, before, attend)
      const running = attend === false ? await findRunningMeeting(db, viewer, before) : null
      await setAttendance({ db, meetings }, id, attend, clock.now())
      if (running !== null) await meetings.stop(running)
      onChanged()
      const after = await findUpcoming(db, viewer, id, clock.now())
      if (after === null) throw new ServiceError('upcoming_not_found')
      return after
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type CalendarsArea = ReturnType<typeof openCalendarsArea>

/** A meeting that was scheduled by hand is joined anyway, so the only possible decision is to stop it. */
async function decideWithoutCalendar(
  meetings: Pick<Meetings, 'stop'>,
  meeting: UpcomingMeeting,
  attend: boolean | null,
): Promise<UpcomingMeeting> {
  if (attend !== false) return meeting
  await meetings.stop(meeting.id)
  return { ...meeting, willJoin: false, reason: 'skipped_by_person', attend: false }
}

type PollParts = Parts & {
  sources: CalendarSources
  linkOccurrences: OccurrenceLinker
  onStored(): void
  ensureSubscription: Subscriptions['ensure']
}

/** Reads a claimed calendar and stores the result. */
function createPoll(parts: PollParts) {
  const { clock, log, sources } = parts
  return async (claimed: ClaimedCalendar, signal: AbortSignal): Promise<void> => {
    const { calendarId, readAt, timeZone } = claimed
    const now = clock.now()
    const store = async (result: LinkedPollResult) => {
      if (await storePoll(parts, claimed, result, clock.now())) parts.onStored()
    }
    try {
      const isReadLately = readAt !== null && now.getTime() - readAt.getTime() < MAX_READ_AGE_MS
      const polled = toPolledCalendar(parts, claimed, isReadLately)
      const result = await pollCalendar(sources, polled, plannedWindow(now, timeZone), signal)
      if (result.kind === 'failed')
        log.warn({ calendarId, problem: result.problem }, 'could not read a calendar')
      else if (polled.kind !== 'ics') {
        // While the calendar is still claimed, so that nothing aborts it.
        const { accountId, providerCalendarId } = polled.state
        const calendar = { calendarId, fence: claimed.fence, kind: polled.kind }
        await parts.ensureSubscription({ ...calendar, accountId, providerCalendarId }, signal)
      }
      await store(
        result.kind === 'changed'
          ? { ...result, occurrences: await parts.linkOccurrences(result.occurrences) }
          : result,
      )
    } catch (error) {
      signal.throwIfAborted()
      log.error({ err: error, calendarId }, 'failed to poll a calendar')
      // The owner sees the problem, and polls become less and less frequent. Without the database this fails too.
      await store({ kind: 'failed', problem: INTERNAL_PROBLEM, retryAfterMs: null })
    }
  }
}

/** With what was stored last time, unless it is so old that everything has to be read. */
function toPolledCalendar(
  { secretBox }: Pick<Parts, 'secretBox'>,
  claimed: ClaimedCalendar,
  isReadLately: boolean,
): PolledCalendar {
  const { calendarId, kind, accountId, providerCalendarId, urlSealed } = claimed
  if (kind !== 'ics') {
    if (accountId === null || providerCalendarId === null)
      throw new Error('a calendar of a provider has no account')
    const cursor = isReadLately ? claimed.cursor : null
    return { kind, state: { accountId, providerCalendarId, calendarId, cursor } }
  }
  if (urlSealed === null) throw new Error('a feed has no address')
  const url = secretBox.open(urlSealed, addressLabel(calendarId))
  const { etag, lastModified } = claimed
  const state = isReadLately ? { etag, lastModified } : { etag: null, lastModified: null }
  return { kind, state: { url, ...state } }
}

/** What the calendars of providers need. */
function openProviders(parts: Parts & { http: ApiHttp }, onChanged: () => void) {
  const { db } = parts
  const hosts = {
    microsoft: parts.microsoftHosts ?? MICROSOFT_HOSTS,
    google: parts.googleHosts ?? GOOGLE_HOSTS,
  }
  const apps = createCalendarApps({ ...parts, onChanged })
  const tokens = createAccessTokens({ ...parts, hosts, apps })
  const api = { ...parts, hosts, tokens }
  const subscriptions = createSubscriptions(api)
  const challenges = createSignInChallenges(parts)
  return {
    apps,
    subscriptions,
    createSource: (name: CalendarProviderName) =>
      createProviderSource({
        provider: PROVIDERS[name],
        openApi: (accountId, signal) => openProviderApi(api, accountId, signal),
        readEvents: (calendarId) => readStoredEvents(db, calendarId),
      }),
    hostOf: (name: CalendarProviderName) =>
      new URL(name === 'google' ? hosts.google.calendar : hosts.microsoft.global.graph).host,
    createAccounts: (removeCalendar: CalendarAccountParts['removeCalendar']) =>
      createCalendarAccounts({
        ...api,
        apps,
        challenges,
        removeCalendar,
        stopSubscriptions: subscriptions.stop,
        onChanged,
      }),
  }
}

/** The policy's message is about callbacks. For a calendar, only the result matters. */
function describeBlocked(policy: NetworkPolicy) {
  return async (url: string): Promise<string | null> => {
    if (URL.parse(url) === null || !/^https?:\/\//i.test(url))
      return 'Must be an https, http or webcal address'
    return (await policy.checkUrlWithDns(url)) === null
      ? null
      : 'The network rules of this service do not allow this address'
  }
}

function createCalendarMetrics(db: Db) {
  const calendars = new Gauge({
    name: 'hansard_calendars',
    help: 'Calendars of the instance, by state; `broken`: cannot be read',
    labelNames: ['state'] as const,
    registers: [],
    async collect() {
      for (const [state, count] of await countCalendars(db)) this.set({ state }, count)
    },
  })
  return { register: (registry: Registry) => registry.registerMetric(calendars) }
}

async function countCalendars(db: Db): Promise<Array<[string, number]>> {
  const { rows } = await sql<Record<'ok' | 'paused' | 'broken', number>>`
    select count(*) filter (where broken_since is null and not is_paused)::int as ok,
      count(*) filter (where broken_since is null and is_paused)::int as paused,
      count(*) filter (where broken_since is not null)::int as broken
    from calendar`.execute(db)
  return Object.entries(rows[0] ?? {})
}
