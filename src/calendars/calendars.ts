import type { AreaContext } from '../db/context.ts'
import { openPrivateProject } from '../access/project-use.ts'
import { DEFAULT_PROJECT } from '../access/registered-projects.ts'
import type { Viewer } from '../access/viewer.ts'
import { appendAudit, type Actor } from '../accounts/audit.ts'
import { DEFAULT_SPEECH_MODE } from '../bots/platforms/speech/speech-mode.ts'
import type { Tx } from '../db/database.ts'
import { ServiceError, throwIfAnyErrors } from '../errors.ts'
import { type SecretBox, newId } from '../lib/crypto.ts'
import { canonicalTimeZone } from '../lib/time/time-zone-name.ts'
import { withdrawMeeting } from '../meetings/scheduling/scheduled-meetings.ts'
import {
  alignMeetings,
  withdrawMeetingsOfCalendar,
  type MeetingChanger,
} from './attending/align-meetings.ts'
import { createCalendarCheck, readFeedHost, toFeedUrl } from './calendar-check.ts'
import {
  addressLabel,
  insertCalendar,
  listCalendars,
  readAgain,
  replaceAddress,
  requireCalendar,
  startsSameMeetings,
  updateCalendarSettings,
  type CalendarSettings,
  findCalendarObstacle,
  readDefaultAddress,
} from './calendar-store.ts'
import {
  type Calendar,
  type CalendarProviderName,
  NO_RULES,
  PROVIDER_RULES,
  type AttendanceRules,
} from './calendar.ts'
import { readOccurrences, settleRooms } from './planning/occurrence-store.ts'
import { planCalendar, planInTransaction, acquirePlanningLock } from './planning/plan-calendar.ts'
import { requireAccount } from './providers/accounts.ts'
import { requestPoll, MAX_FAILURES_FOR_POLL_NOW } from './poll-runner.ts'

/** The fields that a request can set. Null removes a value. An absent field keeps its value or gets its default. */
export type CalendarRequest = {
  [K in Exclude<keyof CalendarSettings, 'rules'>]?: CalendarSettings[K] | undefined
} & { url?: string | undefined; rules?: RulesRequest | undefined }

/** Where a new calendar is: the address of a feed, or a calendar of a connected account. */
export type CalendarPlace =
  | { url: string; calendarAccountId?: undefined; providerCalendarId?: undefined }
  | { url?: undefined; calendarAccountId: string; providerCalendarId: string }

export type RulesRequest = { [K in keyof AttendanceRules]?: AttendanceRules[K] | undefined }

type Parts = AreaContext & {
  secretBox: SecretBox
  meetings: MeetingChanger
  /** The time zone of calendars that have none. */
  timeZone: string
  findAddressProblem(url: string): Promise<string | null>
  /** The host of a provider’s calendars. It is shown to the owner. */
  hostOf(provider: CalendarProviderName): string
  /** Called after the commit of a removal. */
  onRemoved(accountId: string): Promise<void>
  findCallbackProblem(url: string): Promise<string | null>
  findAccountProblem(account: string): Promise<string | null>
  /** Called after the commit of a change, so that all nodes check what is due. */
  onChanged(): void
}

const MAX_CALENDARS = { person: 50, instance: 1_000 }
/** A calendar that was just read is not read again for this long. */
export const MIN_POLL_PAUSE_MS = 10_000

