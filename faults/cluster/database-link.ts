import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The network between a node and the database. */
export type DatabaseLink = AsyncDisposable & {
  port: number
  /** From now on nothing arrives on either side, and no side is notified. */
  drop(): void
  /**
   * New connections work again. Old ones stay silent for as long again as the link was dropped, because TCP waits
   * longer and longer before it sends lost packets again.
   */
  restore(): void
}

type Connection = { client: Socket; server: Socket }

/** A proxy on loopback that forwards to the database and can stop forwarding. */
export async function openDatabaseLink(databasePort: number): Promise<DatabaseLink> {
  const connections = new Set<Connection>()
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  /** Connections that were opened while the link was dropped. */
  const waiting = new Set<Socket>()
  let droppedAt: number | null = null

  const forward = (client: Socket) => {
    const server = connect(databasePort, '127.0.0.1')
    const connection: Connection = { client, server }
    connections.add(connection)
    sockets.add(server.on('close', () => sockets.delete(server)))
    const ends: Array<[Socket, Socket]> = [
      [client, server],
      [server, client],
    ]
    for (const [from, to] of ends) {
      from.on('data', (bytes: Buffer) => void (to.writable && to.write(bytes)))
      from.on('error', () => from.destroy())
      from.on('close', () => {
        connections.delete(connection)
        // What was read before the end is still sent.
        to.end()
      })
    }
  }
  const proxy = createServer({ pauseOnConnect: true }, (client) => {
    sockets.add(client.on('close', () => sockets.delete(client)))
    if (droppedAt === null) {
      forward(client)
      client.resume()
    } else waiting.add(client.on('error', () => client.destroy()))
  })
  const setSilent = ({ client, server }: Connection, isSilent: boolean) => {
    for (const socket of [client, server]) {
      // Unread bytes stay in the buffers of the system, as unacknowledged packets do.
      if (isSilent) socket.pause()
      else socket.resume()
    }
  }
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    drop() {
      droppedAt = performance.now()
      for (const connection of connections) setSilent(connection, true)
    },
    restore() {
      if (droppedAt === null) return
      const silent = [...connections]
      const wakeUp = () => silent.forEach((connection) => setSilent(connection, false))
      timers.add(setTimeout(wakeUp, performance.now() - droppedAt))
      droppedAt = null
      for (const client of waiting) {
        forward(client)
        client.resume()
      }
      waiting.clear()
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
