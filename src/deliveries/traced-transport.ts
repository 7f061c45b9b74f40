import { memoizeForLimitedTime } from '../lib/memoize.ts'
import {
  NO_TRACER,
  readTraceHeaders,
  toTraceHeaders,
  type Span,
  type Tracer,
} from '../lib/tracer.ts'
import { HOUR_MS } from '../lib/time/durations.ts'
import type { CallbackTransport, PostResult } from './transport.ts'

/** Partial captions are sent several times a second, so they have no steps of their own. */
const UNTRACED_EVENT = 'caption_partial'

/** The path and the query of a callback URL can be a secret. */
export const traceableHost = memoizeForLimitedTime((url) => URL.parse(url)?.hostname ?? '', {
  maxEntries: 10_000,
  ttlMs: HOUR_MS,
})

/** Records each callback, and tells its receiver in the headers of W3C Trace Context which step sent it. */
export function traceCallbacks(transport: CallbackTransport, tracer: Tracer): CallbackTransport {
  if (tracer === NO_TRACER) return transport
  return {
    ...transport,
    post(request, signal) {
      const { headers, url } = request
      const type = headers['x-service-event'] ?? 'callback'
      if (type === UNTRACED_EVENT) return transport.post(request, signal)
      const options = {
        kind: 'client' as const,
        parent: readTraceHeaders(headers),
        attributes: {
          'http.request.method': 'POST',
          'server.address': traceableHost(url),
          'hansard.event.type': type,
          'hansard.meeting.id': headers['x-service-meeting-id'] ?? '',
        },
      }
      return tracer.run(`deliver ${type}`, options, async (span) => {
        const traced = { ...headers, ...toTraceHeaders(span.traceParent) }
        const result = await transport.post({ ...request, headers: traced }, signal)
        setPostResult(span, result)
        return result
      })
    },
  }
}

export function setPostResult(span: Span, { status, error }: PostResult): void {
  if (status !== null) span.set({ 'http.response.status_code': status })
  if (error !== null || status === null || status >= 400) span.fail(error ?? String(status))
}
