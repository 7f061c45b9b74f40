import { Socket } from 'node:net'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import { Client, type PoolClient, type PoolConfig, type ClientBase } from 'pg'
import { createWakeableSleep } from '../lib/async/wake-up.ts'
import { errorCode, errorMessageOf } from '../lib/error-code.ts'
import type { Log } from '../log.ts'
import type { Database } from './schema.ts'

const CHECK_INTERVAL_MS = 2_000
/** Time until the next check after a failed one. It is short, because maybe only the probe connection was lost. */
const RETRY_INTERVAL_MS = 250
/** A statement or an answer is lost if it is still under way after this time, between two checks. */
const SUSPICION_INTERVAL_MS = 1_000
const QUERY_TIMEOUT_MS = 2_000
/** The database link is down after this many consecutive checks without an answer, the last on a new connection. */
const UNANSWERED_CHECKS_UNTIL_DOWN = 2

/** Fields of a connection that the driver has but does not declare. */
type DriverInternals = {
  /** Id of the server process for the connection. Null until it is connected. */
  processID: number | null
  connection: { stream: { destroy(): void; bytesRead?: number } }
  /** The statement whose answer is not complete, if any. */
  _getActiveQuery(): object | null | undefined
}

/**
 * Closes pool connections that were lost silently, for example by a failover or in a router. Queries on them would wait
 * forever. A probe connection with a timeout asks the server which connections it still serves and which of them run a
 * statement, so a slow query is not interrupted.
 *
 * If the server can't be reached at all, every connection is closed. TCP sends again only after a pause that grows with
 * the outage, so the connections would stay stuck long after the link is back.
 */
export function startClosingLostConnections(parts: {
  openClients: ReadonlySet<PoolClient>
  sockets: PoolSockets
  address: PoolConfig
  log: Log
}): AsyncDisposable {
  const { openClients, sockets, address, log } = parts
  const wakeUp = createWakeableSleep()
  let isClosing = false
  let probe: Client | null = null
  let unansweredChecks = 0
  /** Statements that the server did not know at the last check. */
  let lostStatements = new Set<object>()

  /** Returns true if some connections may be stuck, so the next check should come soon. */
  const closeLostConnections = async (): Promise<boolean> => {
    // Only connections that were open before the query, because its result does not have later ones.
    const candidates = [...openClients].map((client) => ({
      client,
      statement: findActiveStatement(client),
    }))
    probe ??= await openProbeConnection(address)
    const { rows } = await probe.query<ServedConnection>('select pid, state from pg_stat_activity')
    const stateOf = new Map(rows.map(({ pid, state }) => [pid, state]))
    // A connection pooler between Hansard and the server reports other process ids, so they can't be compared.
    if (!stateOf.has(internalsOf(probe).processID ?? 0)) return false
    const lost = new Set<object>()
    for (const { client, statement } of candidates) {
      const { processID } = internalsOf(client)
      if (processID === null || !openClients.has(client)) continue
      const isServed = stateOf.has(processID)
      const isIdle = stateOf.get(processID)?.startsWith('idle') ?? false
      // The server waits for a statement while this node waits for its answer, so one of them was lost.
      const isStuck =
        isIdle && statement !== null && findActiveStatement(client) === statement ? statement : null
      if (isStuck !== null) lost.add(isStuck)
      if (isServed && (isStuck === null || !lostStatements.has(isStuck))) continue
      log.warn({ processID, isServed }, 'closed a lost database connection')
      destroyConnection(client)
    }
    lostStatements = lost
    return lost.size > 0
  }
  const closeProbe = () => {
    if (probe !== null) destroyConnection(probe)
    probe = null
  }
  const onAnswer = (checkStartedAt: number) => {
    if (unansweredChecks >= UNANSWERED_CHECKS_UNTIL_DOWN) {
      log.info('the database answers again')
      // The data sent to open these connections is lost.
      sockets.destroyOlderThan(checkStartedAt, ({ bytesRead }) => bytesRead === 0)
    }
    unansweredChecks = 0
  }
  const onFailure = (error: unknown, checkStartedAt: number) => {
    log.debug({ reason: errorMessageOf(error) }, 'failed to check database connections')
    closeProbe()
    unansweredChecks = isWithoutAnswer(error) ? unansweredChecks + 1 : 0
    if (unansweredChecks < UNANSWERED_CHECKS_UNTIL_DOWN) return
    const connections = sockets.destroyOlderThan(checkStartedAt)
    if (connections > 0)
      log.warn({ connections }, 'the database does not answer: closed the connections to it')
  }
  const run = async () => {
    let intervalMs = CHECK_INTERVAL_MS
    for (;;) {
      await wakeUp.sleep(intervalMs)
      if (isClosing) break
      const startedAt = performance.now()
      try {
        const mayBeStuck = await closeLostConnections()
        onAnswer(startedAt)
        intervalMs = mayBeStuck ? SUSPICION_INTERVAL_MS : CHECK_INTERVAL_MS
      } catch (error) {
        onFailure(error, startedAt)
        intervalMs = RETRY_INTERVAL_MS
      }
    }
    closeProbe()
  }
  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      isClosing = true
      wakeUp.wake()
      await running
    },
  }
}

