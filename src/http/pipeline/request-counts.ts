import { sql } from 'kysely'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../db/database.ts'

const SYNC_INTERVAL_MS = 1_000
const MINUTE_MS = 60_000

/** Counts within the running minute, shared by all nodes through the database, once a second and off the request's path. */
export interface RequestCounts extends AsyncDisposable {
  /** The count so far, this one included. */
  add(scope: string): number
  /** Tells the other nodes and hears from them; runs by itself. */
  sync(): Promise<void>
}

type Count = { local: number; remote: number; isSynced: boolean }

export function createRequestCounts(parts: {
  db: Db
  clock: Clock
  log: Log
  nodeId: string
}): RequestCounts {
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

  const share = async () => {
    const page = currentCounts()
    const at = new Date(minute * MINUTE_MS)
    const news = [...page].filter(([, count]) => !count.isSynced)
    if (news.length === 0) return
    for (const [, count] of news) count.isSynced = true
    await writeCounts(db, at, nodeId, news)
    for (const row of await readOtherNodesCounts(db, at, nodeId, [...page.keys()])) {
      const count = page.get(row.scope)
      if (count) count.remote = Number(row.count)
    }
  }

  const timer = setInterval(() => {
    share().catch((error: unknown) => log.warn({ err: error }, 'request counts not shared'))
  }, SYNC_INTERVAL_MS)
  timer.unref()

  return {
    add(scope) {
      const page = currentCounts()
      const count = page.get(scope) ?? { local: 0, remote: 0, isSynced: false }
      count.local += 1
      count.isSynced = false
      page.set(scope, count)
      return count.local + count.remote
    },
    sync: share,
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
  news: Array<[string, Count]>,
): Promise<void> {
  await db
    .insertInto('request_count')
    .values(news.map(([scope, { local }]) => ({ scope, minute, node_id: nodeId, count: local })))
    .onConflict((conflict) =>
      conflict.columns(['minute', 'scope', 'node_id']).doUpdateSet({ count: sql`excluded.count` }),
    )
    .execute()
}

function readOtherNodesCounts(db: Db, minute: Date, nodeId: string, scopes: string[]) {
  return db
    .selectFrom('request_count')
    .select((eb) => ['scope', eb.fn.sum<string>('count').as('count')])
    .where('minute', '=', minute)
    .where('node_id', '<>', nodeId)
    .where('scope', 'in', scopes)
    .groupBy('scope')
    .execute()
}
