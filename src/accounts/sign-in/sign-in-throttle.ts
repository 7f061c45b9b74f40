import { sql } from 'kysely'
import { ServiceError } from '../../errors.ts'
import { secondsAfter, type Clock } from '../../lib/time/clock.ts'
import type { Db } from '../../db/database.ts'

/**
 * How many failures are free, and how long the wait may grow after them (it doubles from one second).
 * `home` is an account at an address its owner is signed in from, and holds there instead of the two others:
 * neither guesses at other accounts from that address nor guesses at this one from elsewhere count for it.
 * Whoever guesses at it from that very address makes its owner wait, so its wait is as short as the account's.
 */
const SIGN_IN_LIMITS = {
  address: { free: 10, longestSeconds: 900 },
  account: { free: 50, longestSeconds: 30 },
  home: { free: 10, longestSeconds: 30 },
} as const satisfies Record<string, { free: number; longestSeconds: number }>

/** Failures older than this are forgotten. */
const FAILURE_TTL_SECONDS = 3_600

export type ThrottleScope = { rule: keyof typeof SIGN_IN_LIMITS; key: string }

export interface SignInThrottle {
  /** Counts an attempt as failed before it is made, so that parallel guesses cannot slip through together. */
  recordAttempt(scopes: ThrottleScope[]): Promise<void>
  /** Takes the count back once the attempt turned out right. */
  recordSuccess(scopes: ThrottleScope[]): Promise<void>
}

export function createSignInThrottle({ db, clock }: { db: Db; clock: Clock }): SignInThrottle {
  return {
    async recordAttempt(scopes) {
      for (const scope of scopes) {
        const waitSeconds = await countAttempt(db, clock.now(), scope)
        if (waitSeconds !== null) {
          throw new ServiceError('too_many_attempts', {
            retryAfterSeconds: waitSeconds,
            hint: `Try again in ${waitSeconds} s`,
          })
        }
      }
    },
    async recordSuccess(scopes) {
      await db
        .updateTable('sign_in_failure')
        .set({ failures: sql`greatest(failures - 1, 0)` })
        .where('scope', 'in', scopes.map(throttleScopeKey))
        .execute()
    },
  }
}

export async function deleteOldSignInFailures(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sign_in_failure')
    .where('updated_at', '<', secondsAfter(now, -FAILURE_TTL_SECONDS))
    .execute()
}

/** Null when the attempt may be made, otherwise the seconds to wait. One statement, so it holds across nodes. */
async function countAttempt(db: Db, now: Date, scope: ThrottleScope): Promise<number | null> {
  const { free, longestSeconds } = SIGN_IN_LIMITS[scope.rule]
  const forgetBefore = secondsAfter(now, -FAILURE_TTL_SECONDS)
  const failures = sql`(case when row.updated_at < ${forgetBefore} then 1 else row.failures + 1 end)`
  // Within the free attempts the column stays in the past: requests of the same instant must not block each other.
  const nextAttempt = sql`case when ${failures} <= ${free} then row.next_attempt_at
    else ${now}::timestamptz
      + least(${longestSeconds}, power(2, least(${failures} - ${free} - 1, 20))) * interval '1 second' end`
  const { rows } = await sql`
    insert into sign_in_failure as row (scope, failures, next_attempt_at, updated_at)
    values (${throttleScopeKey(scope)}, 1, 'epoch', ${now})
    on conflict (scope) do update set
      failures = ${failures},
      next_attempt_at = ${nextAttempt},
      updated_at = ${now}
    where row.next_attempt_at <= ${now}
    returning scope`.execute(db)
  if (rows.length > 0) return null
  const blocked = await db
    .selectFrom('sign_in_failure')
    .select('next_attempt_at')
    .where('scope', '=', throttleScopeKey(scope))
    .executeTakeFirst()
  const waitMs = (blocked?.next_attempt_at.getTime() ?? 0) - now.getTime()
  return Math.max(1, Math.ceil(waitMs / 1000))
}

function throttleScopeKey({ rule, key }: ThrottleScope): string {
  return `${rule}:${key}`
}
