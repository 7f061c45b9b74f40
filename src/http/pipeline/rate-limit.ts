import type { FastifyReply } from 'fastify'
import type { FastifyApp } from '../fastify-app.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { RequestCounts } from './request-counts.ts'

/** `starts` joins `requests` on the routes that begin a meeting. */
export type RateLimitPolicy = 'requests' | 'starts'
export type RateLimits = Record<RateLimitPolicy, number>

declare module 'fastify' {
  interface FastifyContextConfig {
    rateLimit?: RateLimitPolicy
  }
}

type Parts = { limits: RateLimits; counts: RequestCounts; clock: Clock }

/** Requests a minute for each key, over all nodes (the other nodes' share is known to about a second). */
export function enforceRateLimits(app: FastifyApp, { limits, counts, clock }: Parts): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.token === null) return
    const extra = request.routeOptions.config.rateLimit
    const secondsLeft = 60 - clock.now().getUTCSeconds()
    const count = (policy: RateLimitPolicy, tokenId: string) => {
      const used = counts.add(`${policy}:${tokenId}`)
      const remaining = Math.max(0, limits[policy] - used)
      appendHeader(reply, 'ratelimit-policy', `"${policy}";q=${limits[policy]};w=60`)
      appendHeader(reply, 'ratelimit', `"${policy}";r=${remaining};t=${secondsLeft}`)
      if (used <= limits[policy]) return
      throw new ServiceError('too_many_requests', {
        text: `More than ${limits[policy]} ${policy} a minute with this API key`,
        retryAfterSeconds: secondsLeft,
      })
    }
    count('requests', request.token.id)
    if (extra !== undefined) count(extra, request.token.id)
  })
}

function appendHeader(reply: FastifyReply, name: string, value: string): void {
  const present = reply.getHeader(name)
  void reply.header(name, present === undefined ? value : `${String(present)}, ${value}`)
}
