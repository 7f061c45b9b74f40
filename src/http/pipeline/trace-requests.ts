import { activeTraceParent, readTraceHeaders, type Span, type Tracer } from '../../lib/tracer.ts'
import type { FastifyApp } from '../fastify-app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null unless the request is traced. */
    span: Span | null
  }
}

/**
 * Traces the requests of authenticated callers, and continues the traces of those that send a `traceparent`. Comes after
 * the access check, because strangers must not choose which requests are recorded.
 */
export function traceRequests(app: FastifyApp, tracer: Tracer): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', async (request, reply) => {
    const { method, headers, routeOptions } = request
    if (request.viewer === null || routeOptions.url === undefined) return
    const given = readTraceHeaders(headers)
    request.span = tracer.start(`${method} ${routeOptions.url}`, {
      kind: 'server',
      // Without one, a request of this process has the span of the code that sends it.
      ...(given !== null && { parent: given }),
      attributes: { 'http.request.method': method, 'http.route': routeOptions.url },
      ageMs: reply.elapsedTime,
    })
  })
  // Once the body is read. What runs after that has the span.
  app.addHook('preValidation', ({ span }, _reply, done) => {
    if (span === null) done()
    else activeTraceParent.run(span.traceParent ?? '', done)
  })
  // Before the body of the response, because an event stream is open for hours.
  app.addHook('onSend', async ({ span }, { statusCode }) => {
    span?.set({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span?.fail(String(statusCode))
    span?.end()
  })
  app.addHook('onResponse', async ({ span }) => span?.end())
}
