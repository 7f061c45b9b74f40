import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** What becomes of one connection: the bytes of the service that get through before it is cut; null: all. */
export type CutAfterBytes = (connection: number) => number | null

export type FlakyProxy = AsyncDisposable & {
  url: string
  connections(): number
  /** All that the service has said so far. */
  receivedText(): string
  /** Breaks what is open now. */
  cut(): void
}

/** A wire to a service on loopback that breaks where the test wants it to. */
export async function openFlakyProxy(port: number, fate: CutAfterBytes): Promise<FlakyProxy> {
  const sockets = new Set<Socket>()
  let count = 0
  let heard = ''
  const cut = () => sockets.forEach((socket) => socket.destroy())
  const server = createServer((client) => {
    count += 1
    let left = fate(count)
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
      // Cut only once the last bytes are on their way.
      client.write(passed, () => {
        if (left === 0) end()
      })
      heard += passed.toString('latin1')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    receivedText: () => heard,
    cut,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
