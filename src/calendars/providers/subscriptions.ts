import type { AreaContext } from '../../db/context.ts'
import type { Db } from '../../db/database.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import { createReportToken } from '../../network/report-tokens.ts'
import type { CalendarProviderName } from '../calendar.ts'
import type { AccessTokens } from './access-tokens.ts'
import { ProviderProblem } from './problems.ts'
import { openProviderApi } from './provider-api.ts'
import type { ProviderApiParts } from './provider.ts'
import { PROVIDERS } from './providers.ts'

type Parts = Pick<AreaContext, 'db' | 'clock' | 'log'> &
  ProviderApiParts & {
    tokens: AccessTokens
    /** The public address of this service with https; null if there is none, and then calendars are only polled. */
    publicUrl: string | null
  }

/** A calendar that was just read, and the lease of that read. */
type ReadCalendar = {
  calendarId: string
  fence: number
  kind: CalendarProviderName
  accountId: string
  providerCalendarId: string
}

export const NOTIFICATION_PATHS: Readonly<Record<CalendarProviderName, string>> = {
  microsoft: '/web/calendar-notifications/microsoft',
  google: '/web/calendar-notifications/google',
}

/** Both providers allow a week. Three days stay possible with a clock that is off by a day. */
const LENGTH_MS = 3 * DAY_MS
const RENEW_BEFORE_MS = 36 * HOUR_MS
const RETRY_MS = HOUR_MS
/** After a node ended in the middle of a request. */
const ABANDONED_MS = 15 * MINUTE_MS
const STOP_MS = 5_000
const MAX_STOPPED = 100

/**
 * Asks providers to report changes, so that a calendar is read at once. The reports only save time: a calendar is also
 * polled, so nothing depends on whether one arrives.
 */
export function createSubscriptions(parts: Parts) {
  const { db, clock, log, publicUrl } = parts

  /** Replaces the subscription, because Google cannot renew one. */
  const subscribe = async (
    { calendarId, kind, accountId, providerCalendarId }: ReadCalendar,
    address: string,
    signal: AbortSignal,
  ): Promise<void> => {
    const now = clock.now()
    const expiresAt = new Date(now.getTime() + LENGTH_MS)
    const { id, token, secretHash } = createReportToken('csub')
    // Stored before the request, so that a report that comes before its response is known.
    await db
      .insertInto('calendar_subscription')
      .values({
        id,
        calendar_id: calendarId,
        calendar_account_id: accountId,
        secret_hash: secretHash,
        expires_at: expiresAt,
        created_at: now,
      })
      .execute()
    const api = openProviderApi(parts, accountId, signal)
    const started = await PROVIDERS[kind].subscribe(api, {
      calendarId: providerCalendarId,
      url: `${address}${NOTIFICATION_PATHS[kind]}`,
      id,
      token,
      expiresAt,
    })
    const { providerId, resourceId } = started
    await db
      .updateTable('calendar_subscription')
      .set({ provider_id: providerId, resource_id: resourceId, expires_at: started.expiresAt })
      .where('id', '=', id)
      .execute()
    await db
      .updateTable('calendar_subscription')
      .set({ calendar_id: null })
      .where('calendar_id', '=', calendarId)
      .where('id', '<>', id)
      .execute()
    await stop(accountId, signal)
  }

  /** Stops the reports that no calendar needs any more. */
  const stop = async (accountId: string | null, signal: AbortSignal): Promise<void> => {
    const rows = await db
      .selectFrom('calendar_subscription as s')
      .innerJoin('calendar_account as a', 'a.id', 's.calendar_account_id')
      .select(['s.id', 's.provider_id as providerId', 's.resource_id as resourceId'])
      .select(['a.id as accountId', 'a.provider'])
      .where('s.calendar_id', 'is', null)
      .$if(accountId !== null, (query) => query.where('a.id', '=', accountId ?? ''))
      .orderBy('s.created_at')
      .limit(MAX_STOPPED)
      .execute()
    for (const { id, providerId, resourceId, ...account } of rows) {
      const api = openProviderApi(parts, account.accountId, signal)
      if (providerId !== null)
        await PROVIDERS[account.provider].unsubscribe(api, { providerId, resourceId })
      await db.deleteFrom('calendar_subscription').where('id', '=', id).execute()
    }
  }
  /** What cannot be stopped ends by itself within days. */
  const tryToStop = async (accountId: string | null, signal: AbortSignal): Promise<void> => {
    try {
      await stop(accountId, signal)
    } catch (error) {
      if (!(error instanceof ProviderProblem) && !signal.aborted) throw error
      log.info({ accountId, problem: String(error) }, 'failed to stop reports about calendars')
    }
  }

  return {
    /** Asks for reports about a calendar that was just read, if there are none or they end soon. */
    async ensure(calendar: ReadCalendar, signal: AbortSignal): Promise<void> {
      if (publicUrl === null || !(await claimSubscribing(db, calendar, clock.now()))) return
      const { calendarId } = calendar
      try {
        await subscribe(calendar, publicUrl, signal)
        await setNextTry(db, calendarId, null)
      } catch (error) {
        if (!(error instanceof ProviderProblem)) throw error
        log.warn({ calendarId, problem: error.message }, 'failed to ask for reports about changes')
        await setNextTry(db, calendarId, new Date(clock.now().getTime() + RETRY_MS))
      }
    },

    stop: tryToStop,

    /** Called after calendars were removed. */
    stopOfRemoved: (accountId: string) => tryToStop(accountId, AbortSignal.timeout(STOP_MS)),

    /** Deletes what has ended, and stops what could not be stopped before. A maintenance job calls it. */
    async cleanUp(now: Date): Promise<void> {
      await db.deleteFrom('calendar_subscription').where('expires_at', '<', now).execute()
      const left = await db
        .selectFrom('calendar_subscription')
        .select('calendar_account_id as accountId')
        .distinct()
        .where('calendar_id', 'is', null)
        .limit(MAX_STOPPED)
        .execute()
      for (const { accountId } of left) await tryToStop(accountId, AbortSignal.timeout(STOP_MS))
    },
  }
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** True if this read may ask for reports, which only one node does. */
async function claimSubscribing(
  db: Db,
  { calendarId, fence }: ReadCalendar,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendar')
    .set({ subscribe_after: new Date(now.getTime() + ABANDONED_MS) })
    .where('id', '=', calendarId)
    .where('fence', '=', fence)
    .where((eb) => eb.or([eb('subscribe_after', 'is', null), eb('subscribe_after', '<=', now)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('calendar_subscription')
            .whereRef('calendar_subscription.calendar_id', '=', 'calendar.id')
            .where('provider_id', 'is not', null)
            .where('expires_at', '>', new Date(now.getTime() + RENEW_BEFORE_MS)),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function setNextTry(db: Db, calendarId: string, at: Date | null): Promise<void> {
  await db
    .updateTable('calendar')
    .set({ subscribe_after: at })
    .where('id', '=', calendarId)
    .execute()
}
