import type { Socket } from 'node:net'

/** The server side of SOCKS 5 (RFC 1928), with only what Chromium uses: no password, and only CONNECT. */

export type SocksTarget = { host: string; port: number }

/** The SOCKS 5 reply codes that the proxy sends. */
export const SOCKS_REPLY_CODES = {
  open: 0,
  failed: 1,
  closed: 2,
  unreachable: 4,
  refused: 5,
} as const

const VERSION = 5
const NO_PASSWORD = 0
const CONNECT = 1

type ReadBytes = (count: number) => Promise<Buffer>

/** Reads the host by its address type. A domain name starts with its length. */
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

/** Reads the greeting and the request. Throws on anything else, because any program can connect to the port. */
export async function readSocksRequest(socket: Socket): Promise<SocksTarget> {
  let read = Buffer.alloc(0)
  const take: ReadBytes = async (count) => {
    while (read.length < count) read = Buffer.concat([read, await readChunk(socket)])
    const taken = read.subarray(0, count)
    read = read.subarray(count)
    return taken
  }
  const [greeting, methods = 0] = await take(2)
  if (greeting !== VERSION) throw new Error('the client does not speak SOCKS 5')
  await take(methods)
  socket.write(Buffer.of(VERSION, NO_PASSWORD))
  const [version, command, , kind = 0] = await take(4)
  const hostOf = HOST_READERS[kind]
  if (version !== VERSION || command !== CONNECT || hostOf === undefined) {
    throw new Error('the client sent an unsupported SOCKS request')
  }
  const host = await hostOf(take)
  const port = (await take(2)).readUInt16BE()
  if (read.length > 0) socket.unshift(read)
  return { host, port }
}

export function writeSocksReply(socket: Socket, replyCode: number): void {
  // Chromium ignores the bound address and port, so both are zeros.
  socket.write(Buffer.of(VERSION, replyCode, 0, 1, 0, 0, 0, 0, 0, 0))
}

/** Waits for the next bytes from the client. */
async function readChunk(socket: Socket): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read() as Buffer | null
    if (bytes !== null) return bytes
    if (socket.readableEnded || socket.destroyed) throw new Error('the client disconnected')
    await waitForSocketEvent(socket)
  }
}

function waitForSocketEvent(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      for (const event of SOCKET_EVENTS) socket.off(event, finish)
      resolve()
    }
    for (const event of SOCKET_EVENTS) socket.on(event, finish)
  })
}
const SOCKET_EVENTS = ['readable', 'end', 'close'] as const
