import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { PooledConnection } from './connection-pool.ts'
import type { Cancellation } from './cancellation.ts'

export type HttpRequest = {
  origin: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** What came of one request on one connection. */
export type HttpResponse = {
  /** Null while no status line has come. */
  status: number | null
  headers: IncomingHttpHeaders
  bodyStart: Buffer
  /** Why it broke off; null when the answer ended, or was long enough. */
  error: unknown
  /** It was begun: from then on whatever goes wrong is news about the receiver. */
  hasStarted: boolean
  /** The answer ended, so the connection can be used again. */
  isComplete: boolean
  /** Not one byte of an answer came, and the socket was an old one: it may just have been closed. */
  mayBeStaleSocket: boolean
}

const MAX_READ_BYTES = 16_384
const MAX_BODY_START_BYTES = 2_048
const EMPTY = Buffer.alloc(0)

/** Posts once. Never rejects: what went wrong is in the answer. The caller ends the connection. */
export function sendHttpRequest(
  connection: PooledConnection,
  { path, headers, body }: HttpRequest,
  ending: Cancellation,
): Promise<HttpResponse> {
  const heard: HttpResponse = {
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
      // Copied, so that nothing that still comes in changes it.
      resolve({ ...heard, ...end })
    }
    const onOver = () => finish({ error: ending.reason() })
    if (ending.isCancelled()) return onOver()
    ending.onCancel(onOver)
    const listener = createResponseHandler(heard, connection, finish)
    connection.client.dispatch({ path, method: 'POST', headers, body }, listener)
  })
}

type Finish = (end: Pick<HttpResponse, 'error'> | Pick<HttpResponse, 'isComplete'>) => void

function createResponseHandler(
  heard: HttpResponse,
  connection: PooledConnection,
  finish: Finish,
): Dispatcher.DispatchHandler {
  let read = 0
  return {
    onRequestStart() {
      heard.hasStarted = true
      // The client may have found the old socket closed, and connected anew.
      heard.mayBeStaleSocket = connection.isReused()
    },
    onResponseStarted() {
      heard.mayBeStaleSocket = false
    },
    onResponseStart(_, status, headers) {
      // Those below 200 announce the answer.
      if (status >= 200) Object.assign(heard, { status, headers })
    },
    onResponseData(_, chunk) {
      read += chunk.length
      if (heard.bodyStart.length < MAX_BODY_START_BYTES) {
        heard.bodyStart = Buffer.concat([heard.bodyStart, chunk]).subarray(0, MAX_BODY_START_BYTES)
      }
      if (read >= MAX_READ_BYTES) finish({ error: null })
    },
    onResponseEnd: () => finish({ isComplete: true }),
    onResponseError: (_, error) => finish({ error }),
  }
}
