import { Client, type PoolClient, type PoolConfig } from 'pg'
import type { Log } from '../../log.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import { destroyConnection, findActiveStatement, internalsOf } from './driver-internals.ts'
import type { PoolSockets } from './pool-sockets.ts'

const CHECK_INTERVAL_MS = 2_000
/** Time until the next check after a failed one. It is short, because perhaps only the probe connection was lost. */
const RETRY_INTERVAL_MS = 250
/** A statement or an answer that is on its way for longer than this between two checks is lost. */
const SUSPICION_INTERVAL_MS = 1_000
const QUERY_TIMEOUT_MS = 2_000
/** The link to the database is down after this many checks in a row without any answer, the last with a new connection. */
const UNANSWERED_CHECKS_UNTIL_DOWN = 2

/**
 * Closes pool connections that were lost silently, for example after a failover or in a router; queries on them would
 * wait forever. A probe connection with a timeout asks the server which connections it still serves and which of them
 * run a statement, so a slow query is not interrupted.
 *
 * When the server cannot be reached at all, every connection is closed: TCP would send again only after a pause that
 * grows with the outage, so they would stay stuck for long after the link is back.
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
  /** Statements that the server did not know of at the last check. */
  let lostStatements = new Set<object>()

  /** Returns whether some connections may be stuck, so that the next check should come soon. */
  const closeLostConnections = async (): Promise<boolean> => {
    // Only connections that were open before the query, because its result lacks later ones.
    const candidates = [...openClients].map((client) => ({
      client,
      statement: findActiveStatement(client),
    }))
    probe ??= await openProbeConnection(address)
    const { rows } = await probe.query<ServedConnection>('select pid, state from pg_stat_activity')
    const stateOf = new Map(rows.map(({ pid, state }) => [pid, state]))
    // A connection pooler between Hansard and the server reports other process ids, so they cannot be compared.
    if (!stateOf.has(internalsOf(probe).processID ?? 0)) return false
    const lost = new Set<object>()
    for (const { client, statement } of candidates) {
      const { processID } = internalsOf(client)
      if (processID === null || !openClients.has(client)) continue
      const isServed = stateOf.has(processID)
      const isIdle = stateOf.get(processID)?.startsWith('idle') ?? false
      // The server waits for a statement, and this node for its answer: one of them was lost on the way.
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
      // What was sent to open these connections is lost.
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
  // Nothing to do on an error: the next check fails and the one after it opens a new probe connection.
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
