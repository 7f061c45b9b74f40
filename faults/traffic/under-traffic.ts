import { eventually } from '../../test/support/time/eventually.ts'
import { openCluster, type Cluster, type ClusterOptions } from '../cluster/cluster.ts'
import type { RowContext, RowResult } from '../fault-row.ts'
import { followArrivals, type Arrivals } from './arrivals.ts'
import { startBackgroundStarts } from './background-starts.ts'
import { checkMeetings, type MeetingCheckResult } from './meeting-checks.ts'
import { startMeetings, stopMeetings, waitUntilDelivered, waitUntilLive } from './meetings.ts'

const MEETINGS = { full: 30, short: 12 }
/** Much longer than any row allows, so that a slow return can be measured. */
const ATTENDED_LIMIT_MS = 120_000

export type Traffic = {
  cluster: Cluster
  /** The meetings that run during the whole row. */
  ids: readonly string[]
  /** Reports a problem, which fails the row. */
  report(problem: string): void
  /**
   * Resolves when every meeting has delivered a caption from after the given wall-clock time, with the milliseconds
   * since then. Reports a problem if this takes longer than the limit.
   */
  waitUntilAttended(since: number, limitMs: number, what: string): Promise<number>
}

export type InjectedFault = {
  figure: string
  values: Record<string, number>
  /** Further meetings that the row started and that must be complete too. */
  startedIds?: readonly string[]
}

export type TrafficOptions = ClusterOptions & {
  context: RowContext
  inject(traffic: Traffic): Promise<InjectedFault>
}

/** Runs meetings and starts more of them on three nodes, causes a fault, and checks that nothing was lost. */
export async function runUnderTraffic(options: TrafficOptions): Promise<RowResult> {
  const { context, inject, ...clusterOptions } = options
  await using cluster = await openCluster(clusterOptions)
  const arrivals = followArrivals(cluster.receiver)
  const problems: string[] = []
  try {
    const count = context.isShort ? MEETINGS.short : MEETINGS.full
    const ids = await startMeetings(cluster, count, () => ({}))
    await waitUntilLive(cluster, ids)
    await using starts = startBackgroundStarts(cluster)
    const traffic = createTraffic({ cluster, ids, arrivals, problems })
    const injected = await inject(traffic)
    const answers = await starts.stop()
    await traffic.waitUntilAttended(Date.now(), 30_000, 'at the end')
    const { startedIds = [] } = injected
    await stopMeetings(cluster, [...ids, ...startedIds])
    const all = [...ids, ...startedIds, ...answers.ids]
    const open = await waitUntilDelivered(cluster, all)
    const checked = await checkMeetings(cluster, all)
    problems.push(...answers.problems, ...checked.problems)
    if (open.length > 0) problems.push(`not over or not delivered: ${open.join(', ')}`)
    return {
      figure: `${injected.figure}; ${describeChecked(all.length, checked)}`,
      values: { ...injected.values, ...toValues(all.length, answers.refused, checked) },
      problems,
    }
  } finally {
    for (const node of cluster.nodes) context.saveLog(node.name, node.log())
  }
}

function createTraffic(parts: {
  cluster: Cluster
  ids: readonly string[]
  arrivals: Arrivals
  problems: string[]
}): Traffic {
  const { cluster, ids, arrivals, problems } = parts
  return {
    cluster,
    ids,
    report: (problem) => void problems.push(problem),
    async waitUntilAttended(since, limitMs, what) {
      const isBack = (id: string) => arrivals.newestCaptionAt(id) > since
      await eventually(
        () => (ids.every(isBack) || Date.now() - since > ATTENDED_LIMIT_MS ? true : null),
        ATTENDED_LIMIT_MS * 2,
      )
      const missing = ids.filter((id) => !isBack(id)).length
      const tookMs = Date.now() - since
      if (missing > 0) problems.push(`${missing} meetings are not attended again ${what}`)
      else if (tookMs > limitMs)
        problems.push(
          `attended again after ${seconds(tookMs)} ${what}, allowed ${seconds(limitMs)}`,
        )
      return tookMs
    },
  }
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

function describeChecked(meetings: number, { counts, rejoins }: MeetingCheckResult): string {
  const { events, lost, doubled, outOfOrder, repeats } = counts
  return `${meetings} meetings, ${events} events: ${lost} lost, ${doubled} doubled, ${outOfOrder} out of order, ${repeats} repeated; ${rejoins} rejoins`
}

function toValues(
  meetings: number,
  refusedStarts: number,
  { counts, rejoins }: MeetingCheckResult,
): Record<string, number> {
  return { meetings, refusedStarts, ...counts, rejoins }
}
