// A plain round-robin HTTP proxy. Bodies and streams pass through, and backends that do not answer are skipped.
import { once } from 'node:events'
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorCode } from '../../src/lib/error-code.ts'

/** A backend that failed is skipped for this long, unless all others failed too. */
const SKIP_MS = 1_000
/** A backend that sends no response headers for this long is treated as dead. A busy one may need long for a write. */
const HEADERS_MS = { read: 5_000, write: 30_000 }

/** Chooses backends in turn. */
export type RoundRobin = {
  /** The backends in the order of a request's attempts: the next healthy ones, then those that failed recently. */
  next(backends: readonly string[], nowMs: number): string[]
  failed(backend: string, nowMs: number): void
}

export function createRoundRobin(skipMs = SKIP_MS): RoundRobin {
  const failedAt = new Map<string, number>()
  let turn = 0
  return {
    next(backends, nowMs) {
      const start = backends.length === 0 ? 0 : turn % backends.length
      turn += 1
      const inTurn = [...backends.slice(start), ...backends.slice(0, start)]
      const isSkipped = (backend: string) => nowMs - (failedAt.get(backend) ?? -Infinity) < skipMs
      return [...inTurn.filter((each) => !isSkipped(each)), ...inTurn.filter(isSkipped)]
    },
    failed: (backend, nowMs) => void failedAt.set(backend, nowMs),
  }
}

export type RoundRobinProxy = AsyncDisposable & { url: string }

/** `backends` is read for each request, because a node gets another port with each start. */
export async function openRoundRobinProxy(backends: () => string[]): Promise<RoundRobinProxy> {
  const roundRobin = createRoundRobin()
  const server = createServer((request, response) => {
    void forwardInTurn(request, response, roundRobin, backends())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function forwardInTurn(
  request: IncomingMessage,
  response: ServerResponse,
  roundRobin: RoundRobin,
  backends: readonly string[],
): Promise<void> {
  const body = await readBody(request)
  for (const backend of roundRobin.next(backends, performance.now())) {
    const result = await forward(request, response, body, backend)
    if (result === 'answered') return
    roundRobin.failed(backend, performance.now())
    // A backend that was reached may already have done the work, so only reads are repeated.
    if (result === 'broken' && request.method !== 'GET') break
    if (response.destroyed) return
  }
  if (!response.headersSent && !response.destroyed)
    response.writeHead(502, { 'content-type': 'application/json' }).end('{"code":"no_backend"}')
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch (error) {
    // The client has gone, so its request is not forwarded.
    if (errorCode(error) !== 'ECONNRESET') throw error
  }
  return Buffer.concat(chunks)
}

type ForwardResult = 'answered' | 'refused' | 'broken'

function forward(
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  backend: string,
): Promise<ForwardResult> {
  const { promise, resolve } = Promise.withResolvers<ForwardResult>()
  const target = new URL(url ?? '/', backend)
  const sent = sendRequest(target, { method, headers: { ...headers, host: target.host } })
  const limitMs = HEADERS_MS[method === 'GET' ? 'read' : 'write']
  const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), limitMs)
  response.once('close', () => sent.destroy())
  sent.on('response', (answer) => {
    clearTimeout(timer)
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    // The backend died in the middle of a response, so the client must see a broken response.
    answer.on('error', () => response.destroy())
    resolve('answered')
  })
  sent.on('error', (error) => {
    clearTimeout(timer)
    resolve(errorCode(error) === 'ECONNREFUSED' ? 'refused' : 'broken')
  })
  sent.end(body)
  return promise
}
