import type { Socket } from 'node:net'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { newId } from '../lib/random.ts'

/** Requests so broken that no route ever sees them: answered on the bare connection, in the usual shape. */
const MEANINGS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code = MEANINGS[error.code ?? ''] ?? 'invalid_request'
  const { status } = ERRORS[code]
  const text = code === 'invalid_request' ? 'This is not a valid HTTP request' : ERRORS[code].text
  const body = JSON.stringify({ error: text, code, requestId: newId('req') })
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
