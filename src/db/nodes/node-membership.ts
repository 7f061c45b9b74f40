import { sql } from 'kysely'
import type { Pool } from 'pg'
import { ServiceError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { newId } from '../../lib/crypto/random.ts'
import { isDoneWithinSteps } from '../../lib/async/deadline.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import type { Db, Tx } from '../database.ts'
import {
  NODE_MESSAGE_CHANNEL,
  openHeartbeatConnection,
  type HeartbeatConnection,
} from './heartbeat-connection.ts'
import {
  decodeNodeMessage,
  encodeNodeMessage,
  type NodeMessageData,
  type NodeMessageKind,
} from './node-messages.ts'
import {
  countOtherNodes,
  deleteDeadNode,
  deleteOldDeadNodes,
  findUnlockedNodes,
  moveToDeadNodes,
  setDocumentsOfNode,
  upsertHeartbeatRow,
  type PreviousHeartbeat,
} from './node-rows.ts'

const HEARTBEAT_INTERVAL_MS = 500
/** After this time without an answer the connection counts as stuck, and another one is opened. */
const HEARTBEAT_TIMEOUT = { ms: 5_000, steps: 10 }
/** A node whose last heartbeat is older than this accepts and claims nothing. Other nodes wait longer to declare it dead. */
const FRESH_FOR_MS = 5_000
/** How long a request waits for a late heartbeat. */
const LATE_HEARTBEAT_WAIT = { ms: 2_000, steps: 4 }
const RETRY_AFTER_SECONDS = 2
/** A node is dead when its advisory lock has been free, without a heartbeat, for this long. */
const SUSPECT_FOR_MS = 1_000
/** PostgreSQL limits a notification to 8,000 bytes. */
const MAX_BROADCAST_BYTES = 7_900

/** Knows which nodes of the instance are alive, and sends messages between them. */
export interface NodeMembership extends AsyncDisposable {
  readonly nodeId: string
  /** Whether no other node was listed at the last heartbeat. */
  isOnlyNode(): boolean
  /** Whether this node has written a heartbeat recently. Without one it claims nothing, because it would lose it at once. */
  hasFreshHeartbeat(): boolean
  /** Throws `database_unavailable` when this node has no fresh heartbeat and does not get one soon. */
  requireFreshHeartbeat(): Promise<void>
  /** Time since the last heartbeat that was written, in milliseconds. */
  heartbeatAgeMs(): number
  /** Stores where this node has documents, for nodes that start later. */
  announceDocuments(tx: Tx, documents: string): Promise<void>
  /** Sends a message to every other node, at most once and without a guarantee. */
  broadcast<Kind extends NodeMessageKind>(kind: Kind, data: NodeMessageData<Kind>): void
  onMessage<Kind extends NodeMessageKind>(
    kind: Kind,
    listener: (data: NodeMessageData<Kind>) => void,
  ): void
  /** Called when another node died and its leases can be claimed. */
  onNodeLost(listener: () => void): void
}

type Parts = {
  db: Db
  pool: Pool
  log: Log
  capacity: { bots: number; practiceBots: number }
  /** True for an embedded database, which only one process can use: every listed node is a dead one. */
  ownsDatabase: boolean
}

export async function openNodeMembership(parts: Parts): Promise<NodeMembership> {
  const { db, pool, log, ownsDatabase } = parts
  const nodeId = newId('node')
  const messageListeners = new Map<NodeMessageKind, Array<(data: never) => void>>()
  const nodeLostListeners: Array<() => void> = []
  const onNotification = ({ payload = '' }: { payload?: string | undefined }) => {
    const message = decodeNodeMessage(payload)
    if (message === null) return log.warn('ignored an unknown message from another node')
    if (message.from === nodeId) return
    for (const listener of messageListeners.get(message.kind) ?? []) listener(message.data)
  }
  const onNodeLost = () => nodeLostListeners.forEach((listener) => listener())
  let announced: string | null = null

  await deleteOldDeadNodes(db)
  if (ownsDatabase) await moveToDeadNodes(db, sql`true`)
  const heartbeats = await startHeartbeats({
    ...parts,
    nodeId,
    documents: () => announced,
    onNotification,
    onNodeLost,
  })

  return {
    nodeId,
    isOnlyNode: () => heartbeats.otherNodes() === 0,
    hasFreshHeartbeat: () => heartbeats.ageMs() < FRESH_FOR_MS,
    heartbeatAgeMs: heartbeats.ageMs,
    async requireFreshHeartbeat() {
      if (heartbeats.ageMs() < FRESH_FOR_MS) return
      // After a pause of this process the heartbeat is only late, and comes now.
      if (await isDoneWithinSteps(heartbeats.next(), LATE_HEARTBEAT_WAIT)) return
      throw new ServiceError('database_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    },
    async announceDocuments(tx, documents) {
      await setDocumentsOfNode(tx, nodeId, documents)
      // Also for a row that is inserted again after other nodes declared this one dead.
      announced = documents
    },
    broadcast(kind, data) {
      if (heartbeats.otherNodes() === 0) return
      const text = encodeNodeMessage(nodeId, kind, data)
      // A message that is too long is dropped: every receiver also reads the database.
      if (Buffer.byteLength(text) > MAX_BROADCAST_BYTES) return
      pool
        .query('select pg_notify($1, $2)', [NODE_MESSAGE_CHANNEL, text])
        .catch((error: unknown) => {
          log.warn({ err: error, kind }, 'failed to send a message to other nodes')
        })
    },
    onMessage(kind, listener) {
      messageListeners.set(kind, [...(messageListeners.get(kind) ?? []), listener])
    },
    onNodeLost: (listener) => void nodeLostListeners.push(listener),
    async [Symbol.asyncDispose]() {
      await heartbeats[Symbol.asyncDispose]()
      await db.deleteFrom('node').where('id', '=', nodeId).execute()
    },
  }
}

type HeartbeatParts = Pick<Parts, 'pool' | 'log' | 'capacity'> & {
  nodeId: string
  documents(): string | null
  onNotification(message: { payload?: string | undefined }): void
  onNodeLost(): void
}

interface Heartbeats extends AsyncDisposable {
  otherNodes(): number
  /** Time since the last heartbeat was sent that the database has confirmed. */
  ageMs(): number
  /** Resolves when the next heartbeat is written. */
  next(): Promise<void>
}

/** Writes the first heartbeat, and then one after another until it is disposed. Also declares other nodes dead. */
async function startHeartbeats(parts: HeartbeatParts): Promise<Heartbeats> {
  const { pool, log, capacity, nodeId } = parts
  const suspects = createSuspects()
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
      },
    })
    connection = opened
    return opened
  }
  const beat = async ({ db, lockNumber, isOpen }: HeartbeatConnection) => {
    const sentAt = performance.now()
    const { bots, practiceBots: practice_bots } = capacity
    await upsertHeartbeatRow(
      db,
      { id: nodeId, lock_number: lockNumber, bots, practice_bots, documents: parts.documents() },
      previous,
    )
    // The connection may have been lost again while the heartbeat was written.
    if (isOpen()) previous = 'on this connection'
    beatAt = sentAt
    nextBeat.resolve()
    nextBeat = Promise.withResolvers()
    others = await countOtherNodes(db, nodeId)
    for (const { id, beat_at } of suspects.update(await findUnlockedNodes(db))) {
      if (!(await deleteDeadNode(db, nodeId, id, beat_at))) continue
      suspects.remove(id)
      log.warn({ nodeId: id }, 'another node died')
      parts.onNodeLost()
    }
  }
  const round = async () => {
    const current = connection?.isOpen() ? connection : await connect()
    await runInTime(beat(current), current.close)
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      try {
        await round()
      } catch (error) {
        if (!closing.signal.aborted)
          log.error({ err: error }, 'failed to write the heartbeat or read those of other nodes')
      }
      await wakeUp.sleep(HEARTBEAT_INTERVAL_MS)
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

/** Closes a connection that does not answer in time. The work on it then fails. */
async function runInTime<T>(work: Promise<T>, close: () => void): Promise<T> {
  if (!(await isDoneWithinSteps(work, HEARTBEAT_TIMEOUT))) close()
  return work
}

/** Nodes whose advisory lock is free. */
function createSuspects() {
  const suspects = new Map<string, { beatAt: number; since: number }>()
  return {
    /** Returns the nodes whose lock has been free for long enough without a heartbeat. */
    update(unlocked: ReadonlyArray<{ id: string; beat_at: Date }>) {
      const now = performance.now()
      for (const id of suspects.keys())
        if (!unlocked.some((row) => row.id === id)) suspects.delete(id)
      return unlocked.filter(({ id, beat_at }) => {
        const known = suspects.get(id)
        if (known?.beatAt === beat_at.getTime()) return now - known.since >= SUSPECT_FOR_MS
        suspects.set(id, { beatAt: beat_at.getTime(), since: now })
        return false
      })
    },
    remove: (id: string) => void suspects.delete(id),
  }
}
