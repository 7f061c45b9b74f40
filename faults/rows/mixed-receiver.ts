import { setTimeout as sleep } from 'node:timers/promises'
import { openCluster, type Cluster } from '../cluster/cluster.ts'
import type { FaultRow } from '../fault-row.ts'
import { followArrivals } from '../traffic/arrivals.ts'
import { checkMeetings } from '../traffic/meeting-checks.ts'
import { startMeetings, stopMeetings, waitUntilDelivered } from '../traffic/meetings.ts'
import { percentile } from '../traffic/percentile.ts'
import { seconds } from '../traffic/under-traffic.ts'

const MEETINGS = 15
const REFUSED = 10
/** Meetings of another token, whose secret the receiver does not know yet. */
const OTHER_TOKEN_MEETINGS = 5
/** A meeting that did not fail itself is probed at most this far apart, plus the time to send what has waited. */
const MAX_AGE_MS = 12_000
const P50_MS = 1_000

export const mixedReceiver: FaultRow = {
  about: 'one URL refuses 10 of 15 meetings, and 5 of another token, for two minutes',
  async run(context) {
    await using cluster = await openCluster()
    const [other] = await cluster.createTokens(1)
    if (other === undefined) throw new Error('there is no other token')
    /** The receiver refuses the first meetings that it sees. */
    const refused = new Set<string>()
    let isRefusing = true
    const healthy = new Set<string>()
    const arrivals = followArrivals(cluster.receiver, ({ event }) => {
      const isKnown = refused.has(event.meetingId) || healthy.has(event.meetingId)
      if (!isKnown) (refused.size < REFUSED ? refused : healthy).add(event.meetingId)
      return { status: isRefusing && refused.has(event.meetingId) ? 500 : 204 }
    })
    try {
      const options = { token: other }
      const others = await startMeetings(cluster, OTHER_TOKEN_MEETINGS, () => ({}), options)
      const ids = await startMeetings(cluster, MEETINGS, () => ({}))
      const refusedMs = context.isShort ? 40_000 : 120_000
      await sleep(refusedMs)
      const ages = arrivals.takeAges(healthy)
      const healthyCount = healthy.size
      const problems = judgeAges(ages, healthyCount)
      problems.push(...(await findWrongStates(cluster, healthy)))
      isRefusing = false
      // The refused signatures are part of this fault.
      cluster.receiver.problems.length = 0
      cluster.receiver.trustSecrets(other.signingSecret)
      await stopMeetings(cluster, [...ids, ...others])
      const open = await waitUntilDelivered(cluster, [...ids, ...others], 400_000)
      const { counts, problems: found } = await checkMeetings(cluster, [...ids, ...others])
      problems.push(...open.map((id) => `not delivered: ${id}`), ...found)
      const { events, lost, doubled, outOfOrder } = counts
      const [p50Ms, maxMs] = [percentile(ages, 0.5), Math.max(...ages)]
      return {
        figure: `${healthyCount} healthy meetings got ${ages.length} events in ${seconds(refusedMs)}, p50 ${p50Ms} ms, at most ${seconds(maxMs)}; then ${events} events: ${lost} lost, ${doubled} doubled, ${outOfOrder} out of order`,
        values: { healthyEvents: ages.length, p50Ms, maxMs, ...counts },
        problems,
      }
    } finally {
      for (const node of cluster.nodes) context.saveLog(node.name, node.log())
    }
  },
}

function judgeAges(ages: readonly number[], healthyCount: number): string[] {
  const problems: string[] = []
  if (healthyCount !== MEETINGS - REFUSED || ages.length === 0)
    problems.push(`${healthyCount} healthy meetings got ${ages.length} events`)
  const [p50, max] = [percentile(ages, 0.5), Math.max(...ages)]
  if (p50 > P50_MS) problems.push(`p50 of healthy meetings is ${p50} ms, allowed ${P50_MS} ms`)
  if (max > MAX_AGE_MS)
    problems.push(
      `an event of a healthy meeting waited ${seconds(max)}, allowed ${seconds(MAX_AGE_MS)}`,
    )
  return problems
}

/** A healthy meeting must be `ok`, and one that others hold back must say so. */
async function findWrongStates(cluster: Cluster, healthy: ReadonlySet<string>): Promise<string[]> {
  const { meetings } = await cluster.read('/api/v1/meetings/status')
  type Row = { meetingId: string; delivery: { state: string; oldestPendingAgeMs: number | null } }
  return (meetings as Row[])
    .filter(({ meetingId }) => healthy.has(meetingId))
    .filter(
      ({ delivery }) => delivery.state === 'ok' && (delivery.oldestPendingAgeMs ?? 0) > 10_000,
    )
    .map(({ meetingId }) => `${meetingId} shows ok although its events wait`)
}
