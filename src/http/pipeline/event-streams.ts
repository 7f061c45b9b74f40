import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { FastifyApp } from '../fastify-app.ts'
import type { OpenStreamCounter } from './stream-limits.ts'

/** One server-sent event; null is a heartbeat. An event without data only has a resume position. */
export type SseMessageOrHeartbeat = { id?: string | null; event?: string; data?: string } | null

/**
 * Sends server-sent events until the source ends, the client disconnects or the service stops. Throws 429 when too many
 * streams are open.
 */
export interface SseSender {
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    source: (signal: AbortSignal) => AsyncIterable<SseMessageOrHeartbeat>,
  ): Promise<FastifyReply>
  /** Aborts when the client disconnects or the service stops. */
  abortSignalFor(reply: FastifyReply): AbortSignal
}

/** How often a stream checks that the user is still signed in. An API key is checked at every message, from memory. */
const SESSION_RECHECK_MS = 1_000

/** `isStillAllowed` says whether the access check of the request would still succeed. */
export function createSseSender(
  app: FastifyApp,
  openStreams: OpenStreamCounter,
  isStillAllowed: (request: FastifyRequest) => Promise<boolean>,
): SseSender {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  const abortSignalFor = (reply: FastifyReply): AbortSignal => {
    const disconnected = new AbortController()
    onClosed(reply, () => disconnected.abort())
    return AbortSignal.any([disconnected.signal, closing.signal])
  }
  return {
    abortSignalFor,
    async send(request, reply, source) {
      const counted = openStreams.open(request)
      onClosed(reply, () => counted[Symbol.dispose]())
      const checkMs = request.token === null ? SESSION_RECHECK_MS : 0
      const messages = encodeMessages(source(abortSignalFor(reply)), checkMs, () =>
        isStillAllowed(request),
      )
      const stream = Readable.from(messages, { objectMode: false })
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream)
    },
  }
}

/**
 * Calls back when the response is closed, at once if it already is: the client may have disconnected before. The
 * connection, which can carry many responses, does not count.
 */
function onClosed({ raw }: FastifyReply, callback: () => void): void {
  if (raw.closed) callback()
  else raw.once('close', callback)
}

/**
 * The parsed header Last-Event-ID of a client that resumes a stream; undefined when the client sends none.
 * `parse` returns null for an id that the stream never sends.
 */
export function readLastEventId<T>(
  { headers }: FastifyRequest,
  parse: (id: string) => T | null,
): T | undefined {
  const id = headers['last-event-id']
  if (typeof id !== 'string' || id === '') return undefined
  const parsed = parse(id)
  if (parsed !== null) return parsed
  const message = 'Must be the id of a message of this stream'
  throw new ServiceError('invalid_request', { details: [{ path: 'Last-Event-ID', message }] })
}

async function* encodeMessages(
  source: AsyncIterable<SseMessageOrHeartbeat>,
  checkMs: number,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<string> {
  // The first bytes let the client see that the stream is open before any event happens.
  yield ': open\n\n'
  let checkedAt = performance.now()
  for await (const message of source) {
    if (performance.now() - checkedAt >= checkMs) {
      if (!(await isAllowed())) return
      checkedAt = performance.now()
    }
    yield message === null ? ': beat\n\n' : formatMessage(message)
  }
}

function formatMessage({ id, event, data }: Exclude<SseMessageOrHeartbeat, null>): string {
  const lines = [
    ...(id === undefined || id === null ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data?.split('\n').map((line) => `data: ${line}`) ?? []),
  ]
  return `${lines.join('\n')}\n\n`
}
