import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import { isDoneWithinSteps } from '../../lib/async/abort.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import { createDbOnClient } from '../lost-connections.ts'
import type { NodeRole } from './node-roles.ts'
import {
  deleteDeadNode,
  readOtherNodes,
  upsertHeartbeatRow,
  type PreviousHeartbeat,
  type OtherNode,
  NODE_LOCK_CLASS,
} from './node-rows.ts'

/** A connection without an answer for this time is stuck, and another one is opened. */
const HEARTBEAT_TIMEOUT = { ms: 5_000, steps: 10 }

export type HeartbeatTimes = {
  /** The time between two checks of the locks of listed nodes. */
  watchMs: number
  /** The time between two heartbeats. */
  beatMs: number
  /** A node is dead if its advisory lock has been free for this long without a heartbeat. */
  suspectForMs: number
}

const TIMES: HeartbeatTimes = { watchMs: 250, beatMs: 500, suspectForMs: 750 }

type Parts = {
  pool: Pool
  log: Log
  capacity: { bots: number; practiceBots: number }
  roles: readonly NodeRole[]
  hasMasterKey: boolean
  nodeId: string
  /** Where this node keeps its documents. Null until it has announced that. */
  documents(): string | null
  heartbeatTimes?: Partial<HeartbeatTimes>
  onNotification(message: { payload?: string | undefined }): void
  onNodeLost(): void
}

/** The channel for messages to all nodes. */
export const NODE_MESSAGE_CHANNEL = 'hansard'
/** The channel for messages to one node. */
export const channelOfNode = (nodeId: string): string => `${NODE_MESSAGE_CHANNEL} ${nodeId}`

type HeartbeatConnectionParts = {
  pool: Pool
  nodeId: string
  onNotification(message: { payload?: string | undefined }): void
  /** Called once when the connection is lost or closed. */
  onClosed(): void
  /** Runs work on the new connection with a time limit. */
  runInTime<T>(work: Promise<T>, close: () => void): Promise<T>
}

/** Writes heartbeats, the first one before it returns, until it is disposed. Also declares other nodes dead. */
export async function startHeartbeats(parts: Parts) {
  const { pool, log, capacity, nodeId } = parts
  const abilities = { roles: [...parts.roles], has_master_key: parts.hasMasterKey }
  const times = { ...TIMES, ...parts.heartbeatTimes }
  const watchLocks = createLockWatch(parts, times)
  const wakeUp = createWakeableSleep()
  const closing = new AbortController()
  let connection: HeartbeatConnection | null = null
  let previous: PreviousHeartbeat = 'none'
  let others = 0
  let beatAt = -Infinity
  let nextBeat = Promise.withResolvers<void>()

  const connect = async () => {
    const opened = await openHeartbeatConnection({
      pool,
      nodeId,
      runInTime,
      onNotification: parts.onNotification,
      onClosed() {
        // The first heartbeat of a node has no connection before it.
        if (previous !== 'none') previous = 'before a lost connection'
        // The lock is free now, so a heartbeat on another connection must be written before other nodes notice. If a
        // connection failed to open, the next attempt is in the next round.
        if (connection !== null) wakeUp.wake()
      },
    })
    connection = opened
    return opened
  }
  const beat = async ({ db, lockNumber, isOpen }: HeartbeatConnection) => {
    const sentAt = performance.now()
    const { bots, practiceBots: practice_bots } = capacity
    const documents = parts.documents()
    const row = { id: nodeId, lock_number: lockNumber, bots, practice_bots, documents }
    await upsertHeartbeatRow(db, { ...row, ...abilities }, previous)
    // The connection may have been lost again while the heartbeat was written.
    if (isOpen()) previous = 'on this connection'
    beatAt = sentAt
    nextBeat.resolve()
    nextBeat = Promise.withResolvers()
  }
  const beatAndWatch = async (current: HeartbeatConnection) => {
    const isDue =
      performance.now() - beatAt >= times.beatMs - times.watchMs / 2 ||
      previous !== 'on this connection'
    if (isDue) await beat(current)
    // While no other node is listed, a new one is noticed soon enough with the next heartbeat.
    if (isDue || others > 0) others = await watchLocks(current)
  }
  const round = async () => {
    if (!connection?.isOpen()) connection = null
    const current = connection ?? (await connect())
    await runInTime(beatAndWatch(current), current.close)
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      try {
        await round()
      } catch (error) {
        if (!closing.signal.aborted)
          log.error({ err: error }, 'failed to write the heartbeat or read those of other nodes')
      }
      await wakeUp.sleep(times.watchMs)
    }
  }

  const closeConnection = () => connection?.close()
  try {
    await round()
  } catch (error) {
    closeConnection()
    throw error
  }
  const looping = loop()
  return {
    otherNodes: () => others,
    /** Time since the last confirmed heartbeat was sent. */
    ageMs: () => performance.now() - beatAt,
    /** Resolves when the next heartbeat is written. */
    next: () => nextBeat.promise,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await looping
      closeConnection()
    },
  }
}

