import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Connection } from './connections.ts'
import type { Ending } from './ending.ts'

export type Question = {
  origin: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** What came of one request on one connection. */
export type Heard = {
  /** Null while no status line has come. */
  status: number | null
  headers: IncomingHttpHeaders
  start: Buffer
  /** Why it broke off; null when the answer ended, or was long enough. */
  error: unknown
  /** It was begun: from then on whatever goes wrong is news about the receiver. */
  isBegun: boolean
  /** The answer ended, so the connection can be used again. */
  isWhole: boolean
  /** Not one byte of an answer came, and the socket was an old one: it may just have been closed. */
  isStale: boolean
}

const MAX_READ_BYTES = 16_384
const KEPT_BYTES = 2_048
const NOTHING = Buffer.alloc(0)

/** Posts once. Never rejects: what went wrong is in the answer. The caller ends the connection. */
export function exchange(
  connection: Connection,
  { path, headers, body }: Question,
  ending: Ending,
): Promise<Heard> {
  const heard: Heard = {
    status: null,
    headers: {},
    start: NOTHING,
    error: null,
    isBegun: false,
    isWhole: false,
    isStale: connection.isUsed(),
  }
  return new Promise((resolve) => {
    const finish: Finish = (end) => {
      // Copied, so that nothing that still comes in changes it.
      resolve({ ...heard, ...end })
    }
    const onOver = () => finish({ error: ending.reason() })
    if (ending.isOver()) return onOver()
    ending.onOver(onOver)
    const listener = listen(heard, connection, finish)
    connection.client.dispatch({ path, method: 'POST', headers, body }, listener)
  })
}

type Finish = (end: Pick<Heard, 'error'> | Pick<Heard, 'isWhole'>) => void

function listen(heard: Heard, connection: Connection, finish: Finish): Dispatcher.DispatchHandler {
  let read = 0
  return {
    onRequestStart() {
      heard.isBegun = true
      // The client may have found the old socket closed, and connected anew.
      heard.isStale = connection.isUsed()
    },
    onResponseStarted() {
      heard.isStale = false
    },
    onResponseStart(_, status, headers) {
      // Those below 200 announce the answer.
      if (status >= 200) Object.assign(heard, { status, headers })
    },
    onResponseData(_, chunk) {
      read += chunk.length
      if (heard.start.length < KEPT_BYTES) {
        heard.start = Buffer.concat([heard.start, chunk]).subarray(0, KEPT_BYTES)
      }
      if (read >= MAX_READ_BYTES) finish({ error: null })
    },
    onResponseEnd: () => finish({ isWhole: true }),
    onResponseError: (_, error) => finish({ error }),
  }
}
