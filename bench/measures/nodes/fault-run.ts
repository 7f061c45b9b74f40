import { setTimeout as sleep } from 'node:timers/promises'
import { openCluster, type Cluster, type ClusterOptions } from '../../../faults/cluster/cluster.ts'
import { followArrivals, type Arrivals } from '../../../faults/traffic/arrivals.ts'
import { checkMeetings } from '../../../faults/traffic/meeting-checks.ts'
import {
  startMeetings,
  stopMeetings,
  waitUntilDelivered,
  waitUntilLive,
} from '../../../faults/traffic/meetings.ts'
import { percentile } from '../../../faults/traffic/percentile.ts'
import { NODE_LOCK_CLASS } from '../../../src/db/nodes/node-rows.ts'
import { eventually } from '../../../test/support/time/eventually.ts'
import { openRoundRobinProxy } from '../../servers/round-robin.ts'
import { countDueTimes, createMinuteTasks, waitForDueTime } from './due-times.ts'
import { mustBeZero, printFigures, type Figure } from './goals.ts'
import { countWordsOfMeetings } from './said-words.ts'
import { DOCUMENTS_ENV, HAS_OWN_FOLDERS, SIZES } from './sizes.ts'
import { openStreamReaders } from './stream-readers.ts'

const MINUTE_MS = 60_000
/** The fault begins this long before a due time of the tasks. */
const BEFORE_DUE_MS = 1_500
/** Segments must be spoken before the fault, so that a lost one is noticed. */
const SPOKEN_MS = 10_000
const ATTENDED_LIMIT_MS = 90_000
const STREAMED_MS = 20_000

/**
 * One fault: when it began, and the meetings of the affected nodes. `captionTimes` are set instead for a fault during
 * which bots stay in their meetings.
 */
export type InjectedFault = {
  at: number
  affectedIds: readonly string[]
  captionTimes?: readonly number[]
}

export type FaultTools = {
  cluster: Cluster
  listMeetingsOf(nodeIndex: number): Promise<string[]>
  /** Resolves when every meeting that lost its bot has one again, after a fault that began at this time. */
  waitUntilAttended(fault: InjectedFault): Promise<void>
  /** For each meeting, the milliseconds from now until the arrival of a caption that was spoken after now. */
  measureCaptions(): Promise<number[]>
  /** Reports a problem, which fails the part. */
  report(problem: string): void
}

export type FaultPart = {
  title: string
  /** True if nodes must hand over their meetings. A restart of the database must not make them do so. */
  expectsHandOver: boolean
  attendedGoalMs?: number
  clusterOptions?: ClusterOptions
  inject(tools: FaultTools): Promise<InjectedFault[]>
}

/** Runs meetings, tasks and streams on three nodes behind the proxy, causes the fault, and counts what was lost. */
export async function measureFault(part: FaultPart): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const cluster = stack.use(
    await openCluster({
      ...part.clusterOptions,
      hasOwnFolders: HAS_OWN_FOLDERS,
      env: { HANSARD_TASKS_CONCURRENCY: '20', ...DOCUMENTS_ENV, ...part.clusterOptions?.env },
    }),
  )
  const running = () => cluster.nodes.filter((node) => node.isStarted())
  const proxy = stack.use(await openRoundRobinProxy(() => running().map((node) => node.url())))
  const target = { url: () => proxy.url }
  const arrivals = followArrivals(cluster.receiver)
  const { apiKey } = cluster.token
  const streams = stack.use(openStreamReaders({ url: proxy.url, apiKey }, SIZES.streams))
  await streams.opened
  await createMinuteTasks(cluster, target, SIZES.tasks)
  const url = `practice://long?speed=${SIZES.speed}`
  const ids = await startMeetings(cluster, SIZES.meetings, () => ({ url }), { nodes: [target] })
  await waitUntilLive(cluster, ids)
  await sleep(SPOKEN_MS)
  const problems: string[] = []
  const firstAt = await waitForDueTime(BEFORE_DUE_MS)
  const faults = await part.inject(createTools(cluster, ids, arrivals, problems))
  const faultEnd = Date.now()
  await eventually(
    () => (ids.every((id) => arrivals.newestCaptionAt(id) > faultEnd) ? true : null),
    ATTENDED_LIMIT_MS,
  )
  const captionsMs = Date.now() - faultEnd
  const lastAt = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const stoppedAt = Date.now()
  await stopMeetings(cluster, ids)
  const open = await waitUntilDelivered(cluster, ids)
  const checked = await checkMeetings(cluster, ids)
  problems.push(...checked.problems)
  const words = await countWordsOfMeetings(cluster, ids, { speed: SIZES.speed, stoppedAt })
  const stored = await readStoredKeys(cluster, ids)
  const streamed = await streams.compare(stored, STREAMED_MS)
  const due = await countDueTimes(cluster, { tasks: SIZES.tasks, firstAt, lastAt })
  const { counts } = checked
  printFigures(
    `${part.title}: ${ids.length} meetings, ${SIZES.tasks} tasks a minute, ${SIZES.streams} streams`,
    [
      ...(await attendanceFigures(cluster, part, faults)),
      { name: 'captions of every meeting again after the end', value: seconds(captionsMs) },
      { name: 'words said', value: String(words.said) },
      { name: 'words lost while nobody attended', value: String(words.lostInGaps) },
      mustBeZero('words lost while attended', words.lostOutside),
      mustBeZero('words doubled', words.doubled),
      mustBeZero('segments out of order', words.outOfOrder),
      { name: 'events, repeated callbacks', value: `${counts.events}, ${counts.repeats}` },
      mustBeZero('events lost', counts.lost),
      mustBeZero('events with a doubled id', counts.doubled),
      mustBeZero('events out of order', counts.outOfOrder),
      mustBeZero('meetings not over or not delivered', open.length),
      mustBeZero('other problems', problems.length),
      { name: 'due times, stale because their node died', value: `${due.dueTimes}, ${due.stale}` },
      mustBeZero('due times without an execution', due.missing),
      mustBeZero('due times with two executions', due.doubled),
      { name: 'streams, resumed', value: `${streamed.streams}, ${streamed.reconnects}` },
      mustBeZero('events missing on a stream', streamed.missing),
      mustBeZero('events doubled on a stream', streamed.doubled),
    ],
  )
  for (const problem of problems.slice(0, 5)) console.log(`      ${problem}`)
}

