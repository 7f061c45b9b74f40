import { openTextSocket, type TextSocket } from '../../../../lib/net/text-socket.ts'
import type { Timers } from '../../../../lib/time/clock.ts'
import { MAX_MESSAGE_BYTES, parseServerMessage, type ServerMessage } from './messages.ts'

/** The server expects a ping or another message about this often, and sends one too. */
const PING_MS = 20_000
/** A server that was pinged but has sent nothing for this long is gone. */
const SILENCE_MS = 60_000

/** The bot's WebSocket to a Galène server. Disposing waits until it is closed. */
export type GaleneConnection = TextSocket

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
export function openConnection({ endpoint, onMessage, ...options }: Options): GaleneConnection {
  const socket = openTextSocket({
    ...options,
    url: endpoint,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    silence: {
      checkMs: PING_MS,
      limitMs: SILENCE_MS,
      onCheck: () => socket.send({ type: 'ping' }),
    },
    onText(text) {
      const message = parseServerMessage(text)
      if (message === null) return
      if (message.type === 'ping') socket.send({ type: 'pong' })
      else onMessage(message)
    },
  })
  return socket
}
