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

type Parts = { limits: RateLimitsPerMinute; counts: RequestCounter; clock: Clock }

/** Limits the requests per minute of each API key over all nodes. The counts of other nodes are about a second old. */
export function enforceRateLimits(app: FastifyApp, { limits, counts, clock }: Parts): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.token === null) return
    const extraPolicy = request.routeOptions.config.rateLimit
    const secondsLeft = 60 - clock.now().getUTCSeconds()
    const count = (policy: RateLimitName, tokenId: string) => {
      const used = counts.add(`${policy}:${tokenId}`)
      const remaining = Math.max(0, limits[policy] - used)
      appendHeader(reply, 'ratelimit-policy', `"${policy}";q=${limits[policy]};w=60`)
      appendHeader(reply, 'ratelimit', `"${policy}";r=${remaining};t=${secondsLeft}`)
      if (used <= limits[policy]) return
      throw new ServiceError('too_many_requests', {
        text: `This API key sent more than ${limits[policy]} ${policy} per minute`,
        retryAfterSeconds: secondsLeft,
      })
    }
    count('requests', request.token.id)
    if (extraPolicy !== undefined) count(extraPolicy, request.token.id)
  })
}

function appendHeader(reply: FastifyReply, name: string, value: string): void {
  const current = reply.getHeader(name)
  void reply.header(name, current === undefined ? value : `${String(current)}, ${value}`)
}
