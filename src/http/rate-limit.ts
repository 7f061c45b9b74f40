import type { App } from './type-provider.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { SharedCounts } from './shared-counts.ts'

/** `starts` joins `requests` on the routes that begin a meeting. */
export type Policy = 'requests' | 'starts'
export type RateLimits = Record<Policy, number>

declare module 'fastify' {
  interface FastifyContextConfig {
    limit?: Policy
  }
}

type Parts = { limits: RateLimits; counts: SharedCounts; clock: Clock }

/** Requests a minute for each key, over all nodes (the other nodes' share is known to about a second). */
export function limitRates(app: App, { limits, counts, clock }: Parts): void {
  const remaining = ({ policy, used }: { policy: Policy; used: number }) =>
    Math.max(0, limits[policy] - used)

  app.addHook('onRequest', async (request, reply) => {
    if (request.token === null) return
    const extra = request.routeOptions.config.limit
    const policies: Policy[] = extra === undefined ? ['requests'] : ['requests', extra]
    const secondsLeft = 60 - clock.now().getUTCSeconds()

    const rows = policies.map((policy) => ({
      policy,
      used: counts.add(`${policy}:${request.token?.id}`),
    }))
    void reply.headers({
      'ratelimit-policy': policies
        .map((policy) => `"${policy}";q=${limits[policy]};w=60`)
        .join(', '),
      ratelimit: rows
        .map((row) => `"${row.policy}";r=${remaining(row)};t=${secondsLeft}`)
        .join(', '),
    })
    const over = rows.find(({ policy, used }) => used > limits[policy])
    if (over === undefined) return
    throw new ServiceError('too_many_requests', {
      text: `More than ${limits[over.policy]} ${over.policy} a minute with this API key`,
      retryAfterSeconds: secondsLeft,
    })
  })
}