export type Heartbeats = Awaited<ReturnType<typeof startHeartbeats>>

/** Checks the other nodes' locks and declares nodes dead that have lost theirs. Returns how many others are listed. */
function createLockWatch(
  { log, nodeId, onNodeLost }: Pick<Parts, 'log' | 'nodeId' | 'onNodeLost'>,
  { suspectForMs }: HeartbeatTimes,
) {
  const lostNodes = createLostNodes(suspectForMs)
  let isPoolerReported = false
  return async ({ db, sessionId }: HeartbeatConnection): Promise<number> => {
    const found = await readOtherNodes(db, nodeId)
    const { unlocked, gone } = lostNodes.update(found.nodes, performance.now())
    if (gone.length > 0) onNodeLost()
    if (found.sessionId !== sessionId) {
      // The pooler, not the node, ends a session and frees its lock. Only missing heartbeats show that a node is dead.
      if (!isPoolerReported)
        log.error(
          'a connection pooler shares sessions between statements: crashed nodes are detected only after 15 s; connect to PostgreSQL directly or through a pooler in session mode',
        )
      isPoolerReported = true
      return found.nodes.length
    }
    for (const { id, beatAt } of unlocked) {
      if (!(await deleteDeadNode(db, nodeId, id, beatAt))) continue
      log.warn({ nodeId: id }, 'another node died')
      onNodeLost()
    }
    return found.nodes.length
  }
}

/** Closes a connection that does not answer in time, so the work on it fails. */
async function runInTime<T>(work: Promise<T>, close: () => void): Promise<T> {
  if (!(await isDoneWithinSteps(work, HEARTBEAT_TIMEOUT))) close()
  return work
}

/**
 * `suspectForMs` is the time that a node gets after its connection broke. It is longer than the time between two
 * heartbeats, so that only a node that does not run, or can't reach the database, is lost.
 */
export function createLostNodes(suspectForMs: number) {
  let listed = new Set<string>()
  let suspects = new Map<string, { beatMs: number; sinceMs: number }>()
  return {
    /** `unlocked`: nodes whose lock was free for too long without a heartbeat. `gone`: nodes no longer listed. */
    update(others: readonly OtherNode[], nowMs: number): { unlocked: OtherNode[]; gone: string[] } {
      const before = { listed, suspects }
      listed = new Set(others.map(({ id }) => id))
      suspects = new Map()
      const unlocked = others.filter(({ id, beatAt, isLocked }) => {
        if (isLocked) return false
        const known = before.suspects.get(id)
        const beatMs = beatAt.getTime()
        const sinceMs = known?.beatMs === beatMs ? known.sinceMs : nowMs
        suspects.set(id, { beatMs, sinceMs })
        return nowMs - sinceMs >= suspectForMs
      })
      return { unlocked, gone: [...before.listed].filter((id) => !listed.has(id)) }
    },
  }
}

/**
 * The database connection of a node. It holds the node's advisory lock, receives messages from other nodes and writes
 * the heartbeats, so a heartbeat proves that the lock is held.
 */
async function openHeartbeatConnection(parts: HeartbeatConnectionParts) {
  const client = await parts.pool.connect()
  // The server may still hold the lock of a connection that was lost silently, so each connection has its own lock.
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
    await client.query(`listen ${NODE_MESSAGE_CHANNEL}; listen "${channelOfNode(parts.nodeId)}"`)
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
  return {
    db,
    lockNumber /** The process id of the session that took the lock. */,
    sessionId,
    isOpen: () => isOpen /** Closes the connection at once, without waiting for the server. */,
    close,
  }
}

type HeartbeatConnection = Awaited<ReturnType<typeof openHeartbeatConnection>>
