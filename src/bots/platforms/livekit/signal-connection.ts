import { openTextSocket, type TextSocket } from '../../../lib/net/text-socket.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import { clientSignals, parseServerSignal, type ServerSignal } from './signals.ts'

/** The bot's connection for signals. When it is lost, it is resumed while sound goes on. */
export type SignalConnection = ReturnType<typeof openSignalConnection>

/** The version of the signals that the bot speaks. Later ones can move participants to other rooms. */
const PROTOCOL = '15'
const SILENCE = { checkMs: 5_000, limitMs: 15_000 }
const MAX_MESSAGE_BYTES = 1_024 * 1_024
/** How long the server may take for its first message. */
const FIRST_MESSAGE_MS = 10_000
/** Pauses before each attempt to resume. The server forgets a participant after about twenty seconds. */
const RESUME_PAUSES_MS = [0, 300, 1_000, 2_000, 4_000, 6_000]

type Options = {
  /** The address of the server, with `ws` or `wss`. */
  server: URL
  token: string
  timers: Timers
  guarded<Values extends unknown[]>(
    step: string,
    act: (...values: Values) => void,
  ): (...values: Values) => void
  onSignal(signal: ServerSignal): void
  /** The connection is lost and could not be resumed. */
  onLost(why: string): void
}

export function openSignalConnection(options: Options) {
  const { server, timers, guarded } = options
  const sockets = new Set<TextSocket>()
  let socket: TextSocket | null = null
  let token = options.token
  /** The id of the bot's stay in the room; null until it has joined. */
  let sid: string | null = null
  let attempt = 0
  let isOver = false
  let cancelTimer = () => {}

  function open(): void {
    const endpoint = new URL(`${server.pathname.replace(/\/$/, '')}/rtc`, server)
    const query = {
      auto_subscribe: '0',
      protocol: PROTOCOL,
      ...(sid !== null && { reconnect: '1', sid }),
    }
    endpoint.search = new URLSearchParams(query).toString()
    const opened = openTextSocket({
      url: endpoint,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      // In the URL, the token would be in the log of a proxy.
      headers: { authorization: `Bearer ${token}` },
      timers,
      silence: {
        ...SILENCE,
        onCheck: () => opened.send(clientSignals.ping(timers.now())),
      },
      onOpen: () => undefined,
      onBytes: guarded('read signal', (bytes) => {
        const signal = parseServerSignal(bytes)
        if (signal !== null && opened === socket) read(signal)
      }),
      onLost: guarded('resume', (why) => {
        if (opened === socket) resume(why)
      }),
    })
    sockets.add(opened)
    socket = opened
    cancelTimer = timers.after(
      FIRST_MESSAGE_MS,
      guarded('resume', () => resume('The server sent nothing')),
    )
  }
  function read(signal: ServerSignal): void {
    cancelTimer()
    if (signal.type === 'join') sid = signal.self.sid
    if (signal.type === 'new token') token = signal.token
    if (signal.type === 'resumed') attempt = 0
    options.onSignal(signal)
  }
  /** Connects again for the same stay in the room. */
  function resume(why: string): void {
    if (isOver) return
    cancelTimer()
    const lost = socket
    socket = null
    if (lost !== null) void lost[Symbol.asyncDispose]().then(() => sockets.delete(lost))
    const pauseMs = RESUME_PAUSES_MS[attempt]
    if (sid === null || pauseMs === undefined) return options.onLost(why)
    attempt += 1
    cancelTimer = timers.after(pauseMs, guarded('resume', open))
  }

  open()
  return {
    send: (signal: Uint8Array) => socket?.send(signal),
    resume,
    async [Symbol.asyncDispose]() {
      isOver = true
      cancelTimer()
      await Promise.all([...sockets].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}
