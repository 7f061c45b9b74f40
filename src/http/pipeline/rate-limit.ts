import type { FastifyReply } from 'fastify'
import type { FastifyApp } from '../fastify-app.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { RequestCounter } from './request-counts.ts'

/** Every request counts as `requests`; routes that start a meeting also count as `starts`. */
export type RateLimitName = 'requests' | 'starts'
export type RateLimitsPerMinute = Record<RateLimitName, number>

declare module 'fastify' {
  interface FastifyContextConfig {
    rateLimit?: RateLimitName
  }
}

type Parts = {
  limits: RateLimitsPerMinute
  /** For each signed-in user. */
  sessionLimits?: RateLimitsPerMinute
  counts: RequestCounter
  clock: Clock
}

/** Far more than the pages of one person send, because the console does not expect to be refused. */
const SESSION_LIMITS: RateLimitsPerMinute = { requests: 6_000, starts: 240 }

/**
 * Limits the requests per minute of each API key and of each signed-in user over all nodes. The counts of other nodes are
 * about a second old.
 */
export function enforceRateLimits(app: FastifyApp, parts: Parts): void {
  const { limits, sessionLimits = SESSION_LIMITS, counts, clock } = parts
  app.addHook('onRequest', async ({ token, signedIn, routeOptions }, reply) => {
    const secondsLeft = 60 - clock.now().getUTCSeconds()
    const refuse = (text: string) => {
      throw new ServiceError('too_many_requests', { text, retryAfterSeconds: secondsLeft })
    }
    const countOfToken = (policy: RateLimitName, tokenId: string) => {
      const used = counts.add(`${policy}:${tokenId}`)
      const remaining = Math.max(0, limits[policy] - used)
      appendHeader(reply, 'ratelimit-policy', `"${policy}";q=${limits[policy]};w=60`)
      appendHeader(reply, 'ratelimit', `"${policy}";r=${remaining};t=${secondsLeft}`)
      if (used > limits[policy])
        refuse(`This API key sent more than ${limits[policy]} ${policy} per minute`)
    }
    const countOfUser = (policy: RateLimitName, userId: string) => {
      if (counts.add(`${policy}:${userId}`) > sessionLimits[policy])
        refuse(`You sent more than ${sessionLimits[policy]} ${policy} per minute`)
    }
    for (const policy of ['requests', routeOptions.config.rateLimit] as const) {
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
