import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'

export type DatabaseProxy = AsyncDisposable & {
  /** Connects to the same database, but through this proxy. */
  url: string
  port: number
  /** Breaks all open connections and refuses new ones, as if the server were down. */
  cut(): void
  restore(): void
  /**
   * Acts like a failover: closes the server's end of all connections. The client's end stays open but receives nothing
   * more. New connections work. Returns the number of lost connections.
   */
  loseServerConnections(): number
  /** Stops forwarding on the open connections, without either side noticing. New connections work. */
  silenceOpenConnections(): void
  /**
   * Acts like an unplugged cable: nothing is forwarded in either direction. Neither side notices, even if the other
   * side closes its connection. New connections get no answer.
   */
  stopForwarding(): void
  /**
   * New connections work, and those opened in the meantime get their answer. Older ones stay silent for the same time
   * again, because TCP waits longer and longer before it resends lost packets.
   */
  resumeForwarding(): void
  /** Resolves when a client has connected to the proxy while nothing was forwarded. */
  waitForConnection(): Promise<void>
  /** The server executes the next statement with this text, but the connection breaks before the response arrives. */
  dropResponseTo(text: string): void
}

type Connection = { client: Socket; database: Socket; isServerLost: boolean }

/** Opens a TCP proxy to a database. A test can break its connections. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { connections, sockets, track, forward, dropResponseTo } = createForwarder(databaseUrl)
  /** Connections that were opened while nothing was forwarded. */
  const waiting = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  let stoppedAt: number | null = null
  let isCut = false
  const server = createServer({ pauseOnConnect: true }, (client) => {
    if (isCut) return void client.destroy()
    track(client)
    if (stoppedAt === null) forward(client)
    else waiting.add(client)
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
    port,
    cut,
    restore() {
      isCut = false
    },
    loseServerConnections() {
      const lost = [...connections]
      for (const connection of lost) loseServer(connection)
      return lost.length
    },
    silenceOpenConnections() {
      for (const connection of connections) setSilent(connection, true)
      connections.clear()
    },
    stopForwarding() {
      stoppedAt = performance.now()
      for (const timer of timers) clearTimeout(timer)
      for (const connection of connections) setSilent(connection, true)
    },
    resumeForwarding() {
      if (stoppedAt === null) return
      const silent = [...connections]
      const wakeUp = () => silent.forEach((connection) => setSilent(connection, false))
      timers.add(setTimeout(wakeUp, performance.now() - stoppedAt))
      stoppedAt = null
      for (const client of waiting) forward(client)
      waiting.clear()
    },
    async waitForConnection() {
      while (waiting.size === 0) await once(server, 'connection')
    },
    dropResponseTo,
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearTimeout(timer)
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}

/** Connects clients to the database, and tracks all open connections. */
function createForwarder(databaseUrl: string) {
  const connections = new Set<Connection>()
  const sockets = new Set<Socket>()
  let droppedStatement: string | null = null
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const closeOtherEnd = (connection: Connection, other: Socket) => {
    connections.delete(connection)
    // Bytes read before the end are still sent.
    if (!connection.isServerLost) other.end()
  }
  const forward = (client: Socket) => {
    const database = connectToServer(databaseUrl)
    track(database)
    const connection: Connection = { client, database, isServerLost: false }
    connections.add(connection)
    let dropsResponse = false
    client.on('data', (bytes: Buffer) => {
      if (droppedStatement !== null && bytes.toString('latin1').includes(droppedStatement)) {
        droppedStatement = null
        dropsResponse = true
      }
      if (database.writable) database.write(bytes)
    })
    database.on('data', (bytes: Buffer) => {
      if (dropsResponse) client.destroy()
      else if (client.writable) client.write(bytes)
    })
    client.on('close', () => closeOtherEnd(connection, database))
    database.on('close', () => closeOtherEnd(connection, client))
    client.resume()
  }
  const dropResponseTo = (text: string) => {
    droppedStatement = text
  }
  return { connections, sockets, track, forward, dropResponseTo }
}

/** Closes only the server's end. */
function loseServer(connection: Connection): void {
  connection.isServerLost = true
  connection.database.destroy()
}

/** Unread bytes stay in the system's buffers, like unacknowledged packets. */
function setSilent({ client, database }: Connection, isSilent: boolean): void {
  for (const socket of [client, database]) {
    if (isSilent) socket.pause()
    else socket.resume()
  }
}

/** The embedded server has a Unix socket in the folder of the `host` query. An external one has a host and a port. */
function connectToServer(databaseUrl: string): Socket {
  const [, place = '', query = ''] = /@([^/]*)\/[^?]*\??(.*)$/.exec(databaseUrl) ?? []
  const folder = new URLSearchParams(query).get('host')
  if (folder?.startsWith('/')) return connect(join(folder, '.s.PGSQL.5432'))
  const [host = '127.0.0.1', port = '5432'] = place.split(':')
  return connect(Number(port), host)
}
