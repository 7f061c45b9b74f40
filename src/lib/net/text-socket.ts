import { Socket, type LookupFunction } from 'node:net'
import type * as Undici from 'undici'
import { runOnce } from '../async/sharing.ts'
import { lazyRequire } from '../lazy-require.ts'
import type { Timers } from '../time/clock.ts'

/** undici is loaded with the first request, not at startup. */
const undici = lazyRequire('undici') as () => typeof Undici

/** A server sends fewer messages even for a large call. One that sends more is broken or hostile. */
const MAX_MESSAGES_PER_SECOND = 10_000
/** How long the server may take to answer when the bot closes the connection. */
const CLOSE_MS = 2_000
/** If more messages of the largest size than this wait to be sent, the server does not read, and messages are dropped. */
const MAX_UNSENT_MESSAGES = 4

/** A WebSocket that carries JSON texts, or bytes. Disposing waits until it is closed. */
export type TextSocket = ReturnType<typeof openTextSocket>

export type TextSocketOptions = {
  url: URL
  headers?: Readonly<Record<string, string>>
  timers: Timers
  maxMessageBytes: number
  /** Resolves the host name. It can refuse addresses. */
  lookup?: LookupFunction
  /** Every `checkMs`, `onCheck` is called. A server that has sent nothing for `limitMs` is lost. */
  silence: { checkMs: number; limitMs: number; onCheck?(): void }
  /** Called once, as soon as messages can be sent. */
  onOpen(): void
  onText?(text: string): void
  onBytes?(bytes: Uint8Array): void
  /** Called once, after the connection failed or the server closed it. It was lost `sinceMs` ago. */
  onLost(why: string, sinceMs: number): void
}

/** Connects to a server. The callbacks are not called after `onLost` or disposal. */
export function openTextSocket(options: TextSocketOptions) {
  const { url, headers = {}, timers, maxMessageBytes, silence, lookup } = options
  const { WebSocket, Agent, buildConnector } = undici()
  const connect = buildConnector({ allowH2: false, ...(lookup && { lookup }) })
  const tcpSockets = new Set<Socket>()
  const dispatcher = new Agent({
    webSocket: { maxPayloadSize: maxMessageBytes },
    connect: (target, done) =>
      connect(target, (...result) => {
        // A failed connection has none, whatever the types say.
        if (result[1] instanceof Socket) tcpSockets.add(result[1])
        done(...result)
      }),
  })
  const socket = new WebSocket(url, {
    dispatcher: dispatcher.compose(withoutCompression),
    headers,
  })
  socket.binaryType = 'arraybuffer'
  let receivedAt = timers.now()
  let second = 0
  let messagesInSecond = 0
  let isOver = false
  let cancelCheck = timers.after(silence.checkMs, check)
  const closed = Promise.withResolvers<void>()
  const close = runOnce(async () => {
    isOver = true
    cancelCheck()
    socket.close()
    // A server that does not answer the close must not keep the socket open.
    const cancel = timers.after(CLOSE_MS, closed.resolve)
    await closed.promise
    cancel()
    await dispatcher.destroy()
    // The dispatcher does not own a socket that has become a WebSocket.
    for (const tcpSocket of tcpSockets) tcpSocket.destroy()
  })

  function check(): void {
    const silentMs = timers.now() - receivedAt
    if (silentMs >= silence.limitMs) return lose('The server stopped answering', silentMs)
    silence.onCheck?.()
    cancelCheck = timers.after(silence.checkMs, check)
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
    if (typeof data === 'string') options.onText?.(data)
    else if (data instanceof ArrayBuffer) options.onBytes?.(new Uint8Array(data))
  })
  socket.addEventListener('error', () => lose('The connection to the server failed'))
  socket.addEventListener('close', () => {
    closed.resolve()
    lose('The server closed the connection')
  })
  return {
    /** Sends bytes as they are, and everything else as JSON. */
    send(message: object): void {
      const isFull = socket.bufferedAmount > MAX_UNSENT_MESSAGES * maxMessageBytes
      if (socket.readyState !== socket.OPEN || isFull) return
      socket.send(message instanceof Uint8Array ? message : JSON.stringify(message))
    },
    [Symbol.asyncDispose]: close,
  }
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
