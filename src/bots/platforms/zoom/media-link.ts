import type { TextSocket } from '../../../lib/net/text-socket.ts'
import { doublingDelayMs } from '../../../lib/time/backoff.ts'
import { checkStreamAddress } from './protocol/addresses.ts'
import { describeRefusal, type StreamEnd } from './protocol/end-reasons.ts'
import {
  CONTENT_TYPE_TEXT,
  MEDIA_TYPE_TRANSCRIPT,
  MESSAGE_TYPES,
  type ServerMessage,
} from './protocol/messages.ts'
import { openStreamSocket, signHandshake } from './protocol/stream-socket.ts'
import type { StreamSessionOptions } from './stream-session.ts'
import type { ZoomStream } from './streams.ts'

type Parts = StreamSessionOptions & {
  row: ZoomStream
  /** The handshake is complete. */
  onReady(): void
  onMessage(message: ServerMessage): void
  onLost(why: string, sinceMs: number): void
  end(end: StreamEnd | { kind: 'again'; why: string }): void
  guarded<Values extends unknown[]>(
    step: string,
    act: (...values: Values) => void,
  ): (...values: Values) => void
}

/**
 * The connection that brings the transcript. When it is lost, it is opened again while the signalling connection is
 * kept, as long as Zoom waits for that.
 */
export function createMediaLink(parts: Parts) {
  const { row, timers, timeouts, guarded } = parts
  const closing = new Set<Promise<void>>()
  let serverUrl: string | null = null
  let socket: TextSocket | null = null
  let isOver = false
  let failures = 0
  let lostAt: number | null = null
  let cancelTimer = () => {}

  function close(old: TextSocket | null): void {
    cancelTimer()
    if (old === null) return
    const closed = old[Symbol.asyncDispose]()
    closing.add(closed)
    void closed.finally(() => closing.delete(closed))
  }

  function retry(why: string, sinceMs = 0): void {
    if (isOver) return
    const now = timers.now()
    if (lostAt === null) parts.onLost(why, sinceMs)
    lostAt ??= now - sinceMs
    failures += 1
    const old = socket
    socket = null
    close(old)
    if (now - lostAt >= timeouts.mediaWindowMs) return parts.end({ kind: 'again', why })
    const pauseMs = doublingDelayMs(timeouts.firstRetryMs, failures, timeouts.longestRetryMs)
    cancelTimer = timers.after(pauseMs, guarded('connect media', connect))
  }

  function connect(): void {
    if (isOver || serverUrl === null) return
    const address = checkStreamAddress(serverUrl, parts.addresses)
    if ('problem' in address)
      return parts.end({ kind: 'over', because: 'stream_failed', detail: address.problem })
    const opened = openStreamSocket({
      address,
      timers,
      silenceMs: timeouts.silenceMs,
      onOpen: guarded('media handshake', () => opened.send(createHandshake())),
      onMessage: guarded('read media', (message) => {
        if (socket === opened) read(message)
      }),
      onLost: guarded('media lost', (why, sinceMs) => {
        if (socket === opened) retry(why, sinceMs)
      }),
    })
    socket = opened
    cancelTimer = timers.after(timeouts.handshakeMs, () => retry('Zoom did not answer'))
  }

  function createHandshake(): object {
    const { languageNumber } = parts
    return {
      msg_type: MESSAGE_TYPES.mediaHandshake,
      protocol_version: 1,
      sequence: 1,
      meeting_uuid: row.meetingUuid,
      rtms_stream_id: row.streamId,
      signature: signHandshake(parts.credentials, row),
      media_type: MEDIA_TYPE_TRANSCRIPT,
      payload_encryption: false,
      media_params: {
        transcript: {
          content_type: CONTENT_TYPE_TEXT,
          ...(languageNumber !== null && { src_language: languageNumber }),
          enable_lid: languageNumber === null,
        },
      },
    }
  }

  function read(message: ServerMessage): void {
    if (message.msg_type !== MESSAGE_TYPES.mediaHandshakeResponse) return parts.onMessage(message)
    if (message.status_code === 0) {
      cancelTimer()
      failures = 0
      lostAt = null
      return parts.onReady()
    }
    const refusal = describeRefusal(message.status_code, message.reason)
    if (refusal.kind === 'again') retry(refusal.why)
    else parts.end(refusal)
  }

  return {
    open(url: string): void {
      serverUrl = url
      connect()
    },
    /** Zoom reports that it lost the connection. */
    restart(why: string): void {
      if (socket !== null) retry(why)
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      const old = socket
      socket = null
      close(old)
      await Promise.all(closing)
    },
  }
}
