import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { openCluster, type Cluster } from '../../../faults/cluster/cluster.ts'
import { startMeetings, stopMeetings, waitUntilLive } from '../../../faults/traffic/meetings.ts'
import { eventually } from '../../../test/support/time/eventually.ts'
import { startReceiverProcess } from '../../support/receiver-process.ts'
import { createMinuteTasks, waitForDueTime } from './due-times.ts'
import { printFigures, type Figure } from './goals.ts'
import { printScaleTable, type UnitCosts } from './scale-table.ts'
import {
  COUNTING_OPTIONS,
  enableStatementCounts,
  readUsage,
  usageBetween,
  type Usage,
} from './server-usage.ts'
import { DOCUMENTS_ENV, HAS_OWN_FOLDERS, SIZES } from './sizes.ts'
import { replayMeetings } from './throughput.ts'

/** The last run's costs, relative to the installation folder. */
export const COSTS_FILE = 'dist/bench/nodes-cost.json'
const SPOKEN_MS = 5_000
/** Two speeds give two equations: one part of the cost grows with the meetings, the other with the segments. */
const SPEEDS = { slow: 1, fast: 6 }

/** The cost of each unit of work on one node: processor time, WAL, and bytes kept. */
export async function measureCost(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const cluster = stack.use(
    await openCluster({
      nodeCount: 1,
      hasOwnFolders: HAS_OWN_FOLDERS,
      env: { HANSARD_TASKS_CONCURRENCY: '20', ...DOCUMENTS_ENV },
      serverOptions: { ...COUNTING_OPTIONS, fsync: 'on' },
    }),
  )
  await enableStatementCounts(cluster)
  const receiver = stack.use(await startReceiverProcess())
  const [node] = cluster.nodes
  if (node === undefined) throw new Error('there is no node')
  const idle = await measureWhile(cluster, () => sleep(SIZES.seconds * 1000))
  const slow = await measureMeetings(cluster, SPEEDS.slow, receiver.url)
  const fast = await measureMeetings(cluster, SPEEDS.fast, receiver.url)
  const calling = await measureMeetings(cluster, SPEEDS.slow, receiver.url, 'all callbacks')
  const deliveries = await measureWhile(cluster, async () => {
    await replayMeetings(cluster, receiver, fast.ids)
  })
  await createMinuteTasks(cluster, node, SIZES.tasks)
  await waitForDueTime(1_000)
  const executions = await measureWhile(cluster, () => waitForExecutions(cluster))
  const costs = calculateUnitCosts({
    idle,
    slow: slow.usage,
    fast: fast.usage,
    calling: calling.usage,
    deliveries,
    executions,
    meetings: SIZES.meetings,
  })
  const bytes = await readBytesKept(cluster)
  printFigures(`cost on one node, ${cpus().length} cores, ${SIZES.meetings} meetings`, [
    ...costFigures(costs),
    ...Object.entries(bytes).map(([name, value]): Figure => ({
      name: `bytes kept: ${name}`,
      value: value.toFixed(0),
    })),
  ])
  const measured = { ...costs, bytes }
  printScaleTable(measured)
  const file = join(INSTALLATION_FOLDER, COSTS_FILE)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`)
  console.log(`  figures: ${COSTS_FILE}; npm run bench -- nodes scale prints the table again`)
}

async function measureWhile(cluster: Cluster, work: () => Promise<void>): Promise<Usage> {
  const before = await readUsage(cluster)
  await work()
  return usageBetween(before, await readUsage(cluster))
}

/** Without callbacks, events are stored but not sent. */
async function measureMeetings(
  cluster: Cluster,
  speed: number,
  receiverUrl: string,
  callbacks: 'all callbacks' | 'no callbacks' = 'no callbacks',
) {
  const body = {
    url: `practice://long?speed=${speed}`,
    callbackUrl: `${receiverUrl}/count`,
    ...(callbacks === 'no callbacks' && { events: [] }),
  }
  const ids = await startMeetings(cluster, SIZES.meetings, () => body)
  await waitUntilLive(cluster, ids)
  await sleep(SPOKEN_MS)
  const usage = await measureWhile(cluster, () => sleep(SIZES.seconds * 2_000))
  await stopMeetings(cluster, ids)
  await eventually(async () => {
    const [row] = await cluster.database.query<{ open: number }>(
      "select count(*)::int as open from meeting where status not in ('ended', 'error')",
    )
    return row?.open === 0 ? true : null
  })
  return { ids, usage }
}

