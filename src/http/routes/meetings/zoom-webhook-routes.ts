import type { FastifyRequest } from 'fastify'
import { ipToRateLimitKey } from '../../../accounts/sign-in/sign-in-throttle.ts'
import type { ZoomWebhooks } from '../../../bots/zoom-app/webhooks.ts'
import { ServiceError } from '../../../errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { clientIp } from '../../pipeline/access/caller.ts'
import { parseJsonBody } from '../../pipeline/json-body.ts'
import type { RequestCounter } from '../../pipeline/rate-limit.ts'

type Parts = {
  /** Null without a Zoom app. */
  webhooks: ZoomWebhooks | null
  counts: Pick<RequestCounter, 'add'>
  clock: Clock
  /** True if requests are limited. */
  hasLimits: boolean
}

/** A webhook about a stream is far smaller. */
const MAX_BODY_BYTES = 64 * 1_024
/** Zoom sends a few webhooks for each meeting, from a few addresses. */
const WEBHOOKS_PER_MINUTE = 1_200

/** The webhooks of the Zoom app. Zoom's signature over the exact bytes is the only credential. */
export function zoomWebhookRoute(app: FastifyApp, parts: Parts): void {
  const { webhooks, counts, clock, hasLimits } = parts
  // Only in this Fastify scope are bodies read as bytes.
  void app.register(async (scope: FastifyApp) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.post(
      '/hooks/zoom',
      {
        bodyLimit: MAX_BODY_BYTES,
        config: { access: 'open', subject: 'none' },
        onRequest: async (request) => {
          if (hasLimits) countWebhook(request)
        },
      },
      async (request, reply) => {
        if (webhooks === null)
          throw new ServiceError('not_found', { hint: 'No Zoom app is set up: see docs/zoom.md' })
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const { 'x-zm-signature': signature, 'x-zm-request-timestamp': timestamp } = request.headers
        if (!webhooks.isSigned({ body, signature, timestamp }))
          throw new ServiceError('invalid_webhook_signature')
        const answer = await webhooks.receive(await parseJsonBody(request, body))
        if ('problem' in answer) throw new ServiceError('invalid_request', { text: answer.problem })
        return reply.send(answer)
      },
    )
  })

  function countWebhook(request: FastifyRequest): void {
    const used = counts.add(`zoom_webhooks:${ipToRateLimitKey(clientIp(request))}`)
    if (used <= WEBHOOKS_PER_MINUTE) return
    throw new ServiceError('too_many_requests', {
      text: `This address sent more than ${WEBHOOKS_PER_MINUTE} webhooks per minute`,
      retryAfterSeconds: 60 - clock.now().getUTCSeconds(),
    })
  }
}
