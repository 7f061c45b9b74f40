import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type * as Undici from 'undici'
import { OperatorError } from '../lib/operator-error.ts'
import { lazyRequire } from '../lib/lazy-require.ts'
import {
  installInterimResponseFilter,
  type InterimResponseFilter,
} from '../lib/net/interim-responses.ts'
import type { NetworkPolicy } from './network-policy.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const CALLBACK_CA_SETTING = 'HANSARD_CALLBACK_CA_FILE'

/** undici is loaded by the first request, not at startup. */
const undici = lazyRequire('undici') as () => typeof Undici

/** An undici client that has at most one socket. */
export type PooledConnection = {
  readonly client: Undici.Client
  readonly origin: string
  /** The remote address of the current socket. Null before the first socket. */
  remoteAddress(): string | null
  /** True if the current socket has already carried a response. */
  isReused(): boolean
  /** Must be called when a request is sent on the current socket. */
  expectResponse(): void
  /** True if any byte was received since the last request was sent. */
  hasReceivedBytes(): boolean
}

/** `any`: an idle connection, or a new one if none is idle. `fresh`: always a new one. */
export type ConnectionChoice = 'any' | 'fresh'

type PoolEntry = PooledConnection & {
  socket: Socket | null
  connectedTo: string | null
  interim: InterimResponseFilter | null
  isIdle: boolean
  /** The number of responses on the current socket. */
  responses: number
  stop: AbortController
}

/** Connecting may take five seconds; undici's coarse timers can fire half a second late. */
const CONNECT_MS = 4_500
/** Node abandons an address when it tries the next one, so this is longer than a handshake with a distant receiver. */
const NEXT_ADDRESS_MS = 500
const KEEP_ALIVE_MS = 30_000
const MAX_HEADER_BYTES = 16_384

/** Trusts Node's default certificate authorities and the given ones. Null if none are given. */
export function createTrustedTlsContext(
  extraCaPem: string | undefined,
  settingName = CALLBACK_CA_SETTING,
): SecureContext | null {
  const fix = `Check ${settingName}`
  if (extraCaPem === undefined) return null
  const certificates = extraCaPem.match(CERTIFICATE) ?? []
  if (certificates.length === 0) {
    throw new OperatorError(
      'The file with additional certificate authorities contains no PEM certificate',
      fix,
    )
  }
  // OpenSSL silently skips certificates that it cannot parse, and callbacks would fail later.
  for (const [i, certificate] of certificates.entries()) requireValid(certificate, i + 1, fix)
  // Created once, because parsing all certificates takes milliseconds.
  return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] })
}

function requireValid(certificate: string, position: number, fix: string): void {
  try {
    void new X509Certificate(certificate)
  } catch (error) {
    const text = `Certificate ${position} of the additional certificate authorities is not valid`
    throw new OperatorError(text, fix, error)
  }
}

/**
 * Uses one client for each request in flight, without a queue, so a hanging receiver blocks only the socket of its
 * request. HTTP/2 is off, because it would put all requests to one origin on one socket.
 */
export function createConnectionPool(policy: NetworkPolicy, secureContext: SecureContext | null) {
  const entries = new Set<PoolEntry>()
  const idle = new Map<string, PoolEntry[]>()
  let isDisposed = false

  function open(origin: string): PoolEntry {
    const { Client } = undici()
    const stop = new AbortController()
    const useSocket = (socket: Socket) => {
      entry.socket = socket
      // A closed socket no longer knows its address.
      entry.connectedTo = socket.remoteAddress ?? null
      entry.interim = installInterimResponseFilter(socket)
    }
    const entry: PoolEntry = {
      client: new Client(origin, {
        connect: connectorTo(origin, useSocket, stop.signal),
        pipelining: 1,
        allowH2: false,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
        keepAliveTimeoutThreshold: 1_000,
        maxHeaderSize: MAX_HEADER_BYTES,
        // undici's timeouts are off, because createRequestCancellation limits the total time of each request.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
      origin,
      remoteAddress: () => entry.connectedTo,
      isReused: () => entry.responses > 0,
      expectResponse: () => entry.interim?.expectResponse(),
      hasReceivedBytes: () => entry.interim?.hasReceivedBytes() === true,
      socket: null,
      connectedTo: null,
      interim: null,
      isIdle: false,
      responses: 0,
      stop,
    }
    entry.client.on('disconnect', () => {
      entry.responses = 0
      if (entry.isIdle) destroy(entry)
    })
    entries.add(entry)
    return entry
  }

  function connectorTo(origin: string, onSocket: (socket: Socket) => void, signal: AbortSignal) {
    const connect = undici().buildConnector({
      lookup: policy.guardedLookup(portOf(new URL(origin))),
      timeout: CONNECT_MS,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      allowH2: false,
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn off certificate checks.
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

  function destroy(entry: PoolEntry): void {
    entries.delete(entry)
    const rest = idle.get(entry.origin)?.filter((one) => one !== entry) ?? []
    if (rest.length > 0) idle.set(entry.origin, rest)
    else idle.delete(entry.origin)
    void entry.client.destroy()
    // client.destroy() does not cancel a connection attempt. This signal does.
    entry.stop.abort()
  }

  return {
    acquire(origin: string, choice: ConnectionChoice): PooledConnection {
      const waiting = idle.get(origin)
      // Takes the most recently used connection, so that surplus connections time out.
      const entry = (choice === 'any' ? waiting?.pop() : undefined) ?? open(origin)
      entry.isIdle = false
      // A request in flight during disposal may retry. It gets a closed connection and fails.
      if (isDisposed) destroy(entry)
      return entry
    },
    /** Makes a connection available for the next request. Call it only after a complete response. */
    release(connection: PooledConnection): void {
      const entry = connection as PoolEntry
      const isAlive = entry.socket?.destroyed === false && entries.has(entry)
      // A response can arrive before the whole request was sent. The next request would wait behind the rest.
      if (!isAlive || entry.socket?.writableLength !== 0) return destroy(entry)
      entry.responses += 1
      entry.isIdle = true
      const waiting = idle.get(entry.origin)
      if (waiting === undefined) idle.set(entry.origin, [entry])
      else waiting.push(entry)
    },
    /** Closes the connection immediately, even during a request. */
    destroy: (connection: PooledConnection) => destroy(connection as PoolEntry),
    async [Symbol.asyncDispose]() {
      isDisposed = true
      for (const entry of entries) destroy(entry)
    },
  }
}

export type ConnectionPool = ReturnType<typeof createConnectionPool>

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}
