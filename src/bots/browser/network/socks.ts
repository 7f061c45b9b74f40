import type { Socket } from 'node:net'

/** The server's side of SOCKS 5 (RFC 1928), as far as Chromium speaks it: no password, connections only. */

export type SocksTarget = { host: string; port: number }

/** How a request ends, in the numbers of the standard. */
export const SOCKS_REPLIES = { open: 0, failed: 1, closed: 2, unreachable: 4, refused: 5 } as const

const VERSION = 5
const NO_PASSWORD = 0
const CONNECT = 1

type ReadBytes = (count: number) => Promise<Buffer>

/** How the host is written, by the number that announces it; a name tells its length first. */
const HOST_READERS: Readonly<Record<number, (take: ReadBytes) => Promise<string>>> = {
  1: async (take) => [...(await take(4))].join('.'),
  3: async (take) => {
    const [length = 0] = await take(1)
    return (await take(length)).toString('latin1').toLowerCase()
  },
  4: async (take) => {
    const bytes = await take(16)
    return Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16)).join(':')
  },
}

/** Greeting and request. Throws when it is something else, which happens to a port that everybody can find. */
export async function readSocksRequest(socket: Socket): Promise<SocksTarget> {
  let read = Buffer.alloc(0)
  const take: ReadBytes = async (count) => {
    while (read.length < count) read = Buffer.concat([read, await readChunk(socket)])
    const taken = read.subarray(0, count)
    read = read.subarray(count)
    return taken
  }
  const [greeting, methods = 0] = await take(2)
  if (greeting !== VERSION) throw new Error('this is not SOCKS 5')
  await take(methods)
  socket.write(Buffer.of(VERSION, NO_PASSWORD))
  const [version, command, , kind = 0] = await take(4)
  const hostOf = HOST_READERS[kind]
  if (version !== VERSION || command !== CONNECT || hostOf === undefined) {
    throw new Error('this is not a SOCKS request for a connection')
  }
  const host = await hostOf(take)
  const port = (await take(2)).readUInt16BE()
  if (read.length > 0) socket.unshift(read)
  return { host, port }
}

export function writeSocksReply(socket: Socket, reply: number): void {
  // The address and port that follow are of no interest to a client that only wants the connection.
  socket.write(Buffer.of(VERSION, reply, 0, 1, 0, 0, 0, 0, 0, 0))
}

/** Whatever comes next. */
async function readChunk(socket: Socket): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read() as Buffer | null
    if (bytes !== null) return bytes
    if (socket.readableEnded || socket.destroyed) throw new Error('the client went away')
    await waitForSocketEvent(socket)
  }
}

function waitForSocketEvent(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const tell = () => {
      for (const event of SOCKET_EVENTS) socket.off(event, tell)
      resolve()
    }
    for (const event of SOCKET_EVENTS) socket.on(event, tell)
  })
}
const SOCKET_EVENTS = ['readable', 'end', 'close'] as const
