import type { FastifyReply } from 'fastify'
import type { FastifyApp } from '../fastify-app.ts'
import { ipToRateLimitKey } from '../../accounts/sign-in/rate-limit-key.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { clientIp } from './access/client-ip.ts'
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
  counts: Pick<RequestCounter, 'add'>
  clock: Clock
}

/** Far more than the pages of one person send, because the console does not expect to be refused. */
const SESSION_LIMITS: RateLimitsPerMinute = { requests: 6_000, starts: 240 }
/** Requests per minute of one address to the routes that sign people in. Many people can share an address. */
export const SIGN_IN_REQUESTS_PER_MINUTE = 600

/**
 * Limits the requests per minute of each API key and of each signed-in user, and those of each address to routes that need
 * no sign-in, over all nodes and before a body is read. The counts of other nodes are about a second old.
 */
export function enforceRateLimits(app: FastifyApp, parts: Parts): void {
  const { limits, sessionLimits = SESSION_LIMITS, counts, clock } = parts
  app.addHook('onRequest', async (request, reply) => {
    const { token, signedIn, routeOptions } = request
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
