import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { createCameras } from './cameras.ts'
import type { WebSocketEnd } from './web-socket.ts'
import type { Show } from '../show/show.ts'

/** What the server needs from the house behind it. */
export type Hall = {
  /** The show behind an address in any of its shapes. */
  showAt: (address: string) => Show | undefined
  welcome: (address: string, response: ServerResponse) => void
  hear: (body: string, response: ServerResponse) => void
  connect: (guest: string, socket: WebSocketEnd, stream: Duplex) => void
  cameras: ReturnType<typeof createCameras>
  findGuest: (id: string) => ReturnType<Show['audience']['find']>
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
