import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openFaultyDatabaseServer } from '../../../faults/cluster/database-server.ts'
import { percentile } from '../../../faults/traffic/percentile.ts'
import { connectToDatabase, type Db } from '../../../src/db/database.ts'
import { migrateDatabase } from '../../../src/db/migrate.ts'
import { createLog } from '../../../src/log.ts'
import {
  deleteExpiredEventsAndDeliveries,
  deleteExpiredMeetings,
} from '../../../src/meetings/removal.ts'
import { createFolderDocuments } from '../../../src/projects/files/store/folder-documents.ts'
import { printFigures, type Figure } from './goals.ts'
import {
  DAYS,
  EVENTS_PER_MEETING,
  insertRetentionRows,
  KEPT_DAYS,
  LIVE_MEETINGS,
} from './retention-rows.ts'
import { SIZES } from './sizes.ts'

/** Measured: an event and its attempt need about this much disk, with their indexes and their share of the WAL. */
const BYTES_PER_EVENT = 2_000
const WRITES_PER_SECOND = 100
const REMOVED_MEETINGS = 200
/** While rows are deleted, a write may take at most this many times as long. */
const SLOWER_GOAL = 2

/** Deletes expired rows of large tables, as maintenance does, while events and attempts are written. */
export async function measureRetention(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const place = mkdtempSync(join(tmpdir(), 'hansard-bench-retention-'))
  stack.defer(() => rmSync(place, { recursive: true, force: true }))
  const { bavail, bsize } = statfsSync(place)
  if (bavail * bsize < 2 * SIZES.rows * BYTES_PER_EVENT)
    return console.log('  retention: skipped, the temporary folder has too little space')
  const server = stack.use(
    await openFaultyDatabaseServer(
      { fsync: 'on', shared_buffers: '256MB', max_wal_size: '2GB' },
      mkdtempSync(join(place, 'pg-')),
    ),
  )
  const { db, longRunning, close } = await connectToDatabase(
    { connectionString: server.url() },
    { max: 12, log: createLog('error') },
  )
  stack.defer(close)
  await migrateDatabase(db)
  const began = performance.now()
  await insertRetentionRows(longRunning.db, SIZES.rows)
  console.log(
    `  retention: ${SIZES.rows} events and attempts of ${DAYS} days inserted in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
  // Without it, the server would still write the inserted rows to disk during the first measurement.
  await sql`checkpoint`.execute(longRunning.db)
  const quiet = await measureWrites(db, () => sleep(SIZES.seconds * 1000))
  const sizesBefore = await readSizes(db)
  const deletion = await measureDeletion(db, longRunning.db)
  const removal = await measureRemoval(db, longRunning.db)
  await sql`vacuum (analyze) event, delivery_attempt, segment`.execute(longRunning.db)
  const sizesAfter = await readSizes(db)
  const slower = deletion.writes.p95 / quiet.p95
  printFigures(
    `deletion of ${deletion.rows} rows older than ${KEPT_DAYS} days, with ${WRITES_PER_SECOND} writes a second`,
    [
      { name: 'rows deleted a second', value: (deletion.rows / deletion.seconds).toFixed(0) },
      {
        name: 'batch of 5,000 rows p50, max',
        value: `${ms(deletion.batchP50)}, ${ms(deletion.batchMax)}`,
      },
      { name: 'last batches against the first', value: `${deletion.growth.toFixed(2)} times` },
      { name: 'WAL for each deleted row', value: `${deletion.walPerRow.toFixed(0)} bytes` },
      { name: 'write p50, p95 without deletion', value: `${ms(quiet.p50)}, ${ms(quiet.p95)}` },
      {
        name: 'write p50, p95 during deletion',
        value: `${ms(deletion.writes.p50)}, ${ms(deletion.writes.p95)}`,
      },
      {
        name: 'p95 during against without',
        value: `${slower.toFixed(2)} times`,
        goal: `at most ${SLOWER_GOAL}`,
        isMet: slower <= SLOWER_GOAL,
      },
      ...removal,
      ...sizeFigures(sizesBefore, sizesAfter),
    ],
  )
}

type WriteTimes = { p50: number; p95: number; count: number }

/** Times writes like those of a meeting and its lane, at a steady rate, while other work runs. */
async function measureWrites(db: Db, work: () => Promise<unknown>): Promise<WriteTimes> {
  const times: number[] = []
  const pending = new Set<Promise<void>>()
  const over = new AbortController()
  const write = async (i: number) => {
    const meetingId = `live-${i % LIVE_MEETINGS}`
    const startedAt = performance.now()
    await writeEvent(db, meetingId)
    times.push(performance.now() - startedAt)
  }
  const traffic = async () => {
    const started = performance.now()
    for (let i = 0; !over.signal.aborted; i += 1) {
      const sending = write(i).finally(() => pending.delete(sending))
      pending.add(sending)
      await sleep(Math.max(0, started + ((i + 1) * 1000) / WRITES_PER_SECOND - performance.now()))
    }
    await Promise.all(pending)
  }
  const running = traffic()
  await work()
  over.abort()
  await running
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), count: times.length }
}

async function writeEvent(db: Db, meetingId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`with numbered as (
        update meeting set last_sequence = last_sequence + 1 where id = ${meetingId} returning last_sequence)
      insert into event (meeting_id, sequence, type, at, body)
      select ${meetingId}, last_sequence, 'segment_finalized', now(), repeat('x', 400) from numbered`.execute(
      tx,
    )
  })
  await db.transaction().execute(async (tx) => {
    await sql`insert into delivery_attempt (id, lane_id, meeting_id, sequence, type, started_at, duration_ms, outcome, status, answer)
      values ('att_' || gen_random_uuid(), 'l', ${meetingId}, 1, 'segment_finalized', now(), 12, 'delivered', 204, '')`.execute(
      tx,
    )
    await sql`update lane set delivered_count = delivered_count + 1 where meeting_id = ${meetingId}`.execute(
      tx,
    )
  })
}

async function measureDeletion(db: Db, deleting: Db) {
  const batches: number[] = []
  // Counts and times the batches without changing the work of maintenance.
  const timed = deleting.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if ((result.numAffectedRows ?? 0n) > 0n) batches.push(performance.now())
      return result
    },
  })
  const counted = async () => {
    const { rows } = await sql<{ count: string }>`
      select (select count(*) from event where at < now() - make_interval(days => ${KEPT_DAYS}))
        + (select count(*) from delivery_attempt where started_at < now() - make_interval(days => ${KEPT_DAYS})) as count`.execute(
      deleting,
    )
    return Number(rows[0]?.count ?? 0)
  }
  const before = await counted()
  const wal = await readWal(db)
  const startedAt = performance.now()
  let walUsed = 0
  let seconds = 0
  const writes = await measureWrites(db, async () => {
    await deleteExpiredEventsAndDeliveries(timed, new Date(), KEPT_DAYS)
    seconds = (performance.now() - startedAt) / 1000
    walUsed = (await readWal(db)) - wal
  })
  const rows = before - (await counted())
  const lengths = batches.map((at, i) => at - (batches[i - 1] ?? startedAt))
  const half = Math.floor(lengths.length / 2)
  const last = lengths.slice(half)
  // The WAL includes the writes themselves.
  const walOfWrites = writes.count * (await measureWalPerWrite(db))
  return {
    rows,
    seconds,
    writes,
    batchP50: percentile(lengths, 0.5),
    batchMax: Math.max(...lengths),
    growth: percentile(last.slice(-10), 0.5) / percentile(last.slice(0, 10), 0.5),
    walPerRow: (walUsed - walOfWrites) / rows,
  }
}

async function measureWalPerWrite(db: Db): Promise<number> {
  const before = await readWal(db)
  const { count } = await measureWrites(db, () => sleep(3_000))
  return ((await readWal(db)) - before) / count
}

/** Removes whole meetings with their segments, as `HANSARD_MEETING_DAYS` does. */
async function measureRemoval(db: Db, removing: Db): Promise<Figure[]> {
  const kept = await sql<{ days: number }>`
    select (extract(epoch from now() - max(ended_at)) / 86400)::float8 as days from
      (select ended_at from meeting where ended_at is not null order by ended_at limit ${REMOVED_MEETINGS}) t`.execute(
    removing,
  )
  const days = kept.rows[0]?.days ?? 0
  const root = mkdtempSync(join(tmpdir(), 'hansard-bench-root-'))
  const wal = await readWal(db)
  const began = performance.now()
  let removed = 0
  let tookMs = 0
  const writes = await measureWrites(db, async () => {
    removed = await deleteExpiredMeetings(
      {
        db: removing,
        log: createLog('error'),
        files: createFolderDocuments(root),
        documentChanged: async () => undefined,
      },
      new Date(),
      days,
    )
    tookMs = performance.now() - began
  })
  const walUsed = (await readWal(db)) - wal
  rmSync(root, { recursive: true, force: true })
  const segments = EVENTS_PER_MEETING / 5
  return [
    { name: `removal of a meeting with ${segments} segments`, value: ms(tookMs / removed) },
    {
      name: 'WAL for each removed meeting, with the writes',
      value: `${(walUsed / removed / 1024).toFixed(0)} KB`,
    },
    { name: 'write p50, p95 during removals', value: `${ms(writes.p50)}, ${ms(writes.p95)}` },
  ]
}

type TableSizes = Map<string, { heap: number; indexes: number }>

async function readSizes(db: Db): Promise<TableSizes> {
  const { rows } = await sql<{ name: string; heap: string; indexes: string }>`
    select relname as name, pg_table_size(oid) as heap, pg_indexes_size(oid) as indexes
    from pg_class where relname in ('event', 'delivery_attempt', 'segment')`.execute(db)
  return new Map(
    rows.map(({ name, heap, indexes }) => [name, { heap: Number(heap), indexes: Number(indexes) }]),
  )
}

function sizeFigures(before: TableSizes, after: TableSizes): Figure[] {
  return [...before].map(([name, { heap, indexes }]) => ({
    name: `size of ${name}: rows + indexes, before → after`,
    value: `${mb(heap)}+${mb(indexes)} → ${mb(after.get(name)?.heap ?? 0)}+${mb(after.get(name)?.indexes ?? 0)} MB`,
  }))
}

async function readWal(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

const ms = (value: number) => `${value.toFixed(1)} ms`
const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
