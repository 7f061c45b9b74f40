import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { createCameraRelay } from './camera-relay.ts'
import type { WebSocketConnection } from './web-socket.ts'
import type { StagedMeeting } from '../meeting/staged-meeting.ts'

/** What the server needs from the house behind it. */
export type StageBackend = {
  /** The show behind an address in any of its shapes. */
  findMeeting: (address: string) => StagedMeeting | undefined
  connectPage: (address: string, response: ServerResponse) => void
  receiveReport: (body: string, response: ServerResponse) => void
  attachSocket: (guest: string, socket: WebSocketConnection, stream: Duplex) => void
  cameras: ReturnType<typeof createCameraRelay>
  findPage: (id: string) => ReturnType<StagedMeeting['audience']['find']>
}

export async function readRequestBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
