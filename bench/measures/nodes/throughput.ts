import { setTimeout as sleep } from 'node:timers/promises'
import { openCluster, type Cluster } from '../../../faults/cluster/cluster.ts'
import { startMeetings, stopMeetings, waitUntilLive } from '../../../faults/traffic/meetings.ts'
import { eventually } from '../../../test/support/time/eventually.ts'
import { openRoundRobinProxy } from '../../servers/round-robin.ts'
import { runLoad } from '../../support/http-load.ts'
import { startReceiverProcess, type ReceiverProcess } from '../../support/receiver-process.ts'
import { printFigures, type Figure } from './goals.ts'
import {
  COUNTING_OPTIONS,
  enableStatementCounts,
  readUsage,
  usageBetween,
  type Usage,
} from './server-usage.ts'
import { DOCUMENTS_ENV, HAS_OWN_FOLDERS, SIZES } from './sizes.ts'

const NODE_COUNTS = [1, 2, 3]
const SPOKEN_MS = 5_000
const REPLAYS = 2
/** Plays the whole script within seconds, to have events to send. */
const FAST_MEETING = 'practice://long?speed=100'
const FAST_MEETINGS = 12

type NodeFigures = {
  reads: number
  deliveries: number
  idleStatements: number
  statementsPerEvent: number
  /** Processor time for each event, including its captions and its delivery. */
  nodeCpuMsPerEvent: number
  databaseCpuMsPerEvent: number
}

/** The same work with 1, 2 and 3 nodes on this machine. */
export async function measureThroughput(): Promise<void> {
  console.log(
    '  throughput; in brackets against one node. All nodes, PostgreSQL, the proxy and the load share the cores of this machine, so more nodes show their overhead, not a speed-up',
  )
  let one: NodeFigures | null = null
  for (const nodeCount of NODE_COUNTS) {
    const measured = await measureWith(nodeCount)
    one ??= measured
    printFigures(`${nodeCount} nodes`, describe(measured, one))
  }
}

function describe(each: NodeFigures, one: NodeFigures): Figure[] {
  const compared = (name: keyof NodeFigures, digits: number) =>
    `${each[name].toFixed(digits)} (${(each[name] / one[name]).toFixed(2)})`
  return [
    { name: 'API reads a second', value: compared('reads', 0) },
    { name: 'deliveries a second', value: compared('deliveries', 0) },
    { name: 'statements a second, idle', value: compared('idleStatements', 1) },
    { name: 'statements for each event', value: compared('statementsPerEvent', 2) },
    { name: 'processor of nodes for each event, ms', value: compared('nodeCpuMsPerEvent', 2) },
    {
      name: 'processor of PostgreSQL for each event, ms',
      value: compared('databaseCpuMsPerEvent', 2),
    },
  ]
}

async function measureWith(nodeCount: number): Promise<NodeFigures> {
  await using stack = new AsyncDisposableStack()
  const cluster = stack.use(
    await openCluster({
      nodeCount,
      hasOwnFolders: HAS_OWN_FOLDERS,
      env: DOCUMENTS_ENV,
      serverOptions: COUNTING_OPTIONS,
    }),
  )
  await enableStatementCounts(cluster)
  const proxy = stack.use(await openRoundRobinProxy(() => cluster.nodes.map((node) => node.url())))
  const receiver = stack.use(await startReceiverProcess())
  const target = { url: () => proxy.url }
  const idle = await measureSeconds(cluster)
  const url = `practice://long?speed=${SIZES.speed}`
  const body = { url, callbackUrl: `${receiver.url}/count` }
  const ids = await startMeetings(cluster, SIZES.meetings, () => body, { nodes: [target] })
  await waitUntilLive(cluster, ids)
  await sleep(SPOKEN_MS)
  const busy = await measureSeconds(cluster)
  await stopMeetings(cluster, ids)
  // The statements of heartbeats and polls do not depend on events.
  const perEvent = (name: 'statements' | 'nodeCpuMs' | 'databaseCpuMs') =>
    (busy[name] - idle[name] * (busy.atMs / idle.atMs)) / busy.events
  const deliveries = await measureDeliveries(cluster, target, receiver)
  const headers = { 'x-api-key': cluster.token.apiKey }
  const { perSecond: reads } = await runLoad(
    `${proxy.url}/api/v1/meetings?limit=20`,
    headers,
    SIZES.seconds,
  )
  return {
    reads,
    deliveries,
    idleStatements: idle.statements / (idle.atMs / 1000),
    statementsPerEvent: perEvent('statements'),
    nodeCpuMsPerEvent: perEvent('nodeCpuMs'),
    databaseCpuMsPerEvent: perEvent('databaseCpuMs'),
  }
}

async function measureSeconds(cluster: Cluster): Promise<Usage> {
  const before = await readUsage(cluster)
  await sleep(SIZES.seconds * 1000)
  return usageBetween(before, await readUsage(cluster))
}

/** Events per second of lanes that are all due at the same time. */
async function measureDeliveries(
  cluster: Cluster,
  target: { url(): string },
  receiver: ReceiverProcess,
): Promise<number> {
  const body = { url: FAST_MEETING, callbackUrl: `${receiver.url}/count`, events: [] }
  const ids = await startMeetings(cluster, FAST_MEETINGS, () => body, { nodes: [target] })
  await eventually(async () => {
    const [row] = await cluster.database.query<{ open: number }>(
      "select count(*)::int as open from meeting where status not in ('ended', 'error')",
    )
    return row?.open === 0 ? true : null
  })
  return await replayMeetings(cluster, receiver, ids)
}

/** Sends all stored events of the meetings several times, each time in new lanes. */
export async function replayMeetings(
  { database }: Cluster,
  receiver: ReceiverProcess,
  ids: readonly string[],
): Promise<number> {
  const [stored] = await database.query<{ count: number }>(
    'select count(*)::int as count from event where meeting_id = any($1)',
    [ids],
  )
  const wanted = (await receiver.count()) + (stored?.count ?? 0) * REPLAYS
  const began = performance.now()
  await database.query(
    `insert into lane (id, meeting_id, kind, url, token_id, events, ends_at, due_at, created_at)
     select 'again_' || n || lane.id, meeting_id, 'replay', lane.url || '/' || n || meeting_id, lane.token_id, null,
       last_sequence, now(), now()
     from lane join meeting on meeting.id = meeting_id, generate_series(1, $2::int) n
     where kind = 'meeting' and meeting_id = any($1)`,
    [ids, REPLAYS],
  )
  await receiver.reaches(wanted)
  return ((stored?.count ?? 0) * REPLAYS) / ((performance.now() - began) / 1000)
}
