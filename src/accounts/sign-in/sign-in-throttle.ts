import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { parseIpAddress } from '../../lib/net/ip-addresses.ts'
import { addSecondsToDate, type Clock } from '../../lib/time/clock.ts'

/**
 * After `free` failures each further attempt must wait. The wait doubles from one second up to `longestSeconds`.
 * `device` replaces `address` and `account` in a browser where the user has signed in before, so that strangers can't
 * lock the user out there.
 * `password` counts wrong current passwords when a signed-in user changes it.
 * `started` counts unfinished sign-ins with a provider or a passkey, each of which is stored for ten minutes.
 * `share` counts wrong passwords of one share link. Its waits are short, because everyone with the link can cause them.
 */
const SIGN_IN_LIMITS = {
  address: { free: 10, longestSeconds: 900 },
  account: { free: 50, longestSeconds: 30 },
  device: { free: 10, longestSeconds: 900 },
  password: { free: 10, longestSeconds: 900 },
  started: { free: 300, longestSeconds: 60 },
  share: { free: 50, longestSeconds: 30 },
} as const satisfies Record<string, { free: number; longestSeconds: number }>

/** Older failures are ignored and deleted. */
const FAILURE_TTL_SECONDS = 3_600

export type ThrottleScope = { rule: keyof typeof SIGN_IN_LIMITS; key: string }

const IPV6_SUBNET_BYTES = 8

export function createSignInThrottle({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** Counts an attempt as failed before the password is checked, so that parallel guesses can't exceed the limit. */
    async recordAttempt(scopes: ThrottleScope[]): Promise<void> {
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
    /** Undoes `recordAttempt` after the attempt has succeeded. */
    async recordSuccess(scopes: ThrottleScope[]): Promise<void> {
      await db
        .updateTable('sign_in_failure')
        .set({ failures: sql`greatest(failures - 1, 0)` })
        .where('scope', 'in', scopes.map(throttleScopeKey))
        .execute()
    },
  }
}

export type SignInThrottle = ReturnType<typeof createSignInThrottle>

export async function deleteOldSignInFailures(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sign_in_failure')
    .where('updated_at', '<', addSecondsToDate(now, -FAILURE_TTL_SECONDS))
    .execute()
}

/**
 * Counts a sign-in attempt in one SQL statement, so that the count is right on all nodes. Null if the attempt is
 * allowed, otherwise the seconds to wait.
 */
async function countAttempt(db: Db, now: Date, scope: ThrottleScope): Promise<number | null> {
  const { free, longestSeconds } = SIGN_IN_LIMITS[scope.rule]
  const expiredBefore = addSecondsToDate(now, -FAILURE_TTL_SECONDS)
  const failures = sql`(case when row.updated_at < ${expiredBefore} then 1 else row.failures + 1 end)`
  // During the free attempts, next_attempt_at stays in the past, so that simultaneous requests don't block each other.
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

/**
 * The key for counting sign-in attempts from an address. All addresses of an IPv6 /64 network share a key, because one
 * customer usually gets the whole network. Text that is not an IP address is returned unchanged.
 */
export function ipToRateLimitKey(ip: string): string {
  const address = parseIpAddress(ip)
  if (address === null) return ip
  if (address.kind() === 'ipv4') return address.toString()
  return `${Buffer.from(address.toByteArray().slice(0, IPV6_SUBNET_BYTES)).toString('hex')}/64`
}
