import { setTimeout as sleep } from 'node:timers/promises'
import { startRawReceiver } from '../../test/support/callbacks/loopback-receivers.ts'
import { openCluster } from '../cluster/cluster.ts'
import type { FaultRow } from '../fault-row.ts'
import { followArrivals } from '../traffic/arrivals.ts'
import { checkMeetings } from '../traffic/meeting-checks.ts'
import {
  startMeetings,
  stopMeetings,
  waitUntilDelivered,
  waitUntilLive,
} from '../traffic/meetings.ts'
import { percentile } from '../traffic/percentile.ts'
import { trickle } from './receiver-kinds.ts'

const SIZES = {
  full: { healthy: 60, trickling: 900, seconds: 30 },
  short: { healthy: 20, trickling: 150, seconds: 15 },
}
/** The median age of an event when it arrives at a healthy receiver. */
const P50_MS = 250
/** Only a few events for each meeting, because this row tests receivers, not load. */
const MEETING = {
  url: 'practice://long?speed=1',
  events: ['segment_finalized', 'meeting_status'],
  saveTranscript: false,
  coach: false,
}

export const tricklingReceivers: FaultRow = {
  about: '900 receivers answer 200 with a body that never ends, beside 60 healthy ones',
  async run(context) {
    const size = context.isShort ? SIZES.short : SIZES.full
    await using cluster = await openCluster()
    const arrivals = followArrivals(cluster.receiver)
    let trickled = 0
    await using server = await startRawReceiver((request) => {
      trickled += 1
      trickle('HTTP/1.1 200 OK\r\n\r\n')(request)
    })
    try {
      const healthy = await startMeetings(cluster, size.healthy, () => MEETING)
      await waitUntilLive(cluster, healthy)
      const ids = new Set(healthy)
      arrivals.takeAges(ids)
      await sleep(size.seconds * 1000)
      const aloneP50Ms = percentile(arrivals.takeAges(ids), 0.5)
      const trickling = await startMeetings(cluster, size.trickling, (i) => ({
        ...MEETING,
        callbackUrl: `http://127.0.0.1:${server.port}/${i}`,
      }))
      await waitUntilLive(cluster, trickling)
      arrivals.takeAges(ids)
      await sleep(size.seconds * 1000)
      const ages = arrivals.takeAges(ids)
      const [besideP50Ms, besideP99Ms] = [percentile(ages, 0.5), percentile(ages, 0.99)]
      await stopMeetings(cluster, [...trickling, ...healthy])
      const open = await waitUntilDelivered(cluster, healthy)
      const { counts, problems } = await checkMeetings(cluster, healthy, MEETING.events)
      problems.push(...open.map((id) => `not delivered: ${id}`))
      if (!(besideP50Ms <= P50_MS))
        problems.push(`p50 beside trickling receivers is ${besideP50Ms} ms, allowed ${P50_MS} ms`)
      return {
        figure: `${size.healthy} healthy p50 ${aloneP50Ms} ms alone, ${besideP50Ms} ms beside ${size.trickling} trickling (p99 ${besideP99Ms} ms, ${trickled} trickled answers); ${counts.events} events, ${counts.lost} lost`,
        values: { ...size, aloneP50Ms, besideP50Ms, besideP99Ms, trickled, ...counts },
        problems,
      }
    } finally {
      for (const node of cluster.nodes) context.saveLog(node.name, node.log())
    }
  },
}
