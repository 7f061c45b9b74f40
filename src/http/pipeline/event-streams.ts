import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { MAX_KEY_AGE_MS, watchAccess, type AccessWatch } from './access/access-watch.ts'
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
    /** Whether the caller may still read what the stream shows, if that is more than what the request names. */
    isStillReadable?: () => Promise<boolean>,
  ): Promise<FastifyReply>
  /** Throws 401 or the error of the access check if the caller has lost access since the request was accepted. */
  requireStillAllowed(request: FastifyRequest): Promise<void>
  /** Aborts when the client disconnects or the service stops. */
  abortSignalFor(reply: FastifyReply): AbortSignal
}

type AccessRechecks = {
  /** Whether the caller would still be accepted. An API key is read again if its cached state is older than `maxKeyAgeMs`. */
  isAuthenticated(request: FastifyRequest, maxKeyAgeMs?: number): Promise<boolean>
  /** Throws when the caller may no longer read what the request is about. */
  requireAllowed(request: FastifyRequest): Promise<void>
}

export function createSseSender(
  app: FastifyApp,
  openStreams: OpenStreamCounter,
  rechecks: AccessRechecks,
  log: Log,
): SseSender {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  const abortSignalFor = (reply: FastifyReply): AbortSignal => {
    const disconnected = new AbortController()
    onClosed(reply, () => disconnected.abort())
    return AbortSignal.any([disconnected.signal, closing.signal])
  }
  const isReadable = async (request: FastifyRequest): Promise<boolean> => {
    try {
      await rechecks.requireAllowed(request)
      return true
    } catch (error) {
      if (error instanceof ServiceError) return false
      throw error
    }
  }
  const watch = (request: FastifyRequest, isStillReadable: () => Promise<boolean>): AccessWatch =>
    watchAccess({
      isAllowed: async () =>
        (await rechecks.isAuthenticated(request, MAX_KEY_AGE_MS)) &&
        (await isReadable(request)) &&
        (await isStillReadable()),
      // API keys are cached, sessions are not.
      isAllowedByMemory: async () =>
        request.token === null || (await rechecks.isAuthenticated(request)),
      onCheckFailed: (error) =>
        log.debug({ err: error }, 'failed to check the access of an open stream'),
    })
  return {
    abortSignalFor,
    async requireStillAllowed(request) {
      // First, because it also reads again which rights the caller has.
      if (!(await rechecks.isAuthenticated(request, MAX_KEY_AGE_MS)))
        throw new ServiceError(request.token === null ? 'not_signed_in' : 'invalid_api_key')
      await rechecks.requireAllowed(request)
    },
    async send(request, reply, source, isStillReadable = async () => true) {
      const counted = openStreams.open(request)
      onClosed(reply, () => counted[Symbol.dispose]())
      const access = watch(request, isStillReadable)
      onClosed(reply, () => access[Symbol.dispose]())
      const signal = AbortSignal.any([abortSignalFor(reply), access.signal])
      const messages = encodeMessages(source(signal), access.maySend)
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
  maySend: () => Promise<boolean>,
): AsyncGenerator<string> {
  // The first bytes let the client see that the stream is open before any event happens.
  yield ': open\n\n'
  for await (const message of source) {
    if (!(await maySend())) return
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
