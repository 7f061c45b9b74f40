import type { BackgroundReadLimiter } from './background-reads.ts'
import type { RequestCancellation } from './cancellation.ts'
import type { ConnectionChoice, ConnectionPool, PooledConnection } from './connection-pool.ts'
import { classifyNetworkError } from '../delivery-errors.ts'
import { startHttpExchange, type HttpExchangeResult, type HttpRequest } from './http-exchange.ts'

export type SendOptions = {
  connection: ConnectionChoice
  cancellation: RequestCancellation
  /** The milliseconds that are left for the whole exchange. */
  remainingMs(): number
  onStatus(status: number): void
}

/** Sends at most one HTTP request on a connection of the pool, and returns the connection to the pool. */
export type RequestSender = (
  request: HttpRequest,
  options: SendOptions,
) => Promise<HttpExchangeResult>

export function createRequestSender(
  pool: ConnectionPool,
  backgroundReads: BackgroundReadLimiter,
): RequestSender {
  /** Reads the rest of a response, so that its connection can be reused. Closes it when that takes too long. */
  const readInBackground = async (
    connection: PooledConnection,
    bodyEnd: Promise<boolean>,
    limitMs: number,
  ) => {
    using read = backgroundReads.tryStart(connection.origin)
    if (read === null) return pool.destroy(connection)
    const timer = setTimeout(() => pool.destroy(connection), limitMs)
    const isComplete = await bodyEnd
    clearTimeout(timer)
    if (isComplete) pool.release(connection)
    else pool.destroy(connection)
  }

  const send: RequestSender = async (request, options) => {
    const connection = pool.acquire(request.origin, options.connection)
    const { cancellation, onStatus } = options
    const exchange = startHttpExchange(connection, request, cancellation, onStatus)
    const response = await exchange.result
    if (response.isBodyPending) {
      void readInBackground(connection, exchange.bodyEnd, options.remainingMs())
    } else if (response.isComplete) pool.release(connection)
    else pool.destroy(connection)
    // undici reports an idle socket that was reset before the request was written. Nothing was sent, so this is the same
    // attempt. Once a byte was sent, a repeat is a new attempt, which only the caller can make.
    const isUnsent = !response.hasStarted && wasReusedConnectionReset(response)
    return isUnsent && options.connection === 'any'
      ? send(request, { ...options, connection: 'fresh' })
      : response
  }
  return send
}

/** Whether a reused connection was reset before any byte of a response. */
export function wasReusedConnectionReset({ mayBeStaleSocket, error }: HttpExchangeResult): boolean {
  return mayBeStaleSocket && classifyNetworkError(error) === 'connection_reset'
}
