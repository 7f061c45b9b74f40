import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Client } from 'pg'

export type DatabaseWire = AsyncDisposable & {
  url: string
  /**
   * As after a failover: the server's ends of all connections are closed, ours stay open, and nothing comes from
   * there any more. New connections work. Answers how many it were.
   */
  forget(): number
}

/** A network between a service and its database. */
export async function openDatabaseWire(url: string): Promise<DatabaseWire> {
  const { host, port, user, database } = new Client({ connectionString: url })
  const password = new URL(url.replace('@/', '@local/')).password
  const wires = new Map<Socket, Socket>()
  const forgotten = new Set<Socket>()
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    wires.set(near, far)
    const end = () => {
      wires.delete(near)
      near.destroy()
      far.destroy()
    }
    near.on('error', end).on('close', end)
    far.on('error', end).on('close', () => !forgotten.has(near) && end())
    near.on('data', (bytes) => far.writable && far.write(bytes))
    far.on('data', (bytes) => near.write(bytes))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `postgres://${user}:${password}@${place}/${database}`,
    forget() {
      const lost = [...wires]
      for (const [near, far] of lost) {
        forgotten.add(near)
        far.destroy()
      }
      return lost.length
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const near of wires.keys()) near.destroy()
      await once(server, 'close')
    },
  }
}
