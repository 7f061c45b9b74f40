import type { RawHttpRequest } from '../../test/support/callbacks/loopback-receivers.ts'

/** How a receiver answers one request. */
type Answer = (request: RawHttpRequest) => void

export type ReceiverKind = {
  name: string
  answer: Answer
  /** True if the sender may treat the answer as accepted. Other answers are given only to every third request. */
  isAccepted: boolean
}

export const ACCEPT = 'HTTP/1.1 204 No Content\r\n\r\n'
const OK_HEAD = 'HTTP/1.1 200 OK\r\n'
const LONG_TEXT = 'x'.repeat(64 * 1024)

const write =
  (...parts: string[]): Answer =>
  ({ socket }) => {
    for (const part of parts) socket.write(part)
  }
const end =
  (text: string): Answer =>
  ({ socket }) =>
    void socket.end(text)
const status = (line: string, headers = ''): Answer =>
  write(`HTTP/1.1 ${line}\r\n${headers}content-length: 0\r\n\r\n`)

const later =
  (ms: number, answer: Answer): Answer =>
  (request) => {
    setTimeout(() => {
      if (!request.socket.destroyed) answer(request)
    }, ms)
  }

/** Sends the text in pieces of this many characters, 20 ms apart. */
const inPieces =
  (text: string, size: number): Answer =>
  ({ socket }) => {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    const timer = setInterval(() => {
      const piece = pieces.shift()
      if (piece === undefined || socket.destroyed) clearInterval(timer)
      else socket.write(piece)
    }, 20)
  }

/** Sends the head, and then one character per second forever. */
export const trickle =
  (head: string): Answer =>
  ({ socket }) => {
    socket.write(head)
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer)
      else socket.write('x')
    }, 1_000)
  }

const accepted = (name: string, answer: Answer): ReceiverKind => ({
  name,
  answer,
  isAccepted: true,
})
const failing = (name: string, answer: Answer): ReceiverKind => ({
  name,
  answer,
  isAccepted: false,
})

/** Thirty kinds of receivers. The accepting ones are unusual but valid. The others fail at every third request. */
export const RECEIVER_KINDS: readonly ReceiverKind[] = [
  accepted('204 without a body', write(ACCEPT)),
  accepted('200 with a body', write(`${OK_HEAD}content-length: 2\r\n\r\nok`)),
  accepted(
    '200 in chunks',
    write(`${OK_HEAD}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
  ),
  accepted('200 of HTTP/1.0', end('HTTP/1.0 200 OK\r\n\r\nok')),
  accepted(
    'closes every connection',
    end(`${OK_HEAD}connection: close\r\ncontent-length: 0\r\n\r\n`),
  ),
  accepted('closes without saying so', end(ACCEPT)),
  accepted('100 before the answer', write('HTTP/1.1 100 Continue\r\n\r\n', ACCEPT)),
  accepted('two 102 before the answer', write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(2), ACCEPT)),
  accepted(
    '103 before the answer',
    write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', ACCEPT),
  ),
  accepted('answers after a second', later(1_000, write(ACCEPT))),
  accepted('answers byte by byte', inPieces(ACCEPT, 1)),
  accepted('a body that never ends', trickle(`${OK_HEAD}\r\n`)),
  accepted('a body that is cut off', end(`${OK_HEAD}content-length: 100\r\n\r\nhalf`)),
  accepted('a body of many megabytes', ({ socket }) => {
    socket.write(`${OK_HEAD}content-length: ${LONG_TEXT.length * 100}\r\n\r\n`)
    for (let i = 0; i < 100 && !socket.destroyed; i += 1) socket.write(LONG_TEXT)
  }),
  failing('500', status('500 Internal Server Error')),
  failing('503 with Retry-After', status('503 Service Unavailable', 'retry-after: 1\r\n')),
  failing('429 with Retry-After', status('429 Too Many Requests', 'retry-after: 1\r\n')),
  failing('401', status('401 Unauthorized')),
  failing('404', status('404 Not Found')),
  failing('400', status('400 Bad Request')),
  failing('a redirect', status('302 Found', 'location: /elsewhere\r\n')),
  failing('never answers', () => undefined),
  failing('headers that never end', trickle(`${OK_HEAD}x-head: `)),
  failing('ends without an answer', end('')),
  failing('resets the connection', ({ socket }) => void socket.resetAndDestroy()),
  failing('half a status line', end('HTTP/1.1 20')),
  failing('another protocol', end('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n')),
  failing('headers that are too long', end(`${OK_HEAD}x-long: ${LONG_TEXT}\r\n\r\n`)),
  failing('a negative length', end(`${OK_HEAD}content-length: -5\r\n\r\n`)),
  failing('switches protocols', end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n')),
]
