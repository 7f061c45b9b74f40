import { setTimeout as sleep } from 'node:timers/promises'
import {
  openDatabaseProxy,
  type DatabaseProxy,
} from '../../test/support/database/database-proxy.ts'
import { eventually } from '../../test/support/time/eventually.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { ClusterNode } from '../cluster/cluster-node.ts'
import type { FaultRow } from '../fault-row.ts'
import { readMeeting } from '../traffic/meetings.ts'
import { runUnderTraffic, seconds, type Traffic } from '../traffic/under-traffic.ts'

/** The other nodes take over after 15 s without a heartbeat. */
const TAKEN_OVER_MS = 25_000
/** Until this time after the drop, the cut node may still send partial captions, which no write has checked. */
const PARTIALS_END_MS = 6_000
/** The node is fit again within this time after the link is back. */
const FIT_MS = 5_000
const FIT_LIMIT_MS = 120_000
const CUT_NODE = 1

export function droppedLinkOf(droppedSeconds: number): FaultRow {
  return {
    about: `nothing passes between a node and the database for ${droppedSeconds} s`,
    async run(context) {
      await using stack = new AsyncDisposableStack()
      let link: DatabaseProxy | null = null
      return await runUnderTraffic({
        context,
        async databaseUrl(i, { url }) {
          if (i !== CUT_NODE) return url()
          link = stack.use(await openDatabaseProxy(url()))
          return url(link.port)
        },
        async inject(traffic) {
          const node = traffic.cluster.nodes[CUT_NODE]
          if (link === null || node === undefined) throw new Error('there is no link')
          const droppedAt = Date.now()
          link.stopForwarding()
          const dropped = sleep(droppedSeconds * 1000)
          const waitedMs = await traffic.waitUntilAttended(
            droppedAt + PARTIALS_END_MS,
            TAKEN_OVER_MS - PARTIALS_END_MS,
            `after the link was dropped and ${seconds(PARTIALS_END_MS)} had passed`,
          )
          const takenOverMs = PARTIALS_END_MS + waitedMs
          await dropped
          link.resumeForwarding()
          const fitMs = await measureFit(traffic, node)
          return {
            figure: `attended again ${seconds(takenOverMs)} after the drop, node fit ${seconds(fitMs)} after the link is back`,
            values: { takenOverMs, fitMs },
          }
        },
      })
    },
  }
}

/** The time until the node is ready and accepts a meeting, which a bot then attends without losing it. */
async function measureFit(traffic: Traffic, node: ClusterNode): Promise<number> {
  const { cluster } = traffic
  const began = performance.now()
  const id = await eventually(async () => {
    const options = {
      body: { url: 'practice://host-ends?speed=4', callbackUrl: cluster.receiver.url },
      timeoutMs: FIT_MS,
    }
    const ready = await cluster.call(node, 'GET', '/readyz', { timeoutMs: FIT_MS })
    if (ready.status !== 200) return null
    const answer = await cluster.call(node, 'POST', '/api/v1/meetings/start', options)
    return answer.status === 201 ? String(answer.body['meetingId']) : null
  }, FIT_LIMIT_MS)
  const fitMs = performance.now() - began
  if (fitMs > FIT_MS)
    traffic.report(`the node is fit after ${seconds(fitMs)}, allowed ${seconds(FIT_MS)}`)
  await checkAttendedOnce(cluster, traffic, id)
  return fitMs
}

async function checkAttendedOnce(cluster: Cluster, traffic: Traffic, id: string): Promise<void> {
  const { status, visits } = await eventually(async () => {
    const meeting = await readMeeting(cluster, id)
    return ['ended', 'error'].includes(meeting.status) ? meeting : null
  }, FIT_LIMIT_MS)
  if (status !== 'ended' || visits !== 1)
    traffic.report(`the first meeting after the drop is ${status} after ${visits} visits`)
}