async function waitForExecutions(cluster: Cluster): Promise<void> {
  await eventually(async () => {
    const [row] = await cluster.database.query<{ ended: number }>(
      "select count(*)::int as ended from execution where status not in ('queued', 'running')",
    )
    return (row?.ended ?? 0) >= SIZES.tasks ? true : null
  }, 180_000)
}

const RESOURCES = ['nodeCpuMs', 'databaseCpuMs', 'walBytes', 'walRecords', 'statements'] as const
type Resource = (typeof RESOURCES)[number]

type Measured = {
  idle: Usage
  slow: Usage
  fast: Usage
  calling: Usage
  deliveries: Usage
  executions: Usage
  meetings: number
}

/** Subtracts the cost of the idle time from every measurement. */
export function calculateUnitCosts(measured: Measured): Omit<UnitCosts, 'bytes'> {
  const { idle, slow, fast, calling, deliveries, executions, meetings } = measured
  const idlePerMs = (resource: Resource) => idle[resource] / idle.atMs
  const net = (usage: Usage, resource: Resource) =>
    usage[resource] - idlePerMs(resource) * usage.atMs
  const rate = (usage: Usage, resource: Resource) => net(usage, resource) / (usage.atMs / 1000)
  const of = (calculate: (resource: Resource) => number) =>
    Object.fromEntries(RESOURCES.map((resource) => [resource, calculate(resource)])) as Record<
      Resource,
      number
    >
  const segmentsPerSecond = (usage: Usage) => usage.segments / (usage.atMs / 1000)
  const segment = of((resource) => {
    const moreSegments = segmentsPerSecond(fast) - segmentsPerSecond(slow)
    return (rate(fast, resource) - rate(slow, resource)) / moreSegments
  })
  return {
    idleSecond: of((resource) => idlePerMs(resource) * 1000),
    meetingSecond: of((resource) =>
      Math.max(0, (rate(slow, resource) - segment[resource] * segmentsPerSecond(slow)) / meetings),
    ),
    segment,
    callbacksSecond: of((resource) =>
      Math.max(0, (rate(calling, resource) - rate(slow, resource)) / meetings),
    ),
    delivery: of((resource) => net(deliveries, resource) / deliveries.deliveries),
    execution: of((resource) => net(executions, resource) / executions.executions),
    segmentsPerMeetingSecond: segmentsPerSecond(slow) / meetings,
    eventsPerSegment: slow.events / slow.segments,
  }
}

function costFigures(costs: Omit<UnitCosts, 'bytes'>): Figure[] {
  const units = {
    'an idle node, a second': costs.idleSecond,
    'a meeting, a second': costs.meetingSecond,
    'a segment, with its event and captions': costs.segment,
    'callbacks of a meeting, a second': costs.callbacksSecond,
    'a delivery of a stored event': costs.delivery,
    'an execution': costs.execution,
  }
  return Object.entries(units).flatMap(([name, cost]): Figure[] => [
    {
      name: `${name}: processor`,
      value: `${cost.nodeCpuMs.toFixed(2)} + ${cost.databaseCpuMs.toFixed(2)} ms`,
      goal: 'node + PostgreSQL',
    },
    {
      name: `${name}: WAL`,
      value: `${cost.walBytes.toFixed(0)} B, ${cost.walRecords.toFixed(1)} rec.`,
      goal: `${cost.statements.toFixed(1)} statements`,
    },
  ])
}

/** Bytes including indexes, for each row of a table and for each segment of a document. */
async function readBytesKept(cluster: Cluster): Promise<UnitCosts['bytes']> {
  await cluster.database.query('vacuum analyze')
  const [row] = await cluster.database.query<Record<keyof UnitCosts['bytes'], string>>(`
    select pg_total_relation_size('segment') / greatest(1, (select count(*) from segment)) as segment,
      pg_total_relation_size('event') / greatest(1, (select count(*) from event)) as event,
      pg_total_relation_size('delivery_attempt') / greatest(1, (select count(*) from delivery_attempt)) as delivery,
      pg_total_relation_size('execution') / greatest(1, (select count(*) from execution)) as execution,
      (select coalesce(sum(document_size), 0) / greatest(1, sum(segment_count)) from meeting) as "documentLine"`)
  const figure = (name: keyof UnitCosts['bytes']) => Number(row?.[name] ?? 0)
  return {
    segment: figure('segment'),
    event: figure('event'),
    delivery: figure('delivery'),
    execution: figure('execution'),
    documentLine: figure('documentLine'),
  }
}
