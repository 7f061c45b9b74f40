import type { Tracer } from '../lib/tracer.ts'
import type { CallbackTransport } from './transport.ts'

/** Partial captions are sent several times a second, so they have no steps of their own. */
const UNTRACED_EVENT = 'caption_partial'

/** Records each callback, and tells its receiver in the header `traceparent` which step sent it. */
export function traceCallbacks(transport: CallbackTransport, tracer: Tracer): CallbackTransport {
  return {
    ...transport,
    post(request, signal) {
      const { headers, url } = request
      const type = headers['x-service-event'] ?? 'callback'
      if (type === UNTRACED_EVENT) return transport.post(request, signal)
      const options = {
        kind: 'client' as const,
        parent: headers['traceparent'] ?? null,
        attributes: {
          'http.request.method': 'POST',
          // The path and the query of a callback URL can be a secret.
          'server.address': URL.parse(url)?.hostname ?? '',
          'hansard.event.type': type,
          'hansard.meeting.id': headers['x-service-meeting-id'] ?? '',
        },
      }
      return tracer.run(`deliver ${type}`, options, async (span) => {
        const { traceParent } = span
        const traced = traceParent === null ? headers : { ...headers, traceparent: traceParent }
        const result = await transport.post({ ...request, headers: traced }, signal)
        if (result.status !== null) span.set({ 'http.response.status_code': result.status })
        const isRefused = result.status === null || result.status >= 400
        if (result.error !== null || isRefused) span.fail(result.error ?? String(result.status))
        return result
      })
    },
  }
}
