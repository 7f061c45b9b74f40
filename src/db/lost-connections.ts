import { Client, type Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Log } from '../log.ts'
import { errorMessageOf } from '../lib/error-code.ts'
import { createWakeableSleep } from '../lib/async/wake-up.ts'

const CHECK_INTERVAL_MS = 2_000
/** Time until the next check after a failed one. It is short, because perhaps only the probe connection was lost. */
const RETRY_INTERVAL_MS = 250
const QUERY_TIMEOUT_MS = 2_000

/** Fields of a connection that the driver has but does not declare in its types. */
type DriverInternals = { processID: number | null; connection: { stream: { destroy(): void } } }

/**
 * Closes pool connections that were lost silently, for example after a failover or in a router; queries on them would
 * wait forever. A probe connection with a timeout asks the server which connections it still serves, so a slow query
 * is not interrupted.
 */
export function startClosingLostConnections(parts: {
  pool: Pool
  address: PoolConfig
  log: Log
}): AsyncDisposable {
  const { pool, address, log } = parts
  const openClients = new Set<PoolClient>()
  pool.on('connect', (client) => openClients.add(client))
  pool.on('remove', (client) => openClients.delete(client))
  const wakeUp = createWakeableSleep()
  let isClosing = false
  let probe: Client | null = null

  const listServedPids = async (): Promise<Set<number>> => {
    probe ??= await openProbeConnection(address)
    const { rows } = await probe.query<{ pid: number }>('select pid from pg_stat_activity')
    return new Set(rows.map(({ pid }) => pid))
  }
  const closeLostConnections = async () => {
    // Only connections that were open before the query, because its result lacks later ones.
    const candidates = [...openClients]
    const served = await listServedPids()
    // A connection pooler between Hansard and the server reports other process ids, so they cannot be compared.
    if (!served.has(internalsOf(probe)?.processID ?? 0)) return
    for (const client of candidates) {
      const { processID, connection } = client as unknown as DriverInternals
      if (processID === null || served.has(processID) || !openClients.has(client)) continue
      log.warn({ processID }, 'closed a connection that the database no longer serves')
      connection.stream.destroy()
    }
  }
  const closeProbe = () => {
    internalsOf(probe)?.connection.stream.destroy()
    probe = null
  }
  const run = async () => {
    let intervalMs = CHECK_INTERVAL_MS
    for (;;) {
      await wakeUp.sleep(intervalMs)
      if (isClosing) break
      intervalMs = CHECK_INTERVAL_MS
      await closeLostConnections().catch((error: unknown) => {
        log.debug({ reason: errorMessageOf(error) }, 'failed to check database connections')
        intervalMs = RETRY_INTERVAL_MS
        closeProbe()
      })
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

function internalsOf(client: Client | null): DriverInternals | null {
  return client as unknown as DriverInternals | null
}