type ServedConnection = { pid: number; state: string | null }

async function openProbeConnection(address: PoolConfig): Promise<Client> {
  const client = new Client({
    ...address,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  })
  // No action on an error: the next check fails, and the one after it opens a new probe connection.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Codes and messages of errors without any answer. A server that refuses a connection has answered. */
const NO_ANSWER_CODES = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
const NO_ANSWER_MESSAGES = /timeout expired|query read timeout/i

function isWithoutAnswer(error: unknown): boolean {
  return NO_ANSWER_CODES.has(errorCode(error)) || NO_ANSWER_MESSAGES.test(errorMessageOf(error))
}

export function internalsOf(client: Client | PoolClient): DriverInternals {
  return client as unknown as DriverInternals
}

/** The statement that waits for its answer. Null if there is none. */
export function findActiveStatement(client: Client | PoolClient): object | null {
  const { _getActiveQuery: getActiveStatement } = internalsOf(client)
  return getActiveStatement.call(client) ?? null
}

/** Closes a connection's socket without waiting for the server. A statement on it fails with a transient error. */
export function destroyConnection(client: Client | PoolClient): void {
  internalsOf(client).connection.stream.destroy()
}

/** The sockets of a connection pool, even of connections that are still being opened. The pool does not expose them. */
export function createPoolSockets() {
  const createdAt = new Map<Socket, number>()
  return {
    create(): Socket {
      const socket = new Socket()
      createdAt.set(socket, performance.now())
      socket.once('close', () => createdAt.delete(socket))
      return socket
    },
    /** Destroys the matching sockets that were created before this time. Returns their number. */
    destroyOlderThan(
      monotonicMs: number,
      matches: (socket: Socket) => boolean = () => true,
    ): number {
      const old = [...createdAt].flatMap(([socket, at]) =>
        at < monotonicMs && matches(socket) ? [socket] : [],
      )
      for (const socket of old) socket.destroy()
      return old.length
    },
  }
}

type PoolSockets = ReturnType<typeof createPoolSockets>

/** A query builder on connections that it does not own. It never closes them. */
export function createDbOnConnections(
  connect: PostgresPool['connect'],
  options: PostgresPool['options'] = {},
): Kysely<Database> {
  const pool = { connect, end: async () => undefined, options }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

/** A query builder on one connection, which its owner releases. */
export function createDbOnClient(
  client: ClientBase,
  options?: PostgresPool['options'],
): Kysely<Database> {
  const connection = { query: client.query.bind(client), release: () => undefined }
  return createDbOnConnections(async () => connection, options)
}
