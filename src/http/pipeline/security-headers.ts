import type { FastifyApp } from '../fastify-app.ts'

/** For pages; an answer of the interface needs only the first three. */
const BASE_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ')

export function contentSecurityPolicy(styleSource: string): string {
  return `${BASE_CONTENT_SECURITY_POLICY}; style-src 'self' ${styleSource}`
}

/** What every answer carries, also one that comes before any hook has run. */
export function defaultHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
}

export function setSecurityHeaders(app: FastifyApp): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(defaultHeaders(request.id))
  })
  app.addHook('onSend', async (_request, reply, payload) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/html')) return payload
    void reply.headers({
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    return payload
  })
}
