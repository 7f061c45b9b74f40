import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type * as Undici from 'undici'
import { lazyRequire } from '../../lib/lazy-require.ts'
import type { NetworkPolicy } from './network-policy.ts'

/** Wanted with the first post. */
const undici = lazyRequire('undici') as () => typeof Undici

/** A client of one socket at a time. */
export type PooledConnection = {
  readonly client: Undici.Client
  readonly origin: string
  /** Whether the socket it has now has carried an answer before. */
  isReused(): boolean
}

export interface ConnectionPool extends AsyncDisposable {
  /** One that nobody else uses: an idle one, or a new one if there is none or a fresh one is wanted. */
  acquire(origin: string, want: 'any' | 'fresh'): PooledConnection
  /** After a whole answer, so that the next post finds it. */
  release(connection: PooledConnection): void
  /** Ends it at once, whatever it is doing. */
  destroy(connection: PooledConnection): void
}

type PoolEntry = PooledConnection & {
  socket: Socket | null
  isIdle: boolean
  answers: number
  stop: AbortController
}

/** One tick of undici's coarse timers less than the five seconds that connecting may take. */
const CONNECT_MS = 4_500
/** Longer than a far receiver needs to shake hands: Node gives up an address when it tries the next one. */
const NEXT_ADDRESS_MS = 500
const KEEP_ALIVE_MS = 30_000
const MAX_HEADER_BYTES = 16_384

/**
 * One client for each post under way, and no queue: a receiver that hangs holds its own socket and nobody
 * else's. HTTP/2 is off because it would put the posts to one origin on one socket.
 */
export function createConnectionPool(
  policy: NetworkPolicy,
  secureContext: SecureContext | null,
): ConnectionPool {
  const all = new Set<PoolEntry>()
  const idle = new Map<string, PoolEntry[]>()
  let isOver = false

  function open(origin: string): PoolEntry {
    const { Client } = undici()
    const stop = new AbortController()
    const held: PoolEntry = {
      client: new Client(origin, {
        connect: connectorTo(origin, (socket) => (held.socket = socket), stop.signal),
        pipelining: 1,
        allowH2: false,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
        keepAliveTimeoutThreshold: 1_000,
        maxHeaderSize: MAX_HEADER_BYTES,
        // The post has one limit of time for everything.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
      origin,
      isReused: () => held.answers > 0,
      socket: null,
      isIdle: false,
      answers: 0,
      stop,
    }
    held.client.on('disconnect', () => {
      held.answers = 0
      if (held.isIdle) drop(held)
    })
    all.add(held)
    return held
  }

  function connectorTo(origin: string, onSocket: (socket: Socket) => void, signal: AbortSignal) {
    const connect = undici().buildConnector({
      lookup: policy.guardedLookup(portOf(new URL(origin))),
      timeout: CONNECT_MS,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      allowH2: false,
      // Said here, the switch in the environment that turns all checks off has no say.
      rejectUnauthorized: true,
      signal,
      ...(secureContext === null ? {} : { secureContext }),
    })
    const connector: Undici.buildConnector.connector = (options, callback) => {
      connect(options, (...outcome) => {
        if (outcome[1] !== null && outcome[1] !== undefined) onSocket(outcome[1])
        callback(...outcome)
      })
    }
    return connector
  }

  function drop(held: PoolEntry): void {
    all.delete(held)
    const rest = idle.get(held.origin)?.filter((one) => one !== held) ?? []
    if (rest.length > 0) idle.set(held.origin, rest)
    else idle.delete(held.origin)
    void held.client.destroy()
    // The client alone would let go of a socket only once it is connected.
    held.stop.abort()
  }

  return {
    acquire(origin, want) {
      const waiting = idle.get(origin)
      // The one used last, so that those too many grow old and close.
      const held = (want === 'any' ? waiting?.pop() : undefined) ?? open(origin)
      held.isIdle = false
      // A post that was under way at the end may ask once more: what it gets leads nowhere.
      if (isOver) drop(held)
      return held
    },
    release(connection) {
      const held = connection as PoolEntry
      const isAlive = held.socket?.destroyed === false && all.has(held)
      // An answer can come before the request was read: the next one would queue behind the rest of it.
      if (!isAlive || held.socket?.writableLength !== 0) return drop(held)
      held.answers += 1
      held.isIdle = true
      const waiting = idle.get(held.origin)
      if (waiting === undefined) idle.set(held.origin, [held])
      else waiting.push(held)
    },
    destroy: (connection) => drop(connection as PoolEntry),
    async [Symbol.asyncDispose]() {
      isOver = true
      for (const held of all) drop(held)
    },
  }
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}
