import { sql } from 'kysely'
import type { Pool } from 'pg'
import { ServiceError } from '../../errors.ts'
import { isDoneWithinSteps } from '../../lib/async/abort.ts'
import { newId } from '../../lib/crypto.ts'
import type { Log } from '../../log.ts'
import type { Db, Tx } from '../database.ts'
import {
  channelOfNode,
  NODE_MESSAGE_CHANNEL,
  startHeartbeats,
  type HeartbeatTimes,
} from './heartbeats.ts'
import {
  createMessageOutbox,
  splitMessages,
  decodeNodeMessage,
  encodeNodeMessage,
  type MessageOutbox,
  type NodeMessageData,
  type NodeMessageKind,
} from './node-messages.ts'
import { NODE_ROLES, type NodeRole } from './node-roles.ts'
import { deleteOldDeadNodes, moveToDeadNodes, setDocumentsOfNode } from './node-rows.ts'

/** A node with an older heartbeat accepts and claims nothing. Other nodes wait longer before they declare it dead. */
const FRESH_FOR_MS = 5_000
/** How long a request waits for a late heartbeat. */
const LATE_HEARTBEAT_WAIT = { ms: 2_000, steps: 4 }
const RETRY_AFTER_SECONDS = 2

/** Knows which nodes of the instance are alive, and sends messages between them. */
export interface NodeMembership extends AsyncDisposable {
  readonly nodeId: string
  hasRole(role: NodeRole): boolean
  /** True if this node can decrypt stored secrets. */
  readonly hasMasterKey: boolean
  /** True if no other node was listed at the last heartbeat. */
  isOnlyNode(): boolean
  /** True if this node wrote a heartbeat recently. Otherwise it claims nothing, because it would lose it at once. */
  hasFreshHeartbeat(): boolean
  /** Throws `database_unavailable` if this node has no fresh heartbeat and does not get one soon. */
  requireFreshHeartbeat(): Promise<void>
  /** Milliseconds since the last heartbeat that was written. */
  heartbeatAgeMs(): number
  /** Stores where this node keeps its documents, for nodes that start later. */
  announceDocuments(tx: Tx, documents: string): Promise<void>
  /** Sends a message to every other node, at most once and without a guarantee. */
  broadcast<Kind extends NodeMessageKind>(kind: Kind, data: NodeMessageData<Kind>): void
  /** Sends a message to one other node, at most once and without a guarantee. */
  send<Kind extends NodeMessageKind>(nodeId: string, kind: Kind, data: NodeMessageData<Kind>): void
  onMessage<Kind extends NodeMessageKind>(
    kind: Kind,
    listener: (data: NodeMessageData<Kind>) => void,
  ): void
  /** Called when another node died or stopped, so that its leases can be claimed. */
  onNodeLost(listener: () => void): void
}

type Parts = {
  db: Db
  pool: Pool
  log: Log
  /** How many bots the node can run if it has the role `bots`. */
  capacity: { bots: number; practiceBots: number }
  /** Default: all. */
  roles?: readonly NodeRole[]
  /** False if the node can't decrypt stored secrets. Default: true. */
  hasMasterKey?: boolean
  /** True for an embedded database, which only one process can use. Every listed node is then dead. */
  ownsDatabase: boolean
  heartbeatTimes?: Partial<HeartbeatTimes>
}

export async function openNodeMembership(parts: Parts): Promise<NodeMembership> {
  const { db, pool, log, ownsDatabase, roles = NODE_ROLES, hasMasterKey = true } = parts
  const nodeId = newId('node')
  const messageListeners = new Map<NodeMessageKind, Array<(data: never) => void>>()
  const nodeLostListeners: Array<() => void> = []
  const onNotification = ({ payload = '' }: { payload?: string | undefined }) => {
    for (const text of splitMessages(payload)) {
      const message = decodeNodeMessage(text)
      if (message === null) log.warn('ignored an unknown message from another node')
      else if (message.from !== nodeId)
        for (const listener of messageListeners.get(message.kind) ?? []) listener(message.data)
    }
  }
  const onNodeLost = () => nodeLostListeners.forEach((listener) => listener())
  const outboxes = new Map<string, MessageOutbox>()
  let isClosed = false
  const sendOn = (channel: string, message: string) => {
    if (isClosed) return
    const outbox =
      outboxes.get(channel) ??
      createMessageOutbox((messages) => {
        pool
          .query('select pg_notify($1, $2)', [channel, messages])
          .catch((error: unknown) =>
            log.warn({ err: error }, 'failed to send messages to other nodes'),
          )
      })
    outboxes.set(channel, outbox)
    outbox.add(message)
  }
  let announced: string | null = null

  await deleteOldDeadNodes(db)
  if (ownsDatabase) await moveToDeadNodes(db, sql`true`)
  const heartbeats = await startHeartbeats({
    ...parts,
    nodeId,
    roles,
    hasMasterKey,
    capacity: roles.includes('bots') ? parts.capacity : { bots: 0, practiceBots: 0 },
    documents: () => announced,
    onNotification,
    onNodeLost,
  })

  return {
    nodeId,
    hasRole: (role) => roles.includes(role),
    hasMasterKey,
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
      // Also needed if the row is inserted again after other nodes declared this one dead.
      announced = documents
    },
    broadcast(kind, data) {
      if (heartbeats.otherNodes() === 0) return
      sendOn(NODE_MESSAGE_CHANNEL, encodeNodeMessage(nodeId, kind, data))
    },
    send(to, kind, data) {
      sendOn(channelOfNode(to), encodeNodeMessage(nodeId, kind, data))
    },
    onMessage(kind, listener) {
      messageListeners.set(kind, [...(messageListeners.get(kind) ?? []), listener])
    },
    onNodeLost: (listener) => void nodeLostListeners.push(listener),
    async [Symbol.asyncDispose]() {
      isClosed = true
      for (const outbox of outboxes.values()) outbox[Symbol.dispose]()
      await heartbeats[Symbol.asyncDispose]()
      await db.deleteFrom('node').where('id', '=', nodeId).execute()
    },
  }
}
