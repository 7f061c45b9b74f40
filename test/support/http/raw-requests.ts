import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { request, type Agent, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { ErrorCode } from '../../../src/errors.ts'
import type { ApiResponse } from './http-client.ts'

export type RawRequest = {
  method?: string
  path: string
  headers?: OutgoingHttpHeaders
  body?: string | Buffer
  agent?: Agent
}

const TIMEOUT_MS = 60_000

/** Sends one request with exactly these headers. Unlike fetch, it adds none. */
export async function sendRequest(
  url: string,
  call: RawRequest,
): Promise<ApiResponse & { text: string }> {
  const { method = 'GET', path, headers = {}, body = '', agent = false } = call
  const { hostname, port } = new URL(url)
  const outgoing = request({ hostname, port, method, path, agent, timeout: TIMEOUT_MS })
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) outgoing.setHeader(name, value)
  }
  const isFramed = outgoing.hasHeader('transfer-encoding') || outgoing.hasHeader('content-length')
  if (body.length > 0 && !isFramed) outgoing.setHeader('content-length', Buffer.byteLength(body))
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    // An error after the response is ignored, because a server need not read the body of a request that it refused.
    outgoing.on('response', resolve).on('error', reject)
    outgoing.on('timeout', () => outgoing.destroy(new Error('the response timed out')))
    outgoing.end(body)
  })
  const chunks: Buffer[] = []
  // An event stream does not end, so only its first chunk is read.
  const isStream = incoming.headers['content-type']?.startsWith('text/event-stream') === true
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer)
    if (isStream) break
  }
  const isCompressed = incoming.headers['content-encoding'] !== undefined
  const text = isCompressed ? '' : Buffer.concat(chunks).toString('utf8')
  return toApiResponse(incoming.statusCode ?? 0, incoming.rawHeaders, text)
}

/** Opens a connection for bytes that no HTTP client would send. */
export async function openSocket(url: string): Promise<Socket & AsyncDisposable> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  await once(socket, 'connect')
  return Object.assign(socket, {
    async [Symbol.asyncDispose]() {
      socket.destroy()
    },
  })
}

/** Writes the bytes and reads until the server closes the connection. */
export async function sendBytes(
  url: string,
  bytes: string,
): Promise<ApiResponse & { text: string }> {
  await using socket = await openSocket(url)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(bytes, 'latin1')
  await once(socket, 'end')
  return parseResponse(Buffer.concat(chunks).toString('utf8'))
}

export function parseResponse(bytes: string): ApiResponse & { text: string } {
  const [head = '', text = ''] = bytes.split(/\r\n\r\n(.*)/s)
  const [line = '', ...fields] = head.split('\r\n')
  const rawHeaders = fields.flatMap((field) => field.split(/: ?(.*)/s, 2))
  return toApiResponse(Number(line.split(' ')[1]), rawHeaders, text)
}

function toApiResponse(
  status: number,
  rawHeaders: string[],
  text: string,
): ApiResponse & { text: string } {
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  }
  const isJson =
    /^application\/(?:scim\+)?json/.test(headers.get('content-type') ?? '') && text !== ''
  return { status, headers, text, body: (isJson ? JSON.parse(text) : {}) as ApiResponse['body'] }
}

const LEAKS =
  /\bat .+:\d+:\d+|node_modules|file:\/\/|\/(?:etc|home|usr|tmp|var|opt|root)\/|\b(?:select|insert into|delete from)\b|postgres/i

/** Checks the properties that every error response has. */
export function assertError(
  { status, headers, body }: ApiResponse,
  expected: number,
  code: ErrorCode,
  about = '',
): void {
  assert.equal(status, expected, `${about} ${JSON.stringify(body)}`)
  assert.equal(body.code, code, `${about} ${JSON.stringify(body)}`)
  assert.ok(typeof body.error === 'string' && body.error.length > 0, about)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8', about)
  assert.doesNotMatch(JSON.stringify(body), LEAKS, about)
  assert.match(String(body['requestId']), /^req_\w+$/, about)
  assert.equal(body['requestId'], headers.get('x-request-id'), `${about}: x-request-id`)
}
