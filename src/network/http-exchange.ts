import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { onAbort } from '../lib/async/abort.ts'
import type { Timers } from '../lib/time/clock.ts'
import type { PooledConnection, ConnectionChoice, ConnectionPool } from './connection-pool.ts'
import { CallbackTimeoutError, classifyNetworkError } from './network-errors.ts'

export type HttpRequest = {
  origin: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** The outcome of one request on one connection. */
export type HttpExchangeResult = {
  /** Null if no status line was received. */
  status: number | null
  headers: IncomingHttpHeaders
  bodyStart: Buffer
  /** The address that the request was sent to. Null if sending did not begin. */
  remoteAddress: string | null
  /** Why the exchange broke off. Null if the response ended or enough of it was read. */
  error: unknown
  /** True once sending began. From then on, an error is the receiver's or the network's, not a bug in this service. */
  hasStarted: boolean
  /** True if the whole response was read, so the connection can be reused. */
  isComplete: boolean
  /** True if the body did not end in time. The exchange continues in the background until `bodyEnd`. */
  isBodyPending: boolean
  /** True if no byte of a response came on a reused socket. The receiver may have closed that socket before. */
  mayBeStaleSocket: boolean
}

export type HttpExchange = {
  result: Promise<HttpExchangeResult>
  /** Resolves when no more of the response is read. True if the whole response was read. */
  bodyEnd: Promise<boolean>
}

const MAX_READ_BYTES = 16_384
const MAX_BODY_START_BYTES = 2_048
/** How long to wait for the end of the body after the headers. The body is only a note for the delivery log. */
const RESPONSE_BODY_WAIT_MS = 1_000

const MAX_PER_ORIGIN = 8
const MAX_TOTAL = 64

type SendOptions = {
  connection: ConnectionChoice
  cancellation: RequestCancellation
  /** The milliseconds left for the whole exchange. */
  remainingMs(): number
  onStatus(status: number): void
}

/** Sends at most one HTTP request on a connection of the pool, and returns the connection to the pool. */
export type RequestSender = (
  request: HttpRequest,
  options: SendOptions,
) => Promise<HttpExchangeResult>

const EMPTY = Buffer.alloc(0)

/**
 * Sends one request. Neither promise rejects, because errors are part of the result. The caller releases the
 * connection. `onStatus` is called when the response headers have arrived.
 */
export function startHttpExchange(
  connection: PooledConnection,
  { path, headers, body }: HttpRequest,
  cancellation: RequestCancellation,
  timers: Timers,
  onStatus: (status: number) => void,
): HttpExchange {
  const response: HttpExchangeResult = {
    status: null,
    headers: {},
    bodyStart: EMPTY,
    remoteAddress: null,
    error: null,
    hasStarted: false,
    isComplete: false,
    isBodyPending: false,
    mayBeStaleSocket: connection.isReused(),
  }
  const result = Promise.withResolvers<HttpExchangeResult>()
  const bodyEnd = Promise.withResolvers<boolean>()
  let stopWaiting = () => {}
  const end: EndExchange = (outcome) => {
    stopWaiting()
    // Resolves with a copy, so that data that arrives later does not change the result.
    result.resolve({ ...response, ...outcome })
    bodyEnd.resolve(outcome.isComplete === true)
  }
  const waitForBody = (status: number) => {
    stopWaiting = timers.after(RESPONSE_BODY_WAIT_MS, () => {
      const error = new CallbackTimeoutError('The body of the response did not end')
      result.resolve({ ...response, error, isBodyPending: true })
    })
    onStatus(status)
  }
  const onCancel = () => end({ error: cancellation.reason() })
  if (cancellation.isCancelled()) onCancel()
  else {
    cancellation.onCancel(onCancel)
    const handler = createResponseHandler(response, connection, waitForBody, end)
    connection.client.dispatch({ path, method: 'POST', headers, body }, handler)
  }
  return { result: result.promise, bodyEnd: bodyEnd.promise }
}

type EndExchange = (outcome: Partial<Pick<HttpExchangeResult, 'error' | 'isComplete'>>) => void

function createResponseHandler(
  response: HttpExchangeResult,
  connection: PooledConnection,
  onStatus: (status: number) => void,
  end: EndExchange,
): Dispatcher.DispatchHandler {
  let readBytes = 0
  return {
    onRequestStart() {
      response.hasStarted = true
      response.remoteAddress = connection.remoteAddress()
      // undici may have found the reused socket closed and opened a new one.
      response.mayBeStaleSocket = connection.isReused()
      connection.expectResponse()
    },
    onResponseStart(_, status, headers) {
      // A 1xx status only announces the final response.
      if (status < 200) return
      Object.assign(response, { status, headers })
      onStatus(status)
    },
    onResponseData(_, chunk) {
      readBytes += chunk.length
      if (response.bodyStart.length < MAX_BODY_START_BYTES) {
        response.bodyStart = Buffer.concat([response.bodyStart, chunk]).subarray(
          0,
          MAX_BODY_START_BYTES,
        )
      }
      if (readBytes >= MAX_READ_BYTES) end({})
    },
    onResponseEnd: () => end({ isComplete: true }),
    onResponseError(_, error) {
      if (response.hasStarted && connection.hasReceivedBytes()) response.mayBeStaleSocket = false
      end({ error })
    },
  }
}

/** Creates a cancellation that cancels its request if the time limit passes or the signal aborts. */
export function createRequestCancellation(limitMs: number, signal: AbortSignal, timers: Timers) {
  let cancelled: { reason: unknown } | null = null
  let notify = () => {}
  const cancel = (reason: unknown) => {
    if (cancelled !== null) return
    cancelled = { reason }
    notify()
  }
  const timeout = () => cancel(new CallbackTimeoutError('The callback timed out'))
  const cancelTimeout = timers.after(limitMs, timeout)
  const removeListener = onAbort(signal, () => cancel(signal.reason))
  return {
    isCancelled: () => cancelled !== null,
    /** Why the request was cancelled. Undefined if it wasn't. */
    reason: () => cancelled?.reason,
    /** Sets the callback for the cancellation. A second call replaces the first callback. */
    onCancel(run: () => void): void {
      notify = run
    },
    [Symbol.dispose]() {
      cancelTimeout()
      removeListener()
    },
  }
}

/** Cancels one request. A combined AbortSignal would be much slower. */
export type RequestCancellation = ReturnType<typeof createRequestCancellation>

/** Limits how many responses are still read in the background after their results were reported. */
export function createBackgroundReadLimiter() {
  const countByOrigin = new Map<string, number>()
  let count = 0
  const change = (origin: string, by: 1 | -1) => {
    const next = (countByOrigin.get(origin) ?? 0) + by
    if (next === 0) countByOrigin.delete(origin)
    else countByOrigin.set(origin, next)
    count += by
  }
  return {
    /** Null if too many responses are being read, of this origin or in total. Dispose the result when the read ends. */
    tryStart(origin: string): Disposable | null {
      if (count >= MAX_TOTAL || (countByOrigin.get(origin) ?? 0) >= MAX_PER_ORIGIN) return null
      change(origin, 1)
      return { [Symbol.dispose]: () => change(origin, -1) }
    },
  }
}

export type BackgroundReadLimiter = ReturnType<typeof createBackgroundReadLimiter>

export function createRequestSender(
  pool: ConnectionPool,
  backgroundReads: BackgroundReadLimiter,
  timers: Timers,
): RequestSender {
  /** Reads the rest of a response, so that its connection can be reused. Closes it if that takes too long. */
  const readInBackground = async (
    connection: PooledConnection,
    bodyEnd: Promise<boolean>,
    limitMs: number,
  ) => {
    using read = backgroundReads.tryStart(connection.origin)
    if (read === null) return pool.destroy(connection)
    const cancelTimeout = timers.after(limitMs, () => pool.destroy(connection))
    const isComplete = await bodyEnd
    cancelTimeout()
    if (isComplete) pool.release(connection)
    else pool.destroy(connection)
  }

  const send: RequestSender = async (request, options) => {
    const connection = pool.acquire(request.origin, options.connection)
    const { cancellation, onStatus } = options
    const exchange = startHttpExchange(connection, request, cancellation, timers, onStatus)
    const response = await exchange.result
    if (response.isBodyPending) {
      void readInBackground(connection, exchange.bodyEnd, options.remainingMs())
    } else if (response.isComplete) pool.release(connection)
    else pool.destroy(connection)
    // undici reports an idle socket that was reset before the request was written. Nothing was sent, so this is the
    // same attempt. After a byte was sent, only the caller can repeat the request, as a new attempt.
    const isUnsent = !response.hasStarted && wasReusedConnectionReset(response)
    return isUnsent && options.connection === 'any'
      ? send(request, { ...options, connection: 'fresh' })
      : response
  }
  return send
}

/** True if a reused connection was reset before any byte of a response. */
export function wasReusedConnectionReset({ mayBeStaleSocket, error }: HttpExchangeResult): boolean {
  return mayBeStaleSocket && classifyNetworkError(error) === 'connection_reset'
}
