import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import type { FastifyApp } from '../../../src/http/fastify-app.ts'

export type InjectedRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
}

/** The parts of a response that the fuzz test checks. */
export type InjectedResponse = {
  status: number
  setsCookie: boolean
  text: string
  body: Record<string, unknown>
}

/** Replaces a connection. Stores only the head of a response below 400, because some bodies are long. */
class FakeSocket extends Writable {
  readonly remoteAddress = '127.0.0.1'
  readonly written: Buffer[] = []
  private isErrorResponse = false

  constructor() {
    // Never full, because nothing would emit 'drain'.
    super({ decodeStrings: false, highWaterMark: Number.MAX_SAFE_INTEGER })
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, done: () => void): void {
    if (this.written.length === 0 || this.isErrorResponse) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
      this.isErrorResponse ||= bytes.toString('latin1', 9, 10) >= '4'
      this.written.push(bytes)
    }
    done()
  }
}

const VERSION = { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 }

/** Runs a request through the whole service, but without a socket. */
export function inject(
  app: FastifyApp,
  { method, path, headers, body }: InjectedRequest,
): Promise<InjectedResponse> {
  const fake = new FakeSocket()
  const socket = fake as Writable as Socket
  const request = new IncomingMessage(socket)
  Object.assign(request, { method, url: path, complete: true, ...VERSION })
  request.headers = body ? { ...headers, 'content-length': `${Buffer.byteLength(body)}` } : headers
  // The service counts a request's Host headers.
  request.rawHeaders = Object.entries(request.headers as Record<string, string>).flat()
  if (body) request.push(body)
  request.push(null)
  const response = new ServerResponse(request)
  response.assignSocket(socket)
  return new Promise((resolve, reject) => {
    response.once('finish', () => {
      resolve(parseInjectedResponse(Buffer.concat(fake.written)))
      process.nextTick(() => response.emit('close'))
    })
    response.once('close', () => {
      if (!response.writableFinished) reject(new Error('the response is incomplete'))
    })
    app.routing(request, response)
  })
}

function parseInjectedResponse(bytes: Buffer): InjectedResponse {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.toString('latin1', 0, end).toLowerCase()
  const status = Number(head.slice(9, 12))
  const isRead = status >= 400 && !head.includes('\r\ncontent-encoding:')
  const isChunked = head.includes('\r\ntransfer-encoding: chunked')
  const rest = isRead ? bytes.subarray(end + 4) : Buffer.alloc(0)
  const text = (isChunked ? joinChunks(rest) : rest).toString('utf8')
  const isJson = /\r\ncontent-type: application\/(?:scim\+)?json/.test(head) && text !== ''
  return {
    status,
    setsCookie: head.includes('\r\nset-cookie:'),
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  }
}

/** Joins the chunks of a body with chunked encoding. */
function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = []
  let at = 0
  while (at < bytes.length) {
    const start = bytes.indexOf('\r\n', at) + 2
    const length = Number.parseInt(bytes.toString('latin1', at, start), 16)
    chunks.push(bytes.subarray(start, start + length))
    at = start + length + 2
  }
  return Buffer.concat(chunks)
}
