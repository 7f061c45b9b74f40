import type { FastifyApp } from '../fastify-app.ts'

/** The Content-Security-Policy of HTML pages, without style sources. JSON responses have only the default headers. */
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

/** Headers of every response, even of responses that Fastify sends before any hook runs. */
export function defaultResponseHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
}

export function setSecurityHeaders(app: FastifyApp): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(defaultResponseHeaders(request.id))
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
