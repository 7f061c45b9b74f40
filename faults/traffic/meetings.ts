import { createConcurrencyLimit } from '../../src/lib/async/queues.ts'
import { eventually } from '../../test/support/time/eventually.ts'
import type { ClusterNode } from '../cluster/cluster-node.ts'
import type { CallOptions, Cluster } from '../cluster/cluster.ts'

const STARTS_AT_ONCE = 10
const READS_AT_ONCE = 10
const LIVE_MS = 120_000
const STOPPED_MS = 60_000
const DELIVERED_MS = 180_000

export type MeetingState = {
  status: string
  reason: string | null
  visits: number
  delivery: { state: string; pending: number; failed: number } | null
}

/** A meeting of half an hour, which a row stops when it has seen enough. */
const LONG_MEETING = 'practice://long?speed=2'

/** Starts meetings on the nodes in turn and returns their ids. */
export async function startMeetings(
  cluster: Cluster,
  count: number,
  bodyOf: (i: number) => object,
  options: Pick<CallOptions, 'token'> & { nodes?: ReadonlyArray<Pick<ClusterNode, 'url'>> } = {},
): Promise<string[]> {
  const { nodes = cluster.nodes, ...more } = options
  const limit = createConcurrencyLimit(STARTS_AT_ONCE)
  const start = async (i: number) => {
    const node = nodes[i % nodes.length]
    if (node === undefined) throw new Error('there is no node')
    const body = { url: LONG_MEETING, callbackUrl: cluster.receiver.url, ...bodyOf(i) }
    const path = '/api/v1/meetings/start'
    const answer = await cluster.call(node, 'POST', path, { body, timeoutMs: 30_000, ...more })
    if (answer.status !== 201)
      throw new Error(`start answered ${answer.status} ${JSON.stringify(answer.body)}`)
    return String(answer.body['meetingId'])
  }
  return Promise.all(Array.from({ length: count }, (_, i) => limit(() => start(i))))
}

export async function readMeeting(cluster: Cluster, id: string): Promise<MeetingState> {
  const { meeting } = await cluster.read(`/api/v1/meetings/${id}`)
  return meeting as MeetingState
}

/** Resolves when every meeting has a bot in the call. Rejects if a meeting has ended before. */
export async function waitUntilLive(cluster: Cluster, ids: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { meetings } = await cluster.read('/api/v1/meetings/status')
    const rows = meetings as Array<{ meetingId: string; status: string }>
    const statuses = new Map(rows.map(({ meetingId, status }) => [meetingId, status]))
    const gone = ids.find((id) => !statuses.has(id))
    if (gone !== undefined) {
      const { status, reason } = await readMeeting(cluster, gone)
      if (['ended', 'error'].includes(status))
        throw new Error(`${gone} is ${status} (${reason}) before all meetings are live`)
    }
    return ids.every((id) => statuses.get(id) === 'live') ? true : null
  }, LIVE_MS)
}

/** Stops the meetings through any node that answers. Rejects if a meeting could not be stopped within a minute. */
export async function stopMeetings(cluster: Cluster, ids: readonly string[]): Promise<void> {
  const limit = createConcurrencyLimit(STARTS_AT_ONCE)
  const stop = (meetingId: string) =>
    eventually(async () => {
      const node = cluster.nodes.find((each) => each.isRunning())
      if (node === undefined) throw new Error('no node is running')
      const body = { meetingId }
      const { status } = await cluster.call(node, 'POST', '/api/v1/meetings/stop', { body })
      return status === 200 ? true : null
    }, STOPPED_MS)
  await Promise.all(ids.map((id) => limit(() => stop(id))))
}

/** Waits until the meetings are over and nothing is pending. Returns the ids of the meetings that did not get there. */
export async function waitUntilDelivered(
  cluster: Cluster,
  ids: readonly string[],
  limitMs = DELIVERED_MS,
): Promise<string[]> {
  const endsAt = performance.now() + limitMs
  const limit = createConcurrencyLimit(READS_AT_ONCE)
  let open = [...ids]
  while (open.length > 0 && performance.now() < endsAt) {
    const states = await Promise.all(open.map((id) => limit(() => readMeeting(cluster, id))))
    open = open.filter((_, i) => !isDelivered(states[i]))
    if (open.length > 0) await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return open
}

function isDelivered(meeting: MeetingState | undefined): boolean {
  return (
    meeting !== undefined &&
    ['ended', 'error'].includes(meeting.status) &&
    (meeting.delivery === null || meeting.delivery.pending === 0)
  )
}
