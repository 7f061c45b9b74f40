import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import {
  connect,
  createServer as createRawServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import type { Duplex } from 'node:stream'
import {
  createNetworkPolicy,
  type NetworkPolicyOptions,
} from '../../../src/network/network-policy.ts'
import {
  createCallbackTransport,
  type HttpCallbackTransportOptions,
  type PostRequest,
} from '../../../src/deliveries/transport.ts'
import { eventually } from '../time/eventually.ts'

export type LoopbackServer = AsyncDisposable & {
  url: string
  port: number
  /** Counts all accepted connections, even closed ones. */
  connections(): number
  openConnections(): number
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>
  /** Resolves when everything has been read that now-ended processes sent. */
  readToEnd(): Promise<void>
}

/** A server on the loopback interface. Disposing it closes all its connections. */
export async function startLoopbackServer(
  server: Server,
  { host = '127.0.0.1', scheme = 'http' } = {},
): Promise<LoopbackServer> {
  const open = new Set<Duplex>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    count += 1
    open.add(socket)
    // Many tests disconnect the client on purpose, so socket errors are expected.
    socket.on('error', () => open.delete(socket)).on('close', () => open.delete(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const allClosed = async () => {
    await eventually(() => (open.size === 0 ? true : null))
  }
  return {
    url: `${scheme}://${host}:${port}/hook`,
    port,
    connections: () => count,
    openConnections: () => open.size,
    allClosed,
    async readToEnd() {
      // Connections are accepted in order, so when this one is accepted, no other is waiting.
      const last = connect(port, host)
      const accepted = count
      await once(last, 'connect')
      await eventually(() => (count > accepted ? true : null))
      last.destroy()
      await allClosed()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}

export function startHttpReceiver(answer: RequestListener): Promise<LoopbackServer> {
  return startLoopbackServer(createServer({ keepAliveTimeout: 60_000 }, answer))
}

export type RawHttpRequest = {
  socket: Socket
  head: string
  body: Buffer
  nth: number
  nthOnSocket: number
}

/** A TCP server that passes each complete HTTP request to the test, which writes the response bytes itself. */
export async function startRawReceiver(
  answer: (request: RawHttpRequest) => void,
): Promise<LoopbackServer & { requests: RawHttpRequest[] }> {
  const requests: RawHttpRequest[] = []
  const server = createRawServer({ noDelay: true }, (socket) => {
    let bytes = Buffer.alloc(0)
    let nthOnSocket = 0
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      const end = bytes.indexOf('\r\n\r\n') + 4
      const head = bytes.subarray(0, end).toString('latin1')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (end < 4 || bytes.length < end + length) return
      const body = bytes.subarray(end, end + length)
      bytes = bytes.subarray(end + length)
      nthOnSocket += 1
      const request = { socket, head, body, nth: requests.length + 1, nthOnSocket }
      requests.push(request)
      answer(request)
    })
  })
  return Object.assign(await startLoopbackServer(server), { requests })
}

export const OK_RESPONSE = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

export const createTestPolicy = (options: Partial<NetworkPolicyOptions> = {}) =>
  createNetworkPolicy({
    level: 'private-ok',
    allow: [],
    deny: [],
    ownPorts: () => [],
    resolve: () => {
      throw new Error('this test must not make a DNS lookup')
    },
    ...options,
  })

type TestTransportOptions = Partial<NetworkPolicyOptions> &
  Partial<Pick<HttpCallbackTransportOptions, 'showsPrivateAnswers' | 'timers'>>

export const createTestTransport = (
  { showsPrivateAnswers = true, timers, ...options }: TestTransportOptions = {},
  extraCa?: string,
) =>
  createCallbackTransport({
    policy: createTestPolicy(options),
    showsPrivateAnswers,
    ...(timers === undefined ? {} : { timers }),
    ...(extraCa === undefined ? {} : { extraCa }),
  })

/** A request with a long timeout, unless the test sets another one. */
export function createTestPost(url: string, parts: Partial<PostRequest> = {}): PostRequest {
  const body = Buffer.from('{"type":"meeting_status"}')
  const headers = { 'content-type': 'application/json' }
  return {
    url,
    tokenId: 'token_1',
    headers,
    body,
    timeoutMs: 20_000,
    pool: 'healthy',
    connection: 'any',
    ...parts,
  }
}

export const NEVER_ABORTED = new AbortController().signal
