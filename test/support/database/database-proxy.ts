import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'

export type DatabaseProxy = AsyncDisposable & {
  /** The same database, over this line. */
  url: string
  /** The server is away: what is open breaks, and nobody gets through. */
  cut(): void
  restore(): void
  /**
   * As after a failover: the server's ends of all connections are closed, ours stay open, and nothing comes from
   * there any more. New connections work. Answers how many it were.
   */
  loseServerConnections(): number
  /** The next statement with this text is carried out, and the connection breaks before its answer comes. */
  dropResponseTo(text: string): void
}

/** A line to a database that the test can cut. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  const open = new Map<Socket, Socket>()
  let isCut = false
  let unanswered: string | null = null
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    const database = connectToServer(databaseUrl)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    }
    open.set(client, database)
    client.on('close', () => {
      open.delete(client)
      database.destroy()
    })
    database.on('close', () => void (open.has(client) && client.destroy()))
    let isDeaf = false
    client.on('data', (bytes: Buffer) => {
      if (unanswered !== null && bytes.toString('latin1').includes(unanswered)) {
        unanswered = null
        isDeaf = true
      }
      if (database.writable) database.write(bytes)
    })
    database.on('data', (bytes: Buffer) => void (isDeaf ? client.destroy() : client.write(bytes)))
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
    dropResponseTo(text) {
      unanswered = text
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}

/** Our own server has a socket in a folder, which the query names; an outside one a host and a port. */
function connectToServer(databaseUrl: string): Socket {
  const [, place = '', query = ''] = /@([^/]*)\/[^?]*\??(.*)$/.exec(databaseUrl) ?? []
  const folder = new URLSearchParams(query).get('host')
  if (folder?.startsWith('/')) return connect(join(folder, '.s.PGSQL.5432'))
  const [host = '127.0.0.1', port = '5432'] = place.split(':')
  return connect(Number(port), host)
}
