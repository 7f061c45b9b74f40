import type { Socket } from 'node:net'
import type * as Undici from 'undici'
import { runOnce } from '../../../../lib/async/sharing.ts'
import { lazyRequire } from '../../../../lib/lazy-require.ts'
import type { Timers } from '../../../../lib/time/clock.ts'
import { MAX_MESSAGE_BYTES, parseServerMessage, type ServerMessage } from './messages.ts'

/** undici is loaded with the first request, not at startup. */
const undici = lazyRequire('undici') as () => typeof Undici

/** The server expects a ping or another message about this often, and sends one too. */
const PING_MS = 20_000
/** A server that was pinged but has sent nothing for this long is gone. */
const SILENCE_MS = 60_000
/** A server sends fewer messages even for a large group. One that sends more is broken or hostile. */
const MAX_MESSAGES_PER_SECOND = 10_000
/** How long the server may take to answer when the bot closes the connection. */
const CLOSE_MS = 2_000
/** If more than this waits to be sent, the server does not read, and messages are dropped. */
const MAX_UNSENT_BYTES = 4 * MAX_MESSAGE_BYTES

/** The bot's WebSocket to a Galène server. Disposing waits until it is closed. */
export type GaleneConnection = ReturnType<typeof openConnection>

type Options = {
  endpoint: URL
  timers: Timers
  /** Called once, as soon as messages can be sent. */
  onOpen(): void
  onMessage(message: ServerMessage): void
  /** Called once, after the connection failed or the server closed it. It was lost `sinceMs` ago. */
  onLost(why: string, sinceMs: number): void
}

/** Connects to the server and answers its pings. */
export function openConnection(options: Options) {
  const { endpoint, timers, onMessage } = options
  const { WebSocket, Agent, buildConnector } = undici()
  const connect = buildConnector({ allowH2: false })
  const tcpSockets = new Set<Socket>()
  const dispatcher = new Agent({
    webSocket: { maxPayloadSize: MAX_MESSAGE_BYTES },
    connect: (target, done) =>
      connect(target, (...result) => {
        if (result[1] !== null) tcpSockets.add(result[1])
        done(...result)
      }),
  })
  const socket = new WebSocket(endpoint, { dispatcher })
  let receivedAt = timers.now()
  let second = 0
  let messagesInSecond = 0
  let isOver = false
  let cancelPing = timers.after(PING_MS, ping)
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

  function send(message: object): void {
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount > MAX_UNSENT_BYTES) return
    socket.send(JSON.stringify(message))
  }
  function ping(): void {
    const silentMs = timers.now() - receivedAt
    if (silentMs >= SILENCE_MS) return lose('The server stopped answering', silentMs)
    send({ type: 'ping' })
    cancelPing = timers.after(PING_MS, ping)
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
    const message = typeof data === 'string' ? parseServerMessage(data) : null
    if (message === null || isOver) return
    if (message.type === 'ping') send({ type: 'pong' })
    else onMessage(message)
  })
  socket.addEventListener('error', () => lose('The connection to the server failed'))
  socket.addEventListener('close', () => {
    closed.resolve()
    lose('The server closed the connection')
  })
  return { send, [Symbol.asyncDispose]: close }
}
