import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { PooledConnection } from './connection-pool.ts'
import type { RequestCancellation } from './cancellation.ts'
import { CallbackTimeoutError } from '../delivery-errors.ts'

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
  /** The address that the request was sent to; null when sending did not begin. */
  remoteAddress: string | null
  /** Why the exchange broke off; null when the response ended or enough of it was read. */
  error: unknown
  /** Whether sending began. From then on an error is the receiver's or the network's, not a bug in this service. */
  hasStarted: boolean
  /** Whether the whole response was read, so that the connection can be reused. */
  isComplete: boolean
  /** The body did not end in time: the exchange continues in the background until `bodyEnd`. */
  isBodyPending: boolean
  /** No byte of a response came on a reused socket: the receiver may have closed that socket before. */
  mayBeStaleSocket: boolean
}

export type HttpExchange = {
  result: Promise<HttpExchangeResult>
  /** Resolves when no more of the response is read; true when the whole response was read. */
  bodyEnd: Promise<boolean>
}

const MAX_READ_BYTES = 16_384
const MAX_BODY_START_BYTES = 2_048
/** The body is only a note for the delivery log, so its end is awaited this long after the headers. */
const RESPONSE_BODY_WAIT_MS = 1_000
const EMPTY = Buffer.alloc(0)

/**
 * Sends one request. Neither promise rejects: errors are part of the result. The caller releases the connection.
 * `onStatus` is called when the headers of the response have arrived.
 */
export function startHttpExchange(
  connection: PooledConnection,
  { path, headers, body }: HttpRequest,
  cancellation: RequestCancellation,
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
  let bodyTimer: NodeJS.Timeout | undefined
  const end: EndExchange = (outcome) => {
    clearTimeout(bodyTimer)
    // Resolves with a copy of the response, so that data that still arrives does not change the result.
    result.resolve({ ...response, ...outcome })
    bodyEnd.resolve(outcome.isComplete === true)
  }
  const waitForBody = (status: number) => {
    bodyTimer = setTimeout(() => {
      const error = new CallbackTimeoutError('The body of the response did not end')
      result.resolve({ ...response, error, isBodyPending: true })
    }, RESPONSE_BODY_WAIT_MS)
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
      // A 1xx status is only an announcement of the final response.
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