function createTools(
  cluster: Cluster,
  ids: readonly string[],
  arrivals: Arrivals,
  problems: string[],
): FaultTools {
  return {
    cluster,
    report: (problem) => void problems.push(problem),
    async measureCaptions() {
      const since = Date.now()
      const times = new Map<string, number>()
      await eventually(() => {
        for (const id of ids)
          if (!times.has(id) && arrivals.newestCaptionAt(id) > since)
            times.set(id, Date.now() - since)
        return times.size === ids.length ? true : null
      }, ATTENDED_LIMIT_MS)
      return [...times.values()]
    },
    async listMeetingsOf(nodeIndex) {
      // The session that holds the node's lock has the node's name in the cluster.
      const rows = await cluster.database.query<{ id: string }>(
        `select meeting.id from meeting join node on node.id = owner
         join pg_locks l on locktype = 'advisory' and classid = $1 and objid = lock_number::bigint::oid
         join pg_stat_activity a on a.pid = l.pid
         where application_name = $2 and meeting.id = any($3)`,
        [NODE_LOCK_CLASS, cluster.nodes[nodeIndex]?.name, ids],
      )
      return rows.map(({ id }) => id)
    },
    async waitUntilAttended({ at, affectedIds }) {
      await eventually(async () => {
        const attended = await readAttendedTimes(cluster, affectedIds, at)
        return attended.length === affectedIds.length ? true : null
      }, ATTENDED_LIMIT_MS)
    },
  }
}

/** For each meeting whose gap in this fault has ended: the milliseconds from the fault to the end of the gap. */
async function readAttendedTimes(
  cluster: Cluster,
  ids: readonly string[],
  at: number,
): Promise<number[]> {
  const rows = await cluster.database.query<{ endedAt: Date }>(
    `select distinct on (meeting_id) ended_at as "endedAt" from transcript_gap
     where meeting_id = any($1) and ended_at > $2 order by meeting_id, ended_at`,
    [ids, new Date(at)],
  )
  return rows.map(({ endedAt }) => endedAt.getTime() - at)
}

async function attendanceFigures(
  cluster: Cluster,
  { expectsHandOver, attendedGoalMs }: FaultPart,
  faults: readonly InjectedFault[],
): Promise<Figure[]> {
  if (!expectsHandOver) {
    const [row] = await cluster.database.query<{ count: number }>(
      'select count(*)::int as count from meeting where fence > 1',
    )
    const times = faults.flatMap(({ captionTimes = [] }) => captionTimes)
    return [
      mustBeZero('meetings that changed their node', row?.count ?? 0),
      {
        name: 'captions again, with silence: p50, p95, max',
        value: [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)]
          .map(seconds)
          .join(', '),
      },
    ]
  }
  const times: number[] = []
  for (const { at, affectedIds } of faults)
    times.push(...(await readAttendedTimes(cluster, affectedIds, at)))
  const p95 = percentile(times, 0.95)
  const gaps = await cluster.database.query<{ ms: number }>(
    `select (extract(epoch from ended_at - started_at) * 1000)::float8 as ms from transcript_gap
     where ended_at is not null`,
  )
  const gapTimes = gaps.map(({ ms }) => ms)
  return [
    {
      name: 'gaps in transcripts: p50, p95, longest',
      value: [percentile(gapTimes, 0.5), percentile(gapTimes, 0.95), Math.max(...gapTimes)]
        .map(seconds)
        .join(', '),
    },
    { name: 'meetings without a bot for a time', value: String(times.length) },
    {
      name: 'attended again p50, max',
      value: `${seconds(percentile(times, 0.5))}, ${seconds(Math.max(...times))}`,
    },
    {
      name: 'attended again p95',
      value: seconds(p95),
      ...(attendedGoalMs !== undefined && {
        goal: `at most ${seconds(attendedGoalMs)}`,
        isMet: p95 <= attendedGoalMs,
      }),
    },
  ]
}

async function readStoredKeys(cluster: Cluster, ids: readonly string[]): Promise<Set<string>> {
  const rows = await cluster.database.query<{ key: string }>(
    "select meeting_id || ' ' || sequence as key from event where meeting_id = any($1)",
    [ids],
  )
  return new Set(rows.map(({ key }) => key))
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
