import {
  startRawReceiver,
  type RawHttpRequest,
} from '../../test/support/callbacks/loopback-receivers.ts'
import { openCluster, type Cluster } from '../cluster/cluster.ts'
import type { FaultRow } from '../fault-row.ts'
import { followArrivals } from '../traffic/arrivals.ts'
import {
  addCounts,
  countDeliveryErrors,
  describeErrors,
  NO_DELIVERIES,
  type DeliveryCounts,
} from '../traffic/delivery-counts.ts'
import { readAllEvents } from '../traffic/meeting-checks.ts'
import { startMeetings, waitUntilDelivered } from '../traffic/meetings.ts'
import { percentile } from '../traffic/percentile.ts'
import { readPath, readRawCall, type RawCall } from '../traffic/raw-calls.ts'
import { ACCEPT, RECEIVER_KINDS } from './receiver-kinds.ts'

const HEALTHY_MEETINGS = 15
/** Of every this many requests, a failing receiver fails the first one. */
const FAILS_EVERY = 3
/** The median age of an event when it arrives at a healthy receiver next to the others. */
const HEALTHY_P50_MS = 250
const MEETING = { url: 'practice://host-ends?speed=2', coach: false }

export const receivers: FaultRow = {
  about: 'thirty kinds of unusual and broken receivers, beside healthy ones',
  async run(context) {
    await using cluster = await openCluster({ env: { HANSARD_CALLBACK_TIMEOUT: '2' } })
    const arrivals = followArrivals(cluster.receiver)
    const calls: RawCall[] = []
    const requestCounts = new Map<number, number>()
    await using server = await startRawReceiver((request) => {
      const kindIndex = Number(readPath(request).split('/').at(-1))
      const nth = requestCounts.get(kindIndex) ?? 0
      requestCounts.set(kindIndex, nth + 1)
      calls.push(answerAs(kindIndex, nth, request))
    })
    try {
      const kindIds = await startMeetings(cluster, RECEIVER_KINDS.length, (i) => ({
        ...MEETING,
        callbackUrl: `http://127.0.0.1:${server.port}/kind/${i}`,
      }))
      const healthyIds = await startMeetings(cluster, HEALTHY_MEETINGS, () => MEETING)
      const open = await waitUntilDelivered(cluster, [...kindIds, ...healthyIds], 300_000)
      const healthyP50Ms = percentile(arrivals.takeAges(new Set(healthyIds)), 0.5)
      const problems = open.map((id) => `not delivered: ${nameOf(kindIds.indexOf(id))}`)
      if (!(healthyP50Ms <= HEALTHY_P50_MS))
        problems.push(
          `p50 at healthy receivers is ${healthyP50Ms} ms, allowed ${HEALTHY_P50_MS} ms`,
        )
      const counts = await countAll(cluster, kindIds, calls, problems)
      const { events, lost, doubled, outOfOrder, repeats } = counts
      return {
        figure: `${kindIds.length} kinds, ${events} events in ${calls.length} requests: ${lost} lost, ${doubled} doubled, ${outOfOrder} out of order, ${repeats} repeated; healthy ones p50 ${healthyP50Ms} ms`,
        values: { kinds: kindIds.length, ...counts, healthyP50Ms },
        problems,
      }
    } finally {
      for (const node of cluster.nodes) context.saveLog(node.name, node.log())
    }
  },
}

const nameOf = (kindIndex: number) => RECEIVER_KINDS[kindIndex]?.name ?? 'a healthy receiver'

function answerAs(kindIndex: number, nth: number, request: RawHttpRequest): RawCall {
  const kind = RECEIVER_KINDS[kindIndex]
  if (kind === undefined) throw new Error(`there is no kind ${kindIndex}`)
  const isNormal = !kind.isAccepted && nth % FAILS_EVERY > 0
  if (isNormal) request.socket.write(ACCEPT)
  else kind.answer(request)
  return readRawCall(request, isNormal || kind.isAccepted)
}

async function countAll(
  cluster: Cluster,
  kindIds: readonly string[],
  calls: readonly RawCall[],
  problems: string[],
): Promise<DeliveryCounts> {
  let sum = NO_DELIVERIES
  for (const [kindIndex, id] of kindIds.entries()) {
    const events = await readAllEvents(cluster, id)
    const counts = countDeliveryErrors(
      calls.filter(({ meetingId }) => meetingId === id),
      events.map(({ sequence }) => sequence),
    )
    problems.push(...describeErrors(counts).map((error) => `${nameOf(kindIndex)}: ${error}`))
    sum = addCounts(sum, counts)
  }
  return sum
}
