import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { ipToRateLimitKey } from '../../accounts/sign-in/sign-in-throttle.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { waitUntilSettled } from '../../lib/async/await-later.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { clientIp } from './access/caller.ts'

/** Every request is counted as `requests`. Routes that start a meeting are also counted as `starts`. */
export type RateLimitName = 'requests' | 'starts'
export type RateLimitsPerMinute = Record<RateLimitName, number>

declare module 'fastify' {
  interface FastifyContextConfig {
    rateLimit?: RateLimitName
  }
}

const SYNC_INTERVAL_MS = 1_000
const MINUTE_MS = 60_000

/** Counts requests in the current minute. Nodes exchange their counts through the database once a second. */
export interface RequestCounter extends AsyncDisposable {
  /** Counts one request. Returns this minute's count, including that request. */
  add(scope: string): number
  /** Writes this node's counts and reads the other nodes' counts. A timer calls it every second. */
  sync(): Promise<void>
}

/** `isSynced`: the other nodes know the local count. */
type Count = { local: number; remote: number; isSynced: boolean }

type Parts = {
  limits: RateLimitsPerMinute
  /** For each signed-in user. */
  sessionLimits?: RateLimitsPerMinute
  counts: Pick<RequestCounter, 'add'>
  clock: Clock
}

/** Far more than one person's pages send, because the console does not expect a refusal. */
const SESSION_LIMITS: RateLimitsPerMinute = { requests: 6_000, starts: 240 }
/** Requests per minute from one address to the sign-in routes. Many people can share an address. */
export const SIGN_IN_REQUESTS_PER_MINUTE = 600
/** For each provisioning token. Microsoft Entra ID asks for at least 25 requests per second. */
export const PROVISIONING_REQUESTS_PER_MINUTE = 3_000

/**
 * Limits requests per minute over all nodes, before a body is read: for each API key, each signed-in user, and, on
 * routes without sign-in, each address. The counts of other nodes are about a second old.
 */
export function enforceRateLimits(app: FastifyApp, parts: Parts): void {
  const { limits, sessionLimits = SESSION_LIMITS, counts, clock } = parts
  app.addHook('onRequest', async (request, reply) => {
    const { token, signedIn, provisioningTokenId, routeOptions } = request
    const { access, rateLimit: extraPolicy } = routeOptions.config
    const secondsLeft = 60 - clock.now().getUTCSeconds()
    const refuse = (who: string, limit: number, policy: RateLimitName = 'requests') => {
      const text = `${who} sent more than ${limit} ${policy} per minute`
      throw new ServiceError('too_many_requests', { text, retryAfterSeconds: secondsLeft })
    }
    const countOfToken = (policy: RateLimitName, tokenId: string) => {
      const used = counts.add(`${policy}:${tokenId}`)
      const remaining = Math.max(0, limits[policy] - used)
      appendHeader(reply, 'ratelimit-policy', `"${policy}";q=${limits[policy]};w=60`)
      appendHeader(reply, 'ratelimit', `"${policy}";r=${remaining};t=${secondsLeft}`)
      if (used > limits[policy]) refuse('This API key', limits[policy], policy)
    }
    const countOfUser = (policy: RateLimitName, userId: string) => {
      const used = counts.add(`${policy}:${userId}`)
      if (used > sessionLimits[policy]) refuse('You', sessionLimits[policy], policy)
    }
    if (access === 'same_site') {
      const used = counts.add(`sign_in:${ipToRateLimitKey(clientIp(request))}`)
      if (used > SIGN_IN_REQUESTS_PER_MINUTE) refuse('This address', SIGN_IN_REQUESTS_PER_MINUTE)
      return
    }
    if (provisioningTokenId !== null) {
      const used = counts.add(`provisioning:${provisioningTokenId}`)
      if (used > PROVISIONING_REQUESTS_PER_MINUTE)
        refuse('This provisioning token', PROVISIONING_REQUESTS_PER_MINUTE)
    }
    for (const policy of ['requests', extraPolicy] as const) {
      if (policy === undefined) continue
      if (token !== null) countOfToken(policy, token.id)
      else if (signedIn !== null) countOfUser(policy, signedIn.user.id)
    }
  })
}

function appendHeader(reply: FastifyReply, name: string, value: string): void {
  const current = reply.getHeader(name)
  void reply.header(name, current === undefined ? value : `${String(current)}, ${value}`)
}

export function createRequestCounter(parts: {
  db: Db
  clock: Clock
  log: Log
  nodeId: string
}): RequestCounter {
  const { db, clock, log, nodeId } = parts
  let minute = 0
  let counts = new Map<string, Count>()

  const currentCounts = () => {
    const current = Math.floor(clock.now().getTime() / MINUTE_MS)
    if (current !== minute) {
      minute = current
      counts = new Map()
    }
    return counts
  }

  const exchange = async () => {
    const current = currentCounts()
    const at = new Date(minute * MINUTE_MS)
    const changed = [...current].filter(([, count]) => !count.isSynced)
    if (changed.length === 0) return
    for (const [, count] of changed) count.isSynced = true
    try {
      await writeCounts(db, at, nodeId, changed)
    } catch (error) {
      for (const [, count] of changed) count.isSynced = false
      throw error
    }
    for (const row of await readOtherNodesCounts(db, at, nodeId, [...current.keys()])) {
      const count = current.get(row.scope)
      if (count) count.remote = Number(row.count)
    }
  }

  let running: Promise<void> = Promise.resolve()
  const sync = () => {
    running = waitUntilSettled(running).then(exchange)
    return running
  }
  const timer = setInterval(() => {
    sync().catch((error: unknown) => log.warn({ err: error }, 'failed to sync request counts'))
  }, SYNC_INTERVAL_MS)
  timer.unref()

  return {
    add(scope) {
      const current = currentCounts()
      const count = current.get(scope) ?? { local: 0, remote: 0, isSynced: false }
      count.local += 1
      count.isSynced = false
      current.set(scope, count)
      return count.local + count.remote
    },
    sync,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await waitUntilSettled(running)
    },
  }
}

export async function deleteExpiredRequestCounts(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('request_count')
    .where('minute', '<', new Date(now.getTime() - 2 * MINUTE_MS))
    .execute()
}

async function writeCounts(
  db: Db,
  minute: Date,
  nodeId: string,
  changed: Array<[string, Count]>,
): Promise<void> {
  // Arrays, because a statement has at most 65,535 parameters.
  await sql`insert into request_count (scope, minute, node_id, count)
    select scope, ${minute}, ${nodeId}, count
    from unnest(${changed.map(([scope]) => scope)}::text[], ${changed.map(([, { local }]) => local)}::int[])
      as changed(scope, count)
    on conflict (minute, scope, node_id) do update set count = excluded.count`.execute(db)
}

function readOtherNodesCounts(db: Db, minute: Date, nodeId: string, scopes: string[]) {
  return db
    .selectFrom('request_count')
    .select((eb) => ['scope', eb.fn.sum<string>('count').as('count')])
    .where('minute', '=', minute)
    .where('node_id', '<>', nodeId)
    .where('scope', '=', sql<string>`any(${scopes}::text[])`)
    .groupBy('scope')
    .execute()
}
