import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import { createDbOnClient } from '../connections/db-on-connections.ts'
import type { Db } from '../database.ts'
import { NODE_LOCK_CLASS } from './node-rows.ts'

/**
 * The database connection of a node. It holds the advisory lock of the node, receives the messages of other nodes and
 * writes the heartbeats, so that a heartbeat proves that the lock is held.
 */
export interface HeartbeatConnection {
  db: Db
  lockNumber: number
  /** The process id of the session that took the lock. */
  sessionId: number
  isOpen(): boolean
  /** Closes the connection at once, without waiting for the server. */
  close(): void
}

export const NODE_MESSAGE_CHANNEL = 'hansard'

type Parts = {
  pool: Pool
  onNotification(message: { payload?: string | undefined }): void
  /** Called once, when the connection is lost or closed. */
  onClosed(): void
  /** Runs work on the new connection with a time limit. */
  runInTime<T>(work: Promise<T>, close: () => void): Promise<T>
}

export async function openHeartbeatConnection(parts: Parts): Promise<HeartbeatConnection> {
  const client = await parts.pool.connect()
  // The server may still hold the lock of a connection that was lost on the way, so each has a lock of its own.
  const lockNumber = randomInt(1, 2 ** 31)
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    client.release(true)
    parts.onClosed()
  }
  client.on('error', close)
  client.on('end', close)
  const lockAndListen = async () => {
    const { rows } = await client.query<{ sessionId: number }>(
      'select pg_advisory_lock($1, $2), pg_backend_pid() as "sessionId"',
      [NODE_LOCK_CLASS, lockNumber],
    )
    await client.query(`listen ${NODE_MESSAGE_CHANNEL}`)
    return rows[0]?.sessionId ?? 0
  }
  let sessionId: number
  try {
    sessionId = await parts.runInTime(lockAndListen(), close)
  } catch (error) {
    close()
    throw error
  }
  client.on('notification', parts.onNotification)
  const db = createDbOnClient(client, parts.pool.options)
  return { db, lockNumber, sessionId, isOpen: () => isOpen, close }
}
