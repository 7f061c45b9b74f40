import { Socket } from 'node:net'

/** The sockets of a connection pool, also of connections that are not established yet, which the pool does not show. */
export interface PoolSockets {
  create(): Socket
  /** Destroys the sockets that were created before this time and match; returns their number. */
  destroyOlderThan(monotonicMs: number, matches?: (socket: Socket) => boolean): number
}

export function createPoolSockets(): PoolSockets {
  const createdAt = new Map<Socket, number>()
  return {
    create() {
      const socket = new Socket()
      createdAt.set(socket, performance.now())
      socket.once('close', () => createdAt.delete(socket))
      return socket
    },
    destroyOlderThan(monotonicMs, matches = () => true) {
      const old = [...createdAt].flatMap(([socket, at]) =>
        at < monotonicMs && matches(socket) ? [socket] : [],
      )
      for (const socket of old) socket.destroy()
      return old.length
    },
  }
}
