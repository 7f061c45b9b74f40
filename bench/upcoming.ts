import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openCluster, type Cluster } from '../faults/cluster/cluster.ts'
import type { Db } from '../src/db/database.ts'
import { openInstance, openInstanceDatabase } from './support/instance.ts'
import { measureProcessTree } from './support/process-usage.ts'

const OCCURRENCES = 500
const DUE_WITHIN_MS = 60_000
/** Enough time to read the calendar and schedule every meeting before the first one is due. */
const PREPARATION_MS = 200_000
/** When a node is killed after the first meeting is due. It is started again at once. */
const KILLS_AFTER_MS = [10_000, 25_000, 40_000]
const LIVE_MS = 60_000
const GOAL_SECONDS = 5
const FEW = 100
const MANY = 100_000
const IDLE_SECONDS = 5
const IDLE_STRETCHES = 7

export const upcoming = {
  about:
    '500 meetings of a calendar due within one minute on three nodes that are killed; the idle cost of 100,000 planned meetings',
  async run() {
    await measureAttendance()
    await measureIdleCost()
  },
}

async function measureAttendance(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'hansard-bench-'))
  // The tests' helpers create their folders there.
  process.env['TEST_SCRATCH'] = scratch
  try {
    await attendWithKills()
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function attendWithKills(): Promise<void> {
  await using cluster = await openCluster()
  const [node] = cluster.nodes
  if (node === undefined) throw new Error('there are no nodes')
  const usualSeconds = await measureUsualJoin(cluster)
  const firstAt = Math.ceil((Date.now() + PREPARATION_MS) / 1_000) * 1_000
  await using feed = await serveFeed(formatFeed(firstAt))
  const body = { name: 'Bench', url: feed.url }
  const { status } = await cluster.call(node, 'POST', '/api/v1/calendars', { body })
  if (status !== 201) throw new Error(`creating the calendar answered ${status}`)
  for (const [i, afterMs] of KILLS_AFTER_MS.entries()) {
    await sleep(Math.max(0, firstAt + afterMs - Date.now()))
    const killed = cluster.nodes[i % cluster.nodes.length]
    await killed?.kill()
    await killed?.start()
  }
  await sleep(Math.max(0, firstAt + DUE_WITHIN_MS + LIVE_MS - Date.now()))
  await reportAttendance(cluster, usualSeconds)
}

/** How long a meeting takes until it is live if it is started at once. */
async function measureUsualJoin(cluster: Cluster): Promise<number> {
  const [node] = cluster.nodes
  if (node === undefined) throw new Error('there are no nodes')
  const body = { url: linkOf(OCCURRENCES), callbackUrl: cluster.receiver.url }
  await cluster.call(node, 'POST', '/api/v1/meetings/start', { body })
  for (;;) {
    await sleep(100)
    const [row] = await cluster.database.query<{ seconds: number | null }>(
      `select extract(epoch from live_at - started_at)::float8 as seconds from meeting where url = $1`,
      [linkOf(OCCURRENCES)],
    )
    if (typeof row?.seconds === 'number') return row.seconds
  }
}

type AttendanceRow = { meetings: number; lateSeconds: number | null; visits: number }

async function reportAttendance({ database }: Cluster, usualSeconds: number): Promise<void> {
  const rows = await database.query<AttendanceRow>(
    `select count(m.id)::int as meetings, max(m.fence)::int as visits,
       max(extract(epoch from m.live_at - o.starts_at))::float8 as "lateSeconds"
     from occurrence o left join meeting m on m.url = o.url group by o.id`,
  )
  const count = (isCounted: (row: AttendanceRow) => boolean) => rows.filter(isCounted).length
  const late = rows
    .flatMap(({ lateSeconds }) => (lateSeconds === null ? [] : [lateSeconds]))
    .toSorted((a, b) => a - b)
  const format = (seconds: number | undefined) => `${(seconds ?? NaN).toFixed(1)} s`
  console.log(
    `  ${rows.length} of ${OCCURRENCES} planned; attended once ${count(({ meetings, lateSeconds }) => meetings === 1 && lateSeconds !== null)}, never ${count(({ lateSeconds }) => lateSeconds === null)}, twice ${count(({ meetings }) => meetings > 1)}; ${KILLS_AFTER_MS.length} kills, ${count(({ visits }) => visits > 1)} taken over by another node`,
  )
  console.log(
    `  live after the start time: p50 ${format(late[late.length >> 1])}, latest ${format(late.at(-1))} (goal: ${GOAL_SECONDS} s); a meeting started at once is live after ${format(usualSeconds)}`,
  )
}

/** Every link leads to another room. */
function linkOf(index: number): string {
  return `practice://standup?speed=${(10 + index / 1_000).toFixed(3).replace(/\.?0+$/, '')}`
}

function formatFeed(firstAt: number): string {
  const stamp = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const events = Array.from({ length: OCCURRENCES }, (_, i) => {
    const at = firstAt + Math.floor((i * DUE_WITHIN_MS) / OCCURRENCES / 1_000) * 1_000
    return [
      'BEGIN:VEVENT',
      `UID:${i}@bench`,
      `DTSTAMP:${stamp(firstAt)}`,
      `DTSTART:${stamp(at)}`,
      `DTEND:${stamp(at + 1_800_000)}`,
      `SUMMARY:Meeting ${i}`,
      `LOCATION:${linkOf(i)}`,
      'END:VEVENT',
    ]
  })
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//bench',
    ...events.flat(),
    'END:VCALENDAR',
  ]
  return `${lines.join('\r\n')}\r\n`
}

