import { once } from 'node:events'
import type { Socket } from 'node:net'

/** The server's side of SOCKS 5 (RFC 1928), as far as Chromium speaks it: no password, connections only. */

export type Target = { host: string; port: number }

/** How a request ends, in the numbers of the standard. */
export const REPLIES = { open: 0, failed: 1, closed: 2, unreachable: 4, refused: 5 } as const

const VERSION = 5
const NO_PASSWORD = 0
const CONNECT = 1

/** How the host is written, and how many bytes that takes; a name says so in its first byte. */
const HOSTS: Readonly<Record<number, { read(socket: Socket): Promise<string> }>> = {
  1: { read: async (socket) => [...(await take(socket, 4))].join('.') },
  3: {
    async read(socket) {
      const [length = 0] = await take(socket, 1)
      return (await take(socket, length)).toString('latin1').toLowerCase()
    },
  },
  4: {
    async read(socket) {
      const bytes = await take(socket, 16)
      return Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16)).join(':')
    },
  },
}

/** The greeting. Throws when it is something else, which happens to a port that everybody can find. */
export async function agree(socket: Socket): Promise<void> {
  const [version, count = 0] = await take(socket, 2)
  if (version !== VERSION || count === 0) throw new Error('this is not SOCKS 5')
  await take(socket, count)
  socket.write(Buffer.of(VERSION, NO_PASSWORD))
}

export async function readTarget(socket: Socket): Promise<Target> {
  const [version, command, , kind = 0] = await take(socket, 4)
  const host = HOSTS[kind]
  if (version !== VERSION || command !== CONNECT || host === undefined) {
    throw new Error('this is not a SOCKS request for a connection')
  }
  return { host: await host.read(socket), port: (await take(socket, 2)).readUInt16BE() }
}

export function answer(socket: Socket, reply: number): void {
  // The address and port that follow are of no interest to a client that only wants the connection.
  socket.write(Buffer.of(VERSION, reply, 0, 1, 0, 0, 0, 0, 0, 0))
}

async function take(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(count) as Buffer | null
    if (bytes?.length === count) return bytes
    if (bytes !== null || socket.readableEnded) throw new Error('the client went away')
    await once(socket, 'readable')
  }
}
