import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** For the n-th connection: the number of bytes from the service after which it is cut. Null: never. */
export type CutAfterBytes = (connection: number) => number | null

export type FlakyProxy = AsyncDisposable & {
  url: string
  connections(): number
  /** All bytes that the service has sent so far. */
  receivedText(): string
  /** Breaks all open connections. */
  cut(): void
}

/** Opens a TCP proxy to a service on loopback. It cuts connections where the test says. */
export async function openFlakyProxy(port: number, cutAfter: CutAfterBytes): Promise<FlakyProxy> {
  const sockets = new Set<Socket>()
  let count = 0
  let received = ''
  const cut = () => sockets.forEach((socket) => socket.destroy())
  const server = createServer((client) => {
    count += 1
    let left = cutAfter(count)
    const service = connect(port, '127.0.0.1')
    const end = () => {
      client.destroy()
      service.destroy()
    }
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.pipe(service)
    service.on('data', (bytes: Buffer) => {
      const passed = left === null ? bytes : bytes.subarray(0, left)
      if (left !== null) left -= passed.length
      // Cuts only after the last bytes are sent.
      client.write(passed, () => {
        if (left === 0) end()
      })
      received += passed.toString('latin1')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    receivedText: () => received,
    cut,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
