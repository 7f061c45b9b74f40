import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterNode } from '../../../faults/cluster/cluster-node.ts'
import { openPartition } from './partition.ts'
import type { FaultPart, FaultTools, InjectedFault } from './fault-run.ts'
import { SIZES } from './sizes.ts'

const PAUSE_MS = 20_000
const DATABASE_DOWN_MS = 3_000
const PARTITION_MS = 30_000
const CUT_NODE = 1

function nodeAt({ cluster }: FaultTools, i: number): ClusterNode {
  const node = cluster.nodes[i % cluster.nodes.length]
  if (node === undefined) throw new Error('there is no node')
  return node
}

const kill: FaultPart = {
  title: 'kill -9 of a node',
  expectsHandOver: true,
  attendedGoalMs: 3_000,
  async inject(tools) {
    const faults: InjectedFault[] = []
    for (let i = 0; i < SIZES.kills; i += 1) {
      const nodeIndex = i % tools.cluster.nodes.length
      const affectedIds = await tools.listMeetingsOf(nodeIndex)
      const fault = { at: Date.now(), affectedIds }
      await nodeAt(tools, nodeIndex).kill()
      await tools.waitUntilAttended(fault)
      await nodeAt(tools, nodeIndex).start()
      faults.push(fault)
    }
    return faults
  },
}

const pause: FaultPart = {
  title: 'SIGSTOP of a node for 20 s',
  expectsHandOver: true,
  async inject(tools) {
    const affectedIds = await tools.listMeetingsOf(CUT_NODE)
    const fault = { at: Date.now(), affectedIds }
    nodeAt(tools, CUT_NODE).pause()
    const paused = sleep(PAUSE_MS)
    await tools.waitUntilAttended(fault)
    await paused
    nodeAt(tools, CUT_NODE).resume()
    return [fault]
  },
}

const rolling: FaultPart = {
  title: 'rolling restart of all nodes',
  expectsHandOver: true,
  async inject(tools) {
    const faults: InjectedFault[] = []
    for (const nodeIndex of tools.cluster.nodes.keys()) {
      const affectedIds = await tools.listMeetingsOf(nodeIndex)
      const fault = { at: Date.now(), affectedIds }
      const { code } = await nodeAt(tools, nodeIndex).stop()
      if (code !== 0) tools.report(`a node exited with ${code} instead of stopping in order`)
      await tools.waitUntilAttended(fault)
      await nodeAt(tools, nodeIndex).start()
      faults.push(fault)
    }
    return faults
  },
}

const database: FaultPart = {
  title: 'restart of the database, 3 s down, once in order and once as a crash',
  expectsHandOver: false,
  async inject({ cluster, measureCaptions }) {
    const faults: InjectedFault[] = []
    for (const how of ['fast', 'crash'] as const) {
      await cluster.database.end(how)
      await sleep(DATABASE_DOWN_MS)
      const at = Date.now()
      await cluster.database.start()
      faults.push({ at, affectedIds: [], captionTimes: await measureCaptions() })
      // Declaring a node dead takes less time, so a wrong hand-over would be noticed.
      await sleep(5_000)
    }
    return faults
  },
}

/** Prepared here, because the address of the database is part of the node's environment. */
async function runPartition(measure: (part: FaultPart) => Promise<void>): Promise<void> {
  await using partition = await openPartition(CUT_NODE)
  await measure({
    title: `network partition of a node and the database for 30 s (${partition.how})`,
    expectsHandOver: true,
    clusterOptions: partition.clusterOptions,
    async inject(tools) {
      const affectedIds = await tools.listMeetingsOf(CUT_NODE)
      const fault = { at: Date.now(), affectedIds }
      partition.drop()
      const dropped = sleep(PARTITION_MS)
      await tools.waitUntilAttended(fault)
      await dropped
      partition.restore()
      return [fault]
    },
  })
}

type Measure = (part: FaultPart) => Promise<void>

/** The faults in the order in which they run. */
export const FAULT_PARTS: Readonly<Record<string, (measure: Measure) => Promise<void>>> = {
  kill: (measure) => measure(kill),
  pause: (measure) => measure(pause),
  rolling: (measure) => measure(rolling),
  database: (measure) => measure(database),
  partition: runPartition,
}
