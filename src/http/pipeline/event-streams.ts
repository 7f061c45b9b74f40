import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError, invalidField } from '../../errors.ts'
import { systemTimers, type Timers } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { clientIp } from './access/caller.ts'

/** A server-sent event. Null is a heartbeat. An event without data only has a resume position. */
export type SseMessageOrHeartbeat = { id?: string | null; event?: string; data?: string } | null

/** Sends server-sent events until the source, client or service ends. Throws 429 if too many streams are open. */
export interface SseSender {
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    source: (signal: AbortSignal) => AsyncIterable<SseMessageOrHeartbeat>,
    /** True if the caller may still read the stream's content. Needed if that is more than the request names. */
    isStillReadable?: () => Promise<boolean>,
  ): Promise<FastifyReply>
  /** Throws 401 or the access check's error if the caller has lost access since the request was accepted. */
  requireStillAllowed(request: FastifyRequest): Promise<void>
  /** Aborts when the client disconnects or the service stops. */
  abortSignalFor(reply: FastifyReply): AbortSignal
}

type AccessRechecks = {
  /** True if the caller would still be accepted. `maxKeyAgeMs` limits the age of an API key's cached state. */
  isAuthenticated(request: FastifyRequest, maxKeyAgeMs?: number): Promise<boolean>
  /** Throws if the caller may no longer read what the request is about. */
  requireAllowed(request: FastifyRequest): Promise<void>
}

/** How often an open stream checks that its caller is still accepted and may still read the content. */
const RECHECK_MS = 1_000
/** Nothing is sent if the last successful check began longer ago than this. */
const MAX_CHECK_AGE_MS = 2_000
/**
 * How old an API key's stored state may be in such a check. A key that was revoked on another node therefore ends its
 * streams at most RECHECK_MS + MAX_KEY_AGE_MS later, plus the time of the database queries.
 */
const MAX_KEY_AGE_MS = 500

type AccessWatch = Disposable & {
  /** Aborts when the caller loses access, even if there is nothing to send. */
  signal: AbortSignal
  /** True if the caller may get one more message. */
  maySend(): Promise<boolean>
}

type Parts = {
  /** True if the caller may still read the stream. */
  isAllowed(): Promise<boolean>
  /** A part of that check that needs no database. It runs before every message. */
  isAllowedByMemory(): Promise<boolean>
  /** A failed check does not mean that access is lost: an idle stream survives a database outage. */
  onCheckFailed(error: unknown): void
  timers?: Timers
}

/** How many event streams may be open at the same time on this node. */
type OpenStreamLimits = {
  /** For one API key or signed-in user. */
  perCaller: number
  /** For one IP address. */
  perAddress: number
  perNode: number
}

interface OpenStreamCounter {
  /** Counts a stream until it is disposed. Throws 429 if a limit is reached. */
  open(request: FastifyRequest): Disposable
}

/** A refused client should wait this long before it tries again. */
const RETRY_AFTER_SECONDS = 10

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
      // Comes first, because it also reads the caller's current rights.
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
 * Calls back when the response is closed, or immediately if it already is, because the client may have disconnected
 * earlier. The connection does not matter, because it can carry many responses.
 */
function onClosed({ raw }: FastifyReply, callback: () => void): void {
  if (raw.closed) callback()
  else raw.once('close', callback)
}

/**
 * The parsed Last-Event-ID header of a client that resumes a stream. Undefined if the client sends none. `parse`
 * returns null for an id that the stream never sends.
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
  throw invalidField('Last-Event-ID', message)
}

async function* encodeMessages(
  source: AsyncIterable<SseMessageOrHeartbeat>,
  maySend: () => Promise<boolean>,
): AsyncGenerator<string> {
  // The first bytes tell the client that the stream is open before any event happens.
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

/** Checks the access of an open stream repeatedly. */
export function watchAccess({
  isAllowed,
  isAllowedByMemory,
  onCheckFailed,
  timers = systemTimers,
}: Parts): AccessWatch {
  const lost = new AbortController()
  let checkedAt = timers.now()
  const check = async () => {
    const beganAt = timers.now()
    // The result is the database's state at some time after the check began, so its age is measured from the beginning.
    if (await isAllowed()) checkedAt = Math.max(checkedAt, beganAt)
    else lost.abort()
  }
  const checkRegularly = () => {
    cancel = timers.after(RECHECK_MS, checkRegularly)
    check().catch(onCheckFailed)
  }
  let cancel = timers.after(RECHECK_MS, checkRegularly)
  return {
    signal: lost.signal,
    async maySend() {
      if (timers.now() - checkedAt > MAX_CHECK_AGE_MS) await check()
      return !lost.signal.aborted && (await isAllowedByMemory())
    },
    [Symbol.dispose]: () => cancel(),
  }
}

export function createOpenStreamCounter(limits: OpenStreamLimits): OpenStreamCounter {
  const counts = new Map<string, number>()
  const countOf = (key: string) => counts.get(key) ?? 0
  let total = 0
  return {
    open(request) {
      const scopes = [
        { key: callerKey(request), limit: limits.perCaller, who: 'This caller has' },
        { key: `address:${clientIp(request)}`, limit: limits.perAddress, who: 'This address has' },
      ]
      if (total >= limits.perNode) throw tooManyStreams('The service has', limits.perNode)
      for (const { key, limit, who } of scopes) {
        if (countOf(key) >= limit) throw tooManyStreams(who, limit)
      }
      total += 1
      for (const { key } of scopes) counts.set(key, countOf(key) + 1)
      let isOpen = true
      return {
        [Symbol.dispose]() {
          if (!isOpen) return
          isOpen = false
          total -= 1
          for (const { key } of scopes) {
            if (countOf(key) > 1) counts.set(key, countOf(key) - 1)
            else counts.delete(key)
          }
        },
      }
    },
  }
}

function callerKey({ token, signedIn }: FastifyRequest): string {
  return token === null ? `user:${signedIn?.user.id ?? ''}` : `token:${token.id}`
}

function tooManyStreams(who: string, limit: number): ServiceError {
  return new ServiceError('too_many_requests', {
    text: `${who} ${limit} event streams open, which is the maximum. Close one first`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
