import type { Pool } from 'pg'
import { isDoneWithinSteps } from '../../lib/async/deadline.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import { openHeartbeatConnection, type HeartbeatConnection } from './heartbeat-connection.ts'
import { createLostNodes } from './lost-nodes.ts'
import type { NodeRole } from './node-roles.ts'
import {
  deleteDeadNode,
  readOtherNodes,
  upsertHeartbeatRow,
  type PreviousHeartbeat,
} from './node-rows.ts'

/** After this time without an answer the connection counts as stuck, and another one is opened. */
const HEARTBEAT_TIMEOUT = { ms: 5_000, steps: 10 }

export type HeartbeatTimes = {
  /** The time between two looks at the locks of the other nodes. */
  watchMs: number
  /** The time between two heartbeats. */
  beatMs: number
  /** A node is dead when its advisory lock has been free, without a heartbeat, for this long. */
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
  /** Where this node has documents; null until it has announced that. */
  documents(): string | null
  heartbeatTimes?: Partial<HeartbeatTimes>
  onNotification(message: { payload?: string | undefined }): void
  onNodeLost(): void
}

export interface Heartbeats extends AsyncDisposable {
  otherNodes(): number
  /** Time since the last heartbeat was sent that the database has confirmed. */
  ageMs(): number
  /** Resolves when the next heartbeat is written. */
  next(): Promise<void>
}

/** Writes the first heartbeat, and then one after another until it is disposed. Also declares other nodes dead. */
export async function startHeartbeats(parts: Parts): Promise<Heartbeats> {
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
      runInTime,
      onNotification: parts.onNotification,
      onClosed() {
        // The first heartbeat of a node has no connection before it.
        if (previous !== 'none') previous = 'before a lost connection'
        // The lock is free now, so a heartbeat on another connection must come before other nodes notice. A connection
        // that failed to open is tried again only in the next round.
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
    const isDue = performance.now() - beatAt >= times.beatMs - times.watchMs / 2
    if (isDue || previous !== 'on this connection') await beat(current)
    others = await watchLocks(current)
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
    ageMs: () => performance.now() - beatAt,
    next: () => nextBeat.promise,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await looping
      closeConnection()
    },
  }
}

/** Looks at the locks of the other nodes, declares those dead that have lost it, and returns how many others are listed. */
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
      // The pooler, not the node, ends a session and with it the lock. Only missing heartbeats say that a node is dead.
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

/** Closes a connection that does not answer in time. The work on it then fails. */
async function runInTime<T>(work: Promise<T>, close: () => void): Promise<T> {
  if (!(await isDoneWithinSteps(work, HEARTBEAT_TIMEOUT))) close()
  return work
}
