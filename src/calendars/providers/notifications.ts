import { sql } from 'kysely'
import type { AreaContext } from '../../db/context.ts'
import type { Db } from '../../db/database.ts'
import { sha256 } from '../../lib/crypto.ts'
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
  const given = new Map(
    tokens.map((token) => {
      const dot = token.indexOf('.')
      return [token.slice(0, dot), sha256(token.slice(dot + 1))]
    }),
  )
  const rows = await db
    .selectFrom('calendar_subscription')
    .select(['id', 'calendar_id as calendarId', 'secret_hash as secretHash'])
    .where('id', 'in', ['', ...given.keys()])
    .execute()
  // Both are hashes of a long random secret, so comparing them reveals nothing.
  const right = rows.filter(({ id, secretHash }) => given.get(id)?.equals(secretHash))
  const ids = right.flatMap(({ calendarId }) => calendarId ?? [])
  if (ids.length > 0) await requestSoonerPoll(db, ids, clock.now(), pauseMs)
  return right.length
}

/** A poll that is running may already have read the calendar, so another one follows it. */
async function requestSoonerPoll(
  db: Db,
  calendarIds: readonly string[],
  now: Date,
  pauseMs: number,
): Promise<void> {
  const soon = sql<Date>`greatest(${now}::timestamptz,
    polled_at + make_interval(secs => ${pauseMs / 1_000}))`
  await sql`
    update calendar set next_poll_at = case when owner is null then least(next_poll_at, ${soon})
      else ${soon} + interval '1 millisecond' end
    where id = any(${calendarIds}::text[]) and failures <= ${MAX_FAILURES_FOR_POLL_NOW}`.execute(db)
}
