import { setTimeout as sleep } from 'node:timers/promises'
import { openCluster } from '../../../faults/cluster/cluster.ts'
import { startMeetings, stopMeetings, waitUntilLive } from '../../../faults/traffic/meetings.ts'
import { channelOfNode, NODE_MESSAGE_CHANNEL } from '../../../src/db/nodes/heartbeats.ts'
import { splitMessages } from '../../../src/db/nodes/node-messages.ts'
import { startReceiverProcess } from '../../support/receiver-process.ts'
import { printFigures } from './goals.ts'
import { cpuMsOf } from './server-usage.ts'
import { DOCUMENTS_ENV, HAS_OWN_FOLDERS, SIZES } from './sizes.ts'

/** The first delivers most callbacks, because it claims lanes as soon as it has stored a start. */
const ROLES = ['api,tasks', 'tasks', 'bots']
const SETTLE_MS = 5_000

/**
 * What partial captions cost when the node of the bots delivers no callbacks: notifications and processor time of each
 * node for the same meetings.
 */
export async function measurePartials(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const cluster = stack.use(
    await openCluster({ roles: ROLES, hasOwnFolders: HAS_OWN_FOLDERS, env: DOCUMENTS_ENV }),
  )
  const receiver = stack.use(await startReceiverProcess())
  const client = await cluster.database.connect()
  stack.defer(() => client.end())
  const rows = await cluster.database.query<{ id: string }>('select id from node')
  /** What the nodes receive: a notification on the shared channel reaches all of them. */
  const received = { partials: 0, bytes: 0 }
  client.on('notification', ({ channel, payload = '' }) => {
    const readers = channel === NODE_MESSAGE_CHANNEL ? ROLES.length : 1
    for (const message of splitMessages(payload)) {
      if (!message.includes('"callback_partial"')) continue
      received.partials += readers
      received.bytes += readers * Buffer.byteLength(message)
    }
  })
  for (const channel of [NODE_MESSAGE_CHANNEL, ...rows.map(({ id }) => channelOfNode(id))])
    await client.query(`listen "${channel}"`)

  const body = {
    url: `practice://long?speed=${SIZES.speed}`,
    callbackUrl: `${receiver.url}/count`,
  }
  const [api] = cluster.nodes
  if (api === undefined) throw new Error('there is no node')
  const ids = await startMeetings(cluster, SIZES.meetings, () => body, { nodes: [api] })
  await waitUntilLive(cluster, ids)
  await sleep(SETTLE_MS)
  const pids = [...cluster.nodes.map((node) => node.pid()), cluster.database.pid()]
  const read = async () => ({
    ...received,
    at: performance.now(),
    count: await receiver.count(),
    cpuMs: pids.map(cpuMsOf),
  })
  const before = await read()
  await sleep(SIZES.seconds * 1000)
  const after = await read()
  await stopMeetings(cluster, ids)
  const seconds = (after.at - before.at) / 1000
  const perSecond = (name: 'partials' | 'bytes' | 'count') =>
    ((after[name] - before[name]) / seconds).toFixed(1)
  printFigures(`${SIZES.meetings} meetings with callbacks, the bots on a node of their own`, [
    { name: 'callbacks a second', value: perSecond('count') },
    { name: 'partial captions that nodes receive a second', value: perSecond('partials') },
    { name: 'their bytes a second', value: perSecond('bytes') },
    ...[...ROLES, 'PostgreSQL'].map((name, i) => ({
      name: `processor of ${name}, ms a second`,
      value: (((after.cpuMs[i] ?? 0) - (before.cpuMs[i] ?? 0)) / seconds).toFixed(1),
    })),
  ])
}
