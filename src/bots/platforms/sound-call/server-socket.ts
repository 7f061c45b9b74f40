import type { Socket } from 'node:net'
import type * as Undici from 'undici'
import { runOnce } from '../../../lib/async/sharing.ts'
import { lazyRequire } from '../../../lib/lazy-require.ts'
import type { Timers } from '../../../lib/time/clock.ts'

/** undici is loaded with the first request, not at startup. */
const undici = lazyRequire('undici') as () => typeof Undici

/** The largest message of a server. A larger one ends the connection. */
export const MAX_MESSAGE_BYTES = 1_024 * 1_024
/** A server sends fewer messages even for a large group. One that sends more is broken or hostile. */
const MAX_MESSAGES_PER_SECOND = 10_000
/** How long the server may take to answer when the bot closes the connection. */
const CLOSE_MS = 2_000
/** If more than this waits to be sent, the server does not read, and messages are dropped. */
const MAX_UNSENT_BYTES = 4 * MAX_MESSAGE_BYTES

/** The bot's WebSocket to the server of a call. Disposing waits until it is closed. */
export type ServerSocket = ReturnType<typeof openServerSocket>

type Data = string | Uint8Array

type Options = {
  endpoint: URL
  headers?: Readonly<Record<string, string>>
  timers: Timers
  /** The server expects this message, or another one, every `pingMs`, and answers it. */
  ping(): Data
  pingMs: number
  /** A server that was pinged but has sent nothing for this long is gone. */
  silenceMs: number
  /** Called once, as soon as messages can be sent. */
  onOpen(): void
  /** Called with every message, also with one that says nothing. */
  onMessage(message: Data): void
  /** Called once, after the connection failed or the server closed it. It was lost `sinceMs` ago. */
  onLost(why: string, sinceMs: number): void
}

/** Connects to the server, and notices when it is gone. */
export function openServerSocket(options: Options) {
  const { endpoint, headers = {}, timers, pingMs, silenceMs } = options
  const { WebSocket, Agent, buildConnector } = undici()
  const connect = buildConnector({ allowH2: false })
  const tcpSockets = new Set<Socket>()
  const dispatcher = new Agent({
    webSocket: { maxPayloadSize: MAX_MESSAGE_BYTES },
    connect: (target, done) =>
      connect(target, (...result) => {
        // Without a connection there is an error instead.
        if (result[1]) tcpSockets.add(result[1])
        done(...result)
      }),
  })
  const socket = new WebSocket(endpoint, {
    dispatcher: dispatcher.compose(withoutCompression),
    headers,
  })
  socket.binaryType = 'arraybuffer'
  let receivedAt = timers.now()
  let second = 0
  let messagesInSecond = 0
  let isOver = false
  let cancelPing = timers.after(pingMs, ping)
  const closed = Promise.withResolvers<void>()
  const close = runOnce(async () => {
    isOver = true
    cancelPing()
    socket.close()
    // A server that does not answer the close must not keep the socket open.
    const cancel = timers.after(CLOSE_MS, closed.resolve)
    await closed.promise
    cancel()
    await dispatcher.destroy()
    // The dispatcher does not own a socket that has become a WebSocket.
    for (const tcpSocket of tcpSockets) tcpSocket.destroy()
  })

  function send(message: Data): void {
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount > MAX_UNSENT_BYTES) return
    socket.send(message)
  }
  function ping(): void {
    const silentMs = timers.now() - receivedAt
    if (silentMs >= silenceMs) return lose('The server stopped answering', silentMs)
    send(options.ping())
    cancelPing = timers.after(pingMs, ping)
  }
  function lose(why: string, sinceMs = 0): void {
    if (isOver) return
    void close()
    options.onLost(why, sinceMs)
  }

  function countMessage(): void {
    const current = Math.floor(receivedAt / 1_000)
    messagesInSecond = current === second ? messagesInSecond + 1 : 1
    second = current
    if (messagesInSecond > MAX_MESSAGES_PER_SECOND) lose('The server sent too many messages')
  }

  socket.addEventListener('open', () => {
    if (!isOver) options.onOpen()
  })
  socket.addEventListener('message', ({ data }) => {
    receivedAt = timers.now()
    countMessage()
    if (isOver) return
    if (typeof data === 'string') options.onMessage(data)
    else if (data instanceof ArrayBuffer) options.onMessage(new Uint8Array(data))
  })
  socket.addEventListener('error', () => lose('The connection to the server failed'))
  socket.addEventListener('close', () => {
    closed.resolve()
    lose('The server closed the connection')
  })
  return { send, [Symbol.asyncDispose]: close }
}

/** undici drops the last compressed message of a server that closes the connection after it, such as the reason. */
const withoutCompression: Undici.Dispatcher.DispatcherComposeInterceptor =
  (dispatch) =>
  ({ headers, ...request }, handler) => {
    const kept = Object.entries((headers ?? {}) as Record<string, string>).filter(
      ([name]) => name.toLowerCase() !== 'sec-websocket-extensions',
    )
    return dispatch({ ...request, headers: Object.fromEntries(kept) }, handler)
  }
