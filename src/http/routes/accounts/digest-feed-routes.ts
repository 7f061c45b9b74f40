import { ipToRateLimitKey } from '../../../accounts/sign-in/sign-in-throttle.ts'
import { ServiceError } from '../../../errors.ts'
import type { MailArea } from '../../../mail/area.ts'
import { isEtagInList } from '../../../projects/files/concurrent-writes.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { clientIp } from '../../pipeline/access/caller.ts'
import type { SharedPageLimit } from '../sharing/shared-page-routes.ts'

type Parts = { mail: Pick<MailArea, 'feeds'>; limit: SharedPageLimit }

const FEED_HEADERS = {
  'content-type': 'application/atom+xml; charset=utf-8',
  // Only the reader may keep it, and must ask each time if it still may.
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'",
  'x-robots-tag': 'noindex, nofollow, noarchive, nosnippet',
} as const

/** A person's digest as a feed. The secret in its address is the only credential. */
export function digestFeedRoutes(app: FastifyApp, { mail: { feeds }, limit }: Parts): void {
  app.get(
    '/feeds/digest/:secret',
    { config: { access: 'open', subject: 'none' } },
    async (request, reply) => {
      const { secret } = request.params as { secret: string }
      const ofAddress = limit('address', ipToRateLimitKey(clientIp(request)))
      const found = ofAddress === null ? await feeds.find(secret) : null
      const waitSeconds = ofAddress ?? (found === null ? null : limit('feed', found.userId))
      if (waitSeconds !== null)
        throw new ServiceError('too_many_requests', { retryAfterSeconds: waitSeconds })
      if (found === null) throw new ServiceError('not_found')
      const { xml, etag, changedAt } = await feeds.read(found, secret)
      void reply.headers({ ...FEED_HEADERS, etag, 'last-modified': changedAt.toUTCString() })
      if (isUnchanged(request.headers, etag, changedAt)) return reply.code(304).send()
      return reply.send(xml)
    },
  )
}

type Conditions = {
  'if-none-match'?: string | undefined
  'if-modified-since'?: string | undefined
}

/** If-None-Match wins (RFC 9110). Proxies that compress mark its tags as weak. */
function isUnchanged(
  { 'if-none-match': etags, 'if-modified-since': since }: Conditions,
  etag: string,
  changedAt: Date,
): boolean {
  if (etags !== undefined) return isEtagInList(etag, etags.replaceAll('W/', ''))
  return since !== undefined && Date.parse(since) >= changedAt.getTime()
}
