import { Client, type Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Log } from '../log.ts'
import { messageOf } from '../lib/error-code.ts'
import { createWakeUp } from '../lib/async/wake-up.ts'

const CHECK_INTERVAL_MS = 2_000
/** After a question without an answer: perhaps it was this connection that is lost. */
const RETRY_INTERVAL_MS = 250
const QUERY_TIMEOUT_MS = 2_000

/** What the driver knows of a connection besides its published types. */
type DriverInternals = { processID: number | null; connection: { stream: { destroy(): void } } }

/**
 * Ends the connections of a pool whose other end is gone without a word: after a failover, or behind a router that
 * forgot them. Nothing ever comes from there, so whoever waits would wait for ever. The server is asked, over a
 * connection with a time limit, which of them it still serves: a statement that only takes long is left alone.
 */
export function watchConnections(parts: {
  pool: Pool
  address: PoolConfig
  log: Log
}): AsyncDisposable {
  const { pool, address, log } = parts
  const known = new Set<PoolClient>()
  pool.on('connect', (client) => known.add(client))
  pool.on('remove', (client) => known.delete(client))
  const wakeUp = createWakeUp()
  let isClosing = false
  let asking: Client | null = null

  const ask = async (): Promise<Set<number>> => {
    asking ??= await openProbeConnection(address)
    const { rows } = await asking.query<{ pid: number }>('select pid from pg_stat_activity')
    return new Set(rows.map(({ pid }) => pid))
  }
  const look = async () => {
    // Those alone that were there before the question.
    const asked = [...known]
    const served = await ask()
    // Something in between has numbers of its own, and nobody can tell by them.
    if (!served.has(internalsOf(asking)?.processID ?? 0)) return
    for (const client of asked) {
      const { processID, connection } = client as unknown as DriverInternals
      if (processID === null || served.has(processID) || !known.has(client)) continue
      log.warn({ processID }, 'the database does not know this connection any more: ended')
      connection.stream.destroy()
    }
  }
  const forget = () => {
    internalsOf(asking)?.connection.stream.destroy()
    asking = null
  }
  const run = async () => {
    let pauseMs = CHECK_INTERVAL_MS
    for (;;) {
      await wakeUp.sleep(pauseMs)
      if (isClosing) break
      pauseMs = CHECK_INTERVAL_MS
      await look().catch((error: unknown) => {
        log.debug({ reason: messageOf(error) }, 'connections not looked at')
        pauseMs = RETRY_INTERVAL_MS
        forget()
      })
    }
    forget()
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
  // Whatever ends it, the next question fails, and the one after that has a new one.
  client.on('error', () => {})
  await client.connect()
  return client
}

function internalsOf(client: Client | null): DriverInternals | null {
  return client as unknown as DriverInternals | null
}
