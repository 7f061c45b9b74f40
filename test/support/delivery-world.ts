import { SLOT_LIMITS, type SlotLimits } from '../../src/deliveries/slots.ts'
import { createRandom, type Random } from './caption-streams.ts'
import { createAgenda, type Fault, type Host } from './delivery-world/agenda.ts'
import { checkEnd } from './delivery-world/check-end.ts'
import { startNode, type Node, type NodeParts } from './delivery-world/node.ts'
import { createReceivers } from './delivery-world/receivers.ts'
import type { Tables } from './delivery-world/tables.ts'
import { startTroubles } from './delivery-world/troubles.ts'
import { createWatch } from './delivery-world/watch.ts'

export type Outcome = { steps: number; tally: ReadonlyMap<string, number> }

/** Makes a world from a seed, lets it go through its troubles, and sees that all comes to a good end. */
export async function runWorld(seed: number, troubledSteps: number): Promise<Outcome> {
  const world = createWorld(seed)
  try {
    await world.run(troubledSteps)
  } catch (error) {
    const story = world.story().join('\n')
    throw new Error(`seed ${seed}, step ${world.steps()}: ${String(error)}\n${story}`, {
      cause: error,
    })
  }
  return { steps: world.steps(), tally: world.tally }
}

const WALL = Date.UTC(2026, 7, 1)
const DAY_MS = 86_400_000
/** A node that was silent for so long counts as gone. */
const SILENT_MS = 3_000
const CALM_STEPS = 60_000
const CALM_MS = 4 * 3_600_000

const TIGHT: SlotLimits = { total: 4, healthy: 2, troubled: 1, allTroubled: 2 }
const NARROW: SlotLimits = { total: 7, healthy: 4, troubled: 2, allTroubled: 3 }

export function createWorld(seed: number) {
  const random = createRandom(seed)
  const agenda = createAgenda(random)
  const tables: Tables = {
    meetings: new Map(),
    lanes: new Map(),
    dead: new Map(),
    tokens: new Map(),
  }
  const limits = random.pick([TIGHT, NARROW, SLOT_LIMITS])
  const giveUpMs = random.pick([DAY_MS, 60_000, 240_000])
  const watch = createWatch({ tables, now: agenda.now, limits, giveUpMs })
  const wall = (host: Host) => WALL + Math.floor(agenda.now()) + host.skewMs
  const receivers = createReceivers({ agenda, random, watch, wall })
  const nodes = new Map<string, Node>()
  /** When a node was last heard of. */
  const heardAt = new Map<string, number>()
  const over = new Set<string>()
  const pace = paceOf(random)
  let isCalm = false
  let count = 0

  const isLive = (nodeId: string) => {
    const host = nodes.get(nodeId)?.host
    if (host !== undefined && !host.isDead && host.pausedUntil <= agenda.now()) {
      heardAt.set(nodeId, agenda.now())
    }
    return agenda.now() - (heardAt.get(nodeId) ?? -Infinity) < SILENT_MS
  }
  const parts: NodeParts = {
    agenda,
    random,
    tables,
    watch,
    receivers,
    limits,
    giveUpMs,
    wall,
    isLive,
    fault: () => (isCalm ? null : pace.fault()),
    gapMs: pace.gapMs,
    roundMs: () => (isCalm ? 20_000 : random.between(500, 5_000)),
    isOver: (meetingId) => isCalm || over.has(meetingId),
  }
  const addNode = () => {
    count += 1
    const skewMs = random.between(-500, 500)
    const host: Host = { id: `node${count}`, skewMs, isDead: false, pausedUntil: 0 }
    nodes.set(host.id, startNode(parts, host))
  }
  const stopNode = async (node: Node) => {
    const deadline = agenda.after(node.host, 120_000, () =>
      watch.fail(`${node.host.id} does not stop`),
    )
    await node.stop()
    deadline()
    watch.must(!(await node.hasLeak()), () => `${node.host.id} has lost places`)
    watch.must(agenda.timersSet(node.host) === 0, () => `${node.host.id} has timers left`)
    nodes.delete(node.host.id)
  }
  const stepUntil = async (isDone: () => boolean, steps: number, untilMs: number) => {
    const last = agenda.steps() + steps
    while (!isDone()) {
      if (agenda.steps() >= last || agenda.now() > untilMs) return false
      const isMore = await agenda.step()
      watch.check()
      if (!isMore) return isDone()
    }
    return true
  }
  const isDone = () =>
    [...tables.meetings.values()].every(({ endedAt }) => endedAt !== null) &&
    [...tables.lanes.values()].every(
      // Who died after the last write was not there any more to give the lane back.
      ({ state, dueAt, owner }) =>
        (owner === null || !isLive(owner)) && (state === 'closed' || dueAt === null),
    )

  const stuck = () =>
    [...tables.lanes.values()]
      .filter(({ dueAt, owner }) => dueAt !== null || owner !== null)
      .map((row) => ({ ...row, attempts: row.attempts.length }))

  async function run(troubledSteps: number): Promise<void> {
    for (let i = random.between(1, 3); i > 0; i -= 1) addNode()
    const troubles = startTroubles({
      ...parts,
      nodes,
      over,
      addNode,
      stopNode,
      opGapMs: pace.opGapMs,
    })
    await stepUntil(() => false, troubledSteps, Infinity)
    troubles.end()
    isCalm = true
    receivers.calm()
    watch.note('calm')
    // The others may be about to stop.
    addNode()
    const isWell = await stepUntil(isDone, CALM_STEPS, agenda.now() + CALM_MS)
    watch.must(isWell, () => `stuck: ${JSON.stringify(stuck())}`)
    checkEnd({ tables, arrived: watch.arrived, must: watch.must })
    let left = nodes.size
    for (const node of nodes.values()) {
      void stopNode(node)
        .catch(watch.blame)
        .finally(() => {
          left -= 1
        })
    }
    watch.must(await stepUntil(() => left === 0, 10_000, Infinity), () => 'nodes do not stop')
  }
  return { run, steps: agenda.steps, story: watch.story, tally: watch.tally }
}

/** How fast things happen, and how often the store fails, in one world. */
function paceOf(random: Random) {
  const [shortest, longest, opShortest, opLongest] = random.pick([
    [5, 200, 20, 1_500],
    [20, 600, 200, 5_000],
    [300, 12_000, 1_000, 40_000],
  ] as const)
  const faultiness = random.pick([0, 0.002, 0.02])
  return {
    gapMs: () => random.between(shortest, longest),
    opGapMs: () => random.between(opShortest, opLongest),
    fault: (): Fault =>
      random.isLucky(faultiness) ? random.pick(['before', 'after'] as const) : null,
  }
}
