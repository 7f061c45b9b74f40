import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { PooledConnection } from './connection-pool.ts'
import type { RequestCancellation } from './cancellation.ts'

export type HttpRequest = {
  origin: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** The outcome of one request on one connection. */
export type HttpExchangeResult = {
  /** Null when no status line was received. */
  status: number | null
  headers: IncomingHttpHeaders
  bodyStart: Buffer
  /** Why the exchange broke off; null when the response ended or enough of it was read. */
  error: unknown
  /** Whether sending began. From then on an error is the receiver's or the network's, not a bug in this service. */
  hasStarted: boolean
  /** Whether the whole response was read, so that the connection can be reused. */
  isComplete: boolean
  /** No byte of a response came on a reused socket: the receiver may have closed that socket before. */
  mayBeStaleSocket: boolean
}

const MAX_READ_BYTES = 16_384
const MAX_BODY_START_BYTES = 2_048
const EMPTY = Buffer.alloc(0)

/** Sends one request. Never rejects: errors are part of the result. The caller releases the connection. */
export function sendHttpRequest(
  connection: PooledConnection,
  { path, headers, body }: HttpRequest,
  cancellation: RequestCancellation,
): Promise<HttpExchangeResult> {
  const response: HttpExchangeResult = {
    status: null,
    headers: {},
    bodyStart: EMPTY,
    error: null,
    hasStarted: false,
    isComplete: false,
    mayBeStaleSocket: connection.isReused(),
  }
  return new Promise((resolve) => {
    const finish: Finish = (end) => {
      // Resolves with a copy of the response, so that data that still arrives does not change the result.
      resolve({ ...response, ...end })
    }
    const onCancel = () => finish({ error: cancellation.reason() })
    if (cancellation.isCancelled()) return onCancel()
    cancellation.onCancel(onCancel)
    const handler = createResponseHandler(response, connection, finish)
    connection.client.dispatch({ path, method: 'POST', headers, body }, handler)
  })
}

type Finish = (
  end: Pick<HttpExchangeResult, 'error'> | Pick<HttpExchangeResult, 'isComplete'>,
) => void

function createResponseHandler(
  response: HttpExchangeResult,
  connection: PooledConnection,
  finish: Finish,
): Dispatcher.DispatchHandler {
  let readBytes = 0
  return {
    onRequestStart() {
      response.hasStarted = true
      // undici may have found the reused socket closed and opened a new one.
      response.mayBeStaleSocket = connection.isReused()
    },
    onResponseStarted() {
      response.mayBeStaleSocket = false
    },
    onResponseStart(_, status, headers) {
      // A 1xx status is only an announcement of the final response.
      if (status >= 200) Object.assign(response, { status, headers })
    },
    onResponseData(_, chunk) {
      readBytes += chunk.length
      if (response.bodyStart.length < MAX_BODY_START_BYTES) {
        response.bodyStart = Buffer.concat([response.bodyStart, chunk]).subarray(
          0,
          MAX_BODY_START_BYTES,
        )
      }
      if (readBytes >= MAX_READ_BYTES) finish({ error: null })
    },
    onResponseEnd: () => finish({ isComplete: true }),
    onResponseError: (_, error) => finish({ error }),
  }
}
