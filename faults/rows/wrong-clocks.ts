import type { FaultRow } from '../fault-row.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { startMeetings, waitUntilLive } from '../traffic/meetings.ts'
import { runUnderTraffic, seconds, type Traffic } from '../traffic/under-traffic.ts'

const HOUR_MS = 3_600_000
/** A caption of each meeting arrives within this time after the start. */
const ATTENDED_MS = 20_000
const WRONG_NODE = 1

/** From the start, one of the three nodes has a wrong machine clock. */
export function clockWrongBy(hours: number): FaultRow {
  const direction = hours > 0 ? 'ahead' : 'behind'
  const clockOffsetsMs = [0, hours * HOUR_MS, 0]
  return {
    about: `the clock of one node is ${Math.abs(hours)} h ${direction}, and 60 more meetings start on all nodes`,
    run: (context) =>
      runUnderTraffic({
        context,
        clockOffsetsMs,
        async inject(traffic) {
          const { cluster } = traffic
          const count = context.isShort ? 15 : 60
          const startedAt = Date.now()
          const ids = await startMeetings(cluster, count, () => ({}))
          await waitUntilLive(cluster, ids)
          const liveMs = Date.now() - startedAt
          await traffic.waitUntilAttended(Date.now(), ATTENDED_MS, 'with a wrong clock')
          await checkReported(cluster, traffic)
          return {
            startedIds: ids,
            figure: `${count} of ${count} further starts live after ${seconds(liveMs)}, the clock is reported`,
            values: { starts: count, liveMs },
          }
        },
      }),
  }
}

/** The readiness and the metrics of this node must show the wrong clock. Those of the other nodes must not. */
async function checkReported(cluster: Cluster, traffic: Traffic): Promise<void> {
  for (const [i, node] of cluster.nodes.entries()) {
    const { body } = await cluster.call(node, 'GET', '/readyz')
    const checks = body['checks'] as Array<{ name: string; ok: boolean }>
    const isOk = checks.find(({ name }) => name === 'clock')?.ok
    if (isOk !== (i !== WRONG_NODE))
      traffic.report(`/readyz of ${node.name} says ${isOk} for clock`)
    const { body: metrics } = await cluster.call(node, 'GET', '/metrics')
    const [, offset = 'nothing'] =
      /^hansard_clock_offset_seconds\S* (\S+)/m.exec(String(metrics['text'])) ?? []
    const isShown = Math.abs(Number(offset)) > 5
    if (isShown !== (i === WRONG_NODE))
      traffic.report(`hansard_clock_offset_seconds of ${node.name} is ${offset}`)
  }
}
