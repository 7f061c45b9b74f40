import { sql } from 'kysely'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../db/database.ts'

const SYNC_INTERVAL_MS = 1_000
const MINUTE_MS = 60_000

/** Counts requests in the current minute. Nodes exchange their counts through the database once a second, not during a request. */
export interface RequestCounter extends AsyncDisposable {
  /** Counts one request and returns the count of this minute, that request included. */
  add(scope: string): number
  /** Writes the counts of this node and reads those of other nodes. A timer calls it every second. */
  sync(): Promise<void>
}

/** `isSynced`: the other nodes know the local count. */
type Count = { local: number; remote: number; isSynced: boolean }

export function createRequestCounter(parts: {
  db: Db
  clock: Clock
  log: Log
  nodeId: string
}): RequestCounter {
  const { db, clock, log, nodeId } = parts
  let minute = 0
  let counts = new Map<string, Count>()

  const currentCounts = () => {
    const current = Math.floor(clock.now().getTime() / MINUTE_MS)
    if (current !== minute) {
      minute = current
      counts = new Map()
    }
    return counts
  }

  const sync = async () => {
    const current = currentCounts()
    const at = new Date(minute * MINUTE_MS)
    const changed = [...current].filter(([, count]) => !count.isSynced)
    if (changed.length === 0) return
    for (const [, count] of changed) count.isSynced = true
    try {
      await writeCounts(db, at, nodeId, changed)
    } catch (error) {
      for (const [, count] of changed) count.isSynced = false
      throw error
    }
    for (const row of await readOtherNodesCounts(db, at, nodeId, [...current.keys()])) {
      const count = current.get(row.scope)
      if (count) count.remote = Number(row.count)
    }
  }

  const timer = setInterval(() => {
    sync().catch((error: unknown) => log.warn({ err: error }, 'failed to sync request counts'))
  }, SYNC_INTERVAL_MS)
  timer.unref()

  return {
    add(scope) {
      const current = currentCounts()
      const count = current.get(scope) ?? { local: 0, remote: 0, isSynced: false }
      count.local += 1
      count.isSynced = false
      current.set(scope, count)
      return count.local + count.remote
    },
    sync,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
    },
  }
}

export async function deleteExpiredRequestCounts(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('request_count')
    .where('minute', '<', new Date(now.getTime() - 2 * MINUTE_MS))
    .execute()
}

async function writeCounts(
  db: Db,
  minute: Date,
  nodeId: string,
  changed: Array<[string, Count]>,
): Promise<void> {
  // Arrays, because a statement has at most 65,535 parameters.
  await sql`insert into request_count (scope, minute, node_id, count)
    select scope, ${minute}, ${nodeId}, count
    from unnest(${changed.map(([scope]) => scope)}::text[], ${changed.map(([, { local }]) => local)}::int[])
      as changed(scope, count)
    on conflict (minute, scope, node_id) do update set count = excluded.count`.execute(db)
}

function readOtherNodesCounts(db: Db, minute: Date, nodeId: string, scopes: string[]) {
  return db
    .selectFrom('request_count')
    .select((eb) => ['scope', eb.fn.sum<string>('count').as('count')])
    .where('minute', '=', minute)
    .where('node_id', '<>', nodeId)
    .where('scope', '=', sql<string>`any(${scopes}::text[])`)
    .groupBy('scope')
    .execute()
}
