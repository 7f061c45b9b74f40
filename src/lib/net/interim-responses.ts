import type { Socket } from 'node:net'

type FilterMode =
  /** The start of a response is expected. Interim responses are removed. */
  | 'expecting'
  /** The final response has started. All bytes pass. */
  | 'passing'

/** The start of an interim response, except 101. That ends HTTP on this connection, so the client must see it. */
const INTERIM_START = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]$/
const INTERIM_TEMPLATE = 'HTTP/1.1 100 '
/** Nothing is removed beyond this size, so that a server can't send interim responses forever. */
const MAX_INTERIM_BYTES = 16_384

/**
 * A client must accept interim responses that it did not ask for (RFC 9110, section 15.2), but undici closes the
 * connection when it reads `100 Continue`. A new socket expects a response.
 */
export function installInterimResponseFilter(socket: Pick<Socket, 'read'>) {
  const read = socket.read.bind(socket)
  let mode: FilterMode = 'expecting'
  let held: Buffer = Buffer.alloc(0)
  let removedBytes = 0
  let hasReceived = false

  /** Returns the bytes of the final response, or null if more bytes are needed. */
  const filter = (chunk: Buffer): Buffer | null => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (removedBytes + held.length <= MAX_INTERIM_BYTES && mayBeInterim(held)) {
      const end = held.indexOf('\r\n\r\n')
      if (end === -1) return null
      removedBytes += end + 4
      held = held.subarray(end + 4)
    }
    mode = 'passing'
    const rest = held
    held = Buffer.alloc(0)
    return rest
  }

  socket.read = (size?: number): unknown => {
    // Node itself reads with a size, the HTTP client without one.
    if (size !== undefined) return read(size)
    for (;;) {
      const chunk = read() as Buffer | null
      if (chunk === null) return null
      hasReceived = true
      const passed = mode === 'passing' ? chunk : filter(chunk)
      if (passed !== null) return passed
    }
  }

  return {
    /** Must be called when a request is sent. The next bytes are then the start of a response. */
    expectResponse(): void {
      mode = 'expecting'
      held = Buffer.alloc(0)
      removedBytes = 0
      hasReceived = false
    },
    /** True if any byte was read since `expectResponse`. */
    hasReceivedBytes: () => hasReceived,
  }
}

/** Removes interim responses (1xx) from the bytes that an HTTP/1.1 client reads from its socket. */
export type InterimResponseFilter = ReturnType<typeof installInterimResponseFilter>

/** True if the bytes start an interim response, or may do so when more bytes arrive. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, INTERIM_TEMPLATE.length)
  return INTERIM_START.test(start + INTERIM_TEMPLATE.slice(start.length))
}
