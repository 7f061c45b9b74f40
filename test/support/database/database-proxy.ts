import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'

export type DatabaseProxy = AsyncDisposable & {
  /** Connects to the same database through this proxy. */
  url: string
  /** Breaks all open connections and refuses new ones, as if the server were down. */
  cut(): void
  restore(): void
  /**
   * As after a failover: closes the server's end of all connections. The client's end stays open and receives
   * nothing more. New connections work. Returns the number of lost connections.
   */
  loseServerConnections(): number
  /**
   * As when a cable is unplugged: nothing is forwarded in either direction, and neither side learns of it, not even when
   * the other side closes its connection. New connections get no answer.
   */
  stopForwarding(): void
  /**
   * New connections work. Older ones stay silent, as TCP pauses before it sends again; the server learns which of them
   * were closed.
   */
  resumeForwarding(): void
  /** The server executes the next statement with this text, but the connection breaks before the response arrives. */
  dropResponseTo(text: string): void
}

/** Opens a TCP proxy to a database whose connections a test can break. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  const open = new Map<Socket, Socket>()
  /** Connections of clients on which nothing is forwarded any more. */
  const silent = new Set<Socket>()
  let isForwarding = true
  let isCut = false
  let droppedStatement: string | null = null
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    if (!isForwarding) {
      sockets.add(client)
      return void client.on('error', () => client.destroy()).resume()
    }
    const database = connectToServer(databaseUrl)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    }
    open.set(client, database)
    client.on('close', () => {
      if (!isForwarding) return
      open.delete(client)
      database.destroy()
    })
    database.on('close', () => void (open.has(client) && !silent.has(client) && client.destroy()))
    let dropsResponse = false
    client.on('data', (bytes: Buffer) => {
      if (droppedStatement !== null && bytes.toString('latin1').includes(droppedStatement)) {
        droppedStatement = null
        dropsResponse = true
      }
      if (database.writable && !silent.has(client)) database.write(bytes)
    })
    database.on('data', (bytes: Buffer) => {
      if (silent.has(client)) return
      if (dropsResponse) client.destroy()
      else client.write(bytes)
    })
  })
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: databaseUrl.replace(/@[^/]*\/([^?]*).*$/, `@127.0.0.1:${port}/$1`),
    cut,
    restore() {
      isCut = false
    },
    loseServerConnections() {
      const lost = [...open.values()]
      open.clear()
      for (const database of lost) database.destroy()
      return lost.length
    },
    stopForwarding() {
      isForwarding = false
      for (const client of open.keys()) silent.add(client)
    },
    resumeForwarding() {
      isForwarding = true
      for (const [client, database] of open) {
        if (!client.destroyed) continue
        open.delete(client)
        database.destroy()
      }
    },
    dropResponseTo(text) {
      droppedStatement = text
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}

/** The embedded server has a Unix socket in the folder of the `host` query; an external server has a host and a port. */
function connectToServer(databaseUrl: string): Socket {
  const [, place = '', query = ''] = /@([^/]*)\/[^?]*\??(.*)$/.exec(databaseUrl) ?? []
  const folder = new URLSearchParams(query).get('host')
  if (folder?.startsWith('/')) return connect(join(folder, '.s.PGSQL.5432'))
  const [host = '127.0.0.1', port = '5432'] = place.split(':')
  return connect(Number(port), host)
}
