import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createFrameReader } from './web-socket-frames.ts'

export type WebSocketConnection = {
  send: (message: string | Uint8Array) => void
  close: () => void
}

/** Fixed by RFC 6455. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TEXT = 0x81
const BINARY = 0x82
const CLOSE = 0x88

/** Accepts an upgrade. The stage only sends and ignores the page's messages. Tests read them. */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  onText: (text: string) => void = () => undefined,
  onBytes: (bytes: Buffer) => void = () => undefined,
): WebSocketConnection {
  const key = request.headers['sec-websocket-key'] ?? ''
  const accept = createHash('sha1').update(`${key}${MAGIC}`).digest('base64')
  socket.write(
    [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
      '\r\n',
    ].join('\r\n'),
  )
  // A closed page resets the connection. Nothing else needs to be done.
  socket.on('error', () => socket.destroy())
  const readFrames = createFrameReader((kind, body) => {
    if (kind === CLOSE) socket.end(frame(CLOSE, Buffer.alloc(0)))
    if (kind === TEXT) onText(body.toString())
    if (kind === BINARY) onBytes(body)
  })
  socket.on('data', readFrames)
  const write = (bytes: Buffer) => {
    if (socket.writable) socket.write(bytes)
  }
  return {
    send: (message) =>
      write(
        typeof message === 'string'
          ? frame(TEXT, Buffer.from(message))
          : frame(BINARY, Buffer.from(message)),
      ),
    close: () => socket.destroy(),
  }
}

function frame(kind: number, body: Buffer): Buffer {
  if (body.length < 126) return Buffer.concat([Buffer.of(kind, body.length), body])
  if (body.length < 0x1_0000) {
    return Buffer.concat([Buffer.of(kind, 126, body.length >> 8, body.length & 0xff), body])
  }
  const head = Buffer.alloc(10)
  head[0] = kind
  head[1] = 127
  head.writeBigUInt64BE(BigInt(body.length), 2)
  return Buffer.concat([head, body])
}