export function createCalendars(parts: Parts) {
  const { db, clock, secretBox, meetings, onChanged } = parts
  const check = createCalendarCheck(parts)

  return {
    list: (viewer: Viewer) => listCalendars(db, viewer),
    get: (id: string) => requireCalendar(db, id),
    /** Returns an error for each of these fields that cannot be used. */
    findProblems: check.findProblems,

    async create(
      viewer: Viewer,
      {
        url,
        calendarAccountId,
        providerCalendarId,
        ...request
      }: Omit<CalendarRequest, 'url'> & CalendarPlace & { name: string },
      actor: Actor,
      beforeCommit?: (tx: Tx, calendar: Calendar) => Promise<void>,
    ) {
      const userId = viewer.kind === 'user' ? viewer.userId : null
      const now = clock.now()
      throwIfAnyErrors(await check.findProblems({ url, ...request }))
      const id = newId('cal')
      const created = await db.transaction().execute(async (tx) => {
        const ownAddress = await readDefaultAddress(tx, userId)
        const { place, account } = await findPlace(tx, parts, viewer, id, {
          url,
          calendarAccountId,
          providerCalendarId,
        })
        const address = account?.address || ownAddress
        const { project = await openDefaultProject(tx, viewer, ownAddress, now) } = request
        const rules = account === null ? NO_RULES : PROVIDER_RULES
        const settings = mergeSettings(
          { ...DEFAULT_SETTINGS, rules, timeZone: parts.timeZone, address },
          { ...request, project },
        )
        check.requireConsistent(settings)
        await requireRoom(tx, userId)
        await insertCalendar(tx, { ...settings, id, userId, ...place }, now)
        // Not the calendar's name: admins read the audit log, and only its person may see a personal calendar.
        await appendAudit(tx, now, actor, 'calendar added', id)
        const calendar = await requireCalendar(tx, id)
        await beforeCommit?.(tx, calendar)
        return calendar
      })
      onChanged()
      return created
    },

    async update(id: string, { url, ...request }: CalendarRequest, actor: Actor) {
      const now = clock.now()
      throwIfAnyErrors(await check.findProblems({ url, ...request }))
      const change = async (tx: Tx, before: Calendar) => {
        const settings = mergeSettings(before, request)
        check.requireConsistent(settings)
        await updateCalendarSettings(tx, id, settings)
        if (url !== undefined) {
          if (before.kind !== 'ics') throw urlNotPossible()
          const address = toFeedUrl(url)
          const urlSealed = secretBox.seal(address, addressLabel(id))
          await replaceAddress(tx, id, { urlSealed, host: readFeedHost(address) }, now)
        } else if (settings.timeZone !== before.timeZone) await readAgain(tx, id, now)
        await planAgain(tx, meetings, { before, after: { ...before, ...settings } }, now)
        await appendAudit(tx, now, actor, 'calendar changed', id)
        return requireCalendar(tx, id)
      }
      const { project } = request
      const updated = await planInTransaction(
        db,
        id,
        change,
        project === undefined ? [] : [project],
      )
      if (updated === null) throw new ServiceError('calendar_not_found')
      onChanged()
      return updated.value
    },

    /** Removes a calendar and everything planned for it. Withdraws meetings that are waiting for their join time. */
    async remove(id: string, actor: Actor): Promise<void> {
      const now = clock.now()
      const removed = await planInTransaction(
        db,
        id,
        async (tx, { project, calendarAccountId }) => {
          const occurrences = await readOccurrences(tx, id)
          await withdrawMeetingsOfCalendar(tx, meetings, occurrences)
          await tx.deleteFrom('calendar').where('id', '=', id).execute()
          await settleRooms(tx, project, listRooms(occurrences), now)
          await appendAudit(tx, now, actor, 'calendar removed', id)
          return calendarAccountId
        },
      )
      if (removed === null) throw new ServiceError('calendar_not_found')
      onChanged()
      if (removed.value !== null) await parts.onRemoved(removed.value)
    },

    /** Makes a node read the calendar now. */
    async pollNow(id: string): Promise<Calendar> {
      const { polledAt } = await requireCalendar(db, id)
      const now = clock.now()
      const earliest = new Date((polledAt?.getTime() ?? 0) + MIN_POLL_PAUSE_MS)
      const at = earliest > now ? earliest : now
      await requestPoll(db, { calendarId: id, at, maxFailures: MAX_FAILURES_FOR_POLL_NOW })
      onChanged()
      return requireCalendar(db, id)
    },
  }
}

export type Calendars = ReturnType<typeof createCalendars>

const DEFAULT_SETTINGS = {
  account: null,
  speech: DEFAULT_SPEECH_MODE,
  task: null,
  callbackUrl: null,
  tokenId: null,
  rules: NO_RULES,
  isPaused: false,
} satisfies Partial<CalendarSettings>

/** Where a new calendar is read, and the account with which it is. Throws unless the account is the viewer's. */
async function findPlace(
  tx: Tx,
  { secretBox, hostOf }: Pick<Parts, 'secretBox' | 'hostOf'>,
  viewer: Viewer,
  id: string,
  given: { [K in keyof CalendarPlace]: string | undefined },
) {
  const { calendarAccountId, providerCalendarId = null } = given
  if (calendarAccountId === undefined) {
    const feedUrl = toFeedUrl(given.url ?? '')
    const urlSealed = secretBox.seal(feedUrl, addressLabel(id))
    const none = { calendarAccountId: null, providerCalendarId: null }
    const place = { kind: 'ics' as const, host: readFeedHost(feedUrl), urlSealed, ...none }
    return { place, account: null }
  }
  const account = await requireAccount(tx, viewer, calendarAccountId)
  const { provider } = account
  const read = { calendarAccountId: account.id, providerCalendarId, urlSealed: null }
  return { place: { kind: provider, host: hostOf(provider), ...read }, account }
}

