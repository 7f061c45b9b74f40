import { sql } from 'kysely'
import type { AreaContext } from '../../db/context.ts'
import type { Db } from '../../db/database.ts'
import { buildSoonerPoll } from '../../db/nodes/leased-rows.ts'
import { readReportTokens, toReportKey } from '../../network/report-tokens.ts'
import { MAX_FAILURES_FOR_POLL_NOW } from '../poll-runner.ts'

/**
 * Makes the calendars of these tokens due. Returns how many of the tokens were right. A calendar that was just read waits
 * for a moment, so that many reports do not become many reads.
 */
export async function receiveNotifications(
  { db, clock }: Pick<AreaContext, 'db' | 'clock'>,
  tokens: readonly string[],
  pauseMs: number,
): Promise<number> {
  const given = readReportTokens(tokens)
  const keys = new Set(given.keys)
  const rows = await db
    .selectFrom('calendar_subscription')
    .select(['id', 'calendar_id as calendarId', 'secret_hash as secretHash'])
    .where('id', 'in', ['', ...given.ids])
    .execute()
  const right = rows.filter((row) => keys.has(toReportKey(row)))
  const ids = right.flatMap(({ calendarId }) => calendarId ?? [])
  if (ids.length > 0) await requestSoonerPoll(db, ids, clock.now(), pauseMs)
  return right.length
}

async function requestSoonerPoll(
  db: Db,
  calendarIds: readonly string[],
  now: Date,
  pauseMs: number,
): Promise<void> {
  await sql`
    update calendar set next_poll_at = ${buildSoonerPoll(now, pauseMs)}
    where id = any(${calendarIds}::text[]) and failures <= ${MAX_FAILURES_FOR_POLL_NOW}`.execute(db)
}