async function serveFeed(text: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/calendar')
    response.end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bench.ics`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Measures the service and its database in one process tree. */
async function measureIdleCost(): Promise<void> {
  await using instance = await openInstance()
  await using beside = await openInstanceDatabase(instance.data)
  await addCalendar(beside.db)
  const shares: number[] = []
  for (const [from, to] of [
    [0, FEW],
    [FEW, MANY],
  ] as const) {
    await addOccurrences(beside.db, from, to)
    shares.push(await measureIdleShare())
    console.log(
      `  idle, ${String(to).padStart(6)} planned   ${shares.at(-1)?.toFixed(2)} % of a core`,
    )
  }
  const [few = 0, many = 0] = shares
  console.log(`  ${(many / few).toFixed(2)} times`)
}

/** The median of several periods, because garbage collection or a vacuum may slow down a single one. */
async function measureIdleShare(): Promise<number> {
  await sleep(10_000)
  const shares: number[] = []
  for (let i = 0; i < IDLE_STRETCHES; i += 1) {
    const before = measureOwnCpuMs()
    await sleep(IDLE_SECONDS * 1_000)
    shares.push((measureOwnCpuMs() - before) / 10 / IDLE_SECONDS)
  }
  return shares.toSorted((a, b) => a - b)[IDLE_STRETCHES >> 1] ?? 0
}

function measureOwnCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + measureProcessTree(process.pid).cpuMs
}

async function addCalendar(db: Db): Promise<void> {
  await sql`
    insert into calendar (id, name, kind, url_sealed, host, project, rules, is_paused, time_zone, next_poll_at, created_at)
    values ('cal_bench', 'Bench', 'ics', '', 'calendar.example.com', 'meetings', '{}', false, 'UTC',
      now() + interval '1 day', now())`.execute(db)
}

/** Each occurrence has another time, between one hour and 13 days ahead. */
async function addOccurrences(db: Db, from: number, to: number): Promise<void> {
  await sql`
    insert into occurrence (id, calendar_id, uid, key, starts_at, ends_at, is_all_day, is_cancelled, title,
      attendees, url, room, platform, label, decision, reason, created_at)
    select 'occ_' || i, 'cal_bench', 'u' || i, 'k', at, at + interval '1 hour', false, false, 'Meeting ' || i,
      '[]', 'practice://standup?speed=' || i, 'practice://standup?speed=' || i, 'practice', 'Practice standup',
      'join', 'will_join', now()
    from generate_series(${from}::int, ${to}::int - 1) i,
      lateral (select now() + interval '1 hour' + i * interval '10 seconds' as at) t`.execute(db)
  await sql`vacuum analyze occurrence`.execute(db)
}
