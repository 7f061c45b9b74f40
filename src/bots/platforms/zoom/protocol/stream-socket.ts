import { createHmac } from 'node:crypto'
import { openTextSocket, type TextSocket } from '../../../../lib/net/text-socket.ts'
import type { Timers } from '../../../../lib/time/clock.ts'
import type { ZoomStream } from '../streams.ts'
import type { CheckedAddress } from './addresses.ts'
import {
  MAX_MESSAGE_BYTES,
  MESSAGE_TYPES,
  parseServerMessage,
  type ServerMessage,
} from './messages.ts'

/** The credentials of the Zoom app, with which every connection is signed. */
export type ZoomAppCredentials = { clientId: string; clientSecret: string }

type Options = {
  address: Exclude<CheckedAddress, { problem: string }>
  timers: Timers
  /** Zoom asks for a sign of life every 10 s. If it does not for this long, it advises to connect again. */
  silenceMs: number
  /** Called once, as soon as messages can be sent. */
  onOpen(): void
  onMessage(message: ServerMessage): void
  /** Called once, after the connection failed or Zoom closed it. It was lost `sinceMs` ago. */
  onLost(why: string, sinceMs: number): void
}

/** Connects to a server of a stream, and answers its keep-alive requests. */
export function openStreamSocket({
  address,
  silenceMs,
  onMessage,
  ...options
}: Options): TextSocket {
  const socket = openTextSocket({
    ...options,
    ...address,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    silence: { checkMs: Math.max(1, silenceMs / 13), limitMs: silenceMs },
    onText(text) {
      const message = parseServerMessage(text)
      if (message === null) return
      if (message.msg_type === MESSAGE_TYPES.keepAlive)
        socket.send({
          msg_type: MESSAGE_TYPES.keepAliveResponse,
          timestamp: message.timestamp ?? 0,
        })
      onMessage(message)
    },
  })
  return socket
}

/** The signature of a handshake. */
export function signHandshake(
  { clientId, clientSecret }: ZoomAppCredentials,
  { meetingUuid, streamId }: Pick<ZoomStream, 'meetingUuid' | 'streamId'>,
): string {
  return createHmac('sha256', clientSecret)
    .update(`${clientId},${meetingUuid},${streamId}`)
    .digest('hex')
}