function urlNotPossible(): ServiceError {
  const message = 'Is only for calendars that are read from an address'
  return new ServiceError('invalid_request', { details: [{ path: 'url', message }] })
}

function openDefaultProject(
  tx: Tx,
  viewer: Viewer,
  email: string | null,
  now: Date,
): string | Promise<string> {
  if (viewer.kind !== 'user' || email === null) return DEFAULT_PROJECT
  return openPrivateProject(tx, viewer, email, now)
}

function mergeSettings(
  before: Partial<CalendarSettings>,
  request: CalendarRequest,
): CalendarSettings {
  const given = omitUndefined(request)
  const merged = { ...before, ...given } as CalendarSettings
  const rules = { ...(before.rules ?? NO_RULES), ...omitUndefined(request.rules ?? {}) }
  const timeZone = canonicalTimeZone(merged.timeZone) ?? merged.timeZone
  return { ...merged, rules, timeZone }
}

function omitUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

async function requireRoom(tx: Tx, userId: string | null): Promise<void> {
  const { count } = await tx
    .selectFrom('calendar')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', 'is not distinct from', userId)
    .executeTakeFirstOrThrow()
  const limit = userId === null ? MAX_CALENDARS.instance : MAX_CALENDARS.person
  if (Number(count) >= limit) throw new ServiceError('too_many_calendars')
}

/** Decides again about the whole plan. Withdraws waiting meetings that would now start differently. */
async function planAgain(
  tx: Tx,
  meetings: MeetingChanger,
  { before, after }: { before: Calendar; after: Calendar },
  now: Date,
): Promise<void> {
  const occurrences = await readOccurrences(tx, after.id)
  const startsOthers = !startsSameMeetings(before, after)
  if (startsOthers) await withdrawMeetingsOfCalendar(tx, meetings, occurrences)
  const obstacle = await findCalendarObstacle(tx, after, now)
  const change = { now, obstacle, reported: null, forgetsRefusals: startsOthers }
  const plan = await planCalendar(tx, after, change)
  // In the old project, another calendar may have left a room to this one.
  if (before.project !== after.project)
    await settleRooms(tx, before.project, listRooms(occurrences), now)
  await alignMeetings(tx, meetings, { ...plan, calendarId: after.id, project: after.project })
}

function listRooms(occurrences: ReadonlyArray<{ room: string | null }>): string[] {
  return occurrences.flatMap(({ room }) => (room === null ? [] : [room]))
}

/** Removes a user's calendars in the transaction that removes the user. Bots that are waiting do not join. */
export async function removeCalendarsOfUser(tx: Tx, userId: string, now: Date): Promise<void> {
  for (const { id, project } of await lockCalendarsOfUser(tx, userId)) {
    const occurrences = await readOccurrences(tx, id)
    for (const { meeting_id } of occurrences)
      if (meeting_id !== null) await withdrawMeeting(tx, meeting_id, now)
    await tx.deleteFrom('calendar').where('id', '=', id).execute()
    await settleRooms(tx, project, listRooms(occurrences), now)
  }
}

/** Pauses a user's calendars in the transaction that deactivates the user. Bots that are waiting do not join. */
export async function pauseCalendarsOfUser(tx: Tx, userId: string, now: Date): Promise<void> {
  const meetings: MeetingChanger = {
    withdraw: async (within, id) => (await withdrawMeeting(within, id, now)) !== null,
    // No meeting of a paused calendar is kept.
    reschedule: async () => false,
  }
  for (const { id } of await lockCalendarsOfUser(tx, userId)) {
    await tx.updateTable('calendar').set({ is_paused: true }).where('id', '=', id).execute()
    const calendar = await requireCalendar(tx, id)
    const after = { ...calendar, isPaused: true }
    await planAgain(tx, meetings, { before: after, after }, now)
  }
}

async function lockCalendarsOfUser(
  tx: Tx,
  userId: string,
): Promise<Array<{ id: string; project: string }>> {
  const calendarQuery = tx
    .selectFrom('calendar')
    .select(['id', 'project'])
    .where('user_id', '=', userId)
    .orderBy('id')
  const projects = (await calendarQuery.execute()).map(({ project }) => project)
  if (projects.length === 0) return []
  await acquirePlanningLock(tx, projects)
  // Read again, because a calendar may have got another project before the lock was held.
  return calendarQuery.forUpdate().execute()
}
