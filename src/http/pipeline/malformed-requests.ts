import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ERRORS, type ErrorCode } from '../../errors.ts'
import { newId } from '../../lib/crypto/random.ts'

/** Error codes for requests that Node cannot parse. No route sees them; the response is written to the socket. */
const ERROR_CODE_BY_NODE_CODE: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}
const INVALID_HTTP_TEXT = 'This is not a valid HTTP request'

export function respondToMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code = ERROR_CODE_BY_NODE_CODE[error.code ?? '']
  const { status, headers, body } = buildErrorResponse(
    code ?? 'invalid_request',
    code ? undefined : INVALID_HTTP_TEXT,
  )
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** Responds to a header `Expect` other than 100-continue. Without this listener Node sends an empty 417. */
export function respondToUnknownExpectHeader(
  _request: IncomingMessage,
  response: ServerResponse,
): void {
  const { status, headers, body } = buildErrorResponse('unknown_expectation')
  response.writeHead(status, headers).end(body)
}

function buildErrorResponse(code: ErrorCode, text: string = ERRORS[code].text) {
  const requestId = newId('req')
  const body = JSON.stringify({ error: text, code, requestId })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
  }
  return { status: ERRORS[code].status, headers, body }
}
