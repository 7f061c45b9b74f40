import { SLOT_LIMITS, type SlotLimits } from '../../../src/deliveries/limits/request-slots.ts'
import { createSeededRandom, type SeededRandom } from '../meetings/caption-streams.ts'
import { createSimulatedTime, type StoreFault, type SimulatedProcess } from './simulated-time.ts'
import { checkFinalState } from './check-final-state.ts'
import {
  startSimulatedNode,
  type SimulatedNode,
  type SimulatedNodeParts,
} from './simulated-node.ts'
import { createSimulatedReceivers } from './simulated-receivers.ts'
import type { Tables } from './tables.ts'
import { startFaultInjection } from './fault-injection.ts'
import { createInvariantChecker } from './invariant-checker.ts'

export type SimulationResult = { steps: number; counts: ReadonlyMap<string, number> }

/** Makes a world from a seed, lets it go through its troubles, and sees that all comes to a good end. */
export async function runSimulation(
  seed: number,
  troubledSteps: number,
): Promise<SimulationResult> {
  const world = createSimulation(seed)
  try {
    await world.run(troubledSteps)
  } catch (error) {
    const story = world.lastLogLines().join('\n')
    throw new Error(`seed ${seed}, step ${world.steps()}: ${String(error)}\n${story}`, {
      cause: error,
    })
  }
  return { steps: world.steps(), counts: world.counts }
}

const START_WALL_MS = Date.UTC(2026, 7, 1)
const DAY_MS = 86_400_000
/** A node that was silent for so long counts as gone. */
const SILENT_MS = 3_000
const CALM_STEPS = 60_000
const CALM_MS = 4 * 3_600_000

const TINY_LIMITS: SlotLimits = { total: 4, healthy: 2, failing: 1, allFailing: 2 }
const SMALL_LIMITS: SlotLimits = { total: 7, healthy: 4, failing: 2, allFailing: 3 }

export function createSimulation(seed: number) {
  const random = createSeededRandom(seed)
  const agenda = createSimulatedTime(random)
  const tables: Tables = {
    meetings: new Map(),
    lanes: new Map(),
    deadLetters: new Map(),
    tokens: new Map(),
  }
  const limits = random.pick([TINY_LIMITS, SMALL_LIMITS, SLOT_LIMITS])
  const giveUpMs = random.pick([DAY_MS, 60_000, 240_000])
  const watch = createInvariantChecker({ tables, now: agenda.now, limits, giveUpMs })
  const wall = (host: SimulatedProcess) => START_WALL_MS + Math.floor(agenda.now()) + host.skewMs
  const receivers = createSimulatedReceivers({ agenda, random, watch, wall })
  const nodes = new Map<string, SimulatedNode>()
  /** When a node was last heard of. */
  const heardAt = new Map<string, number>()
  const over = new Set<string>()
  const pace = pickPace(random)
  let isCalm = false
  let count = 0

  const isLive = (nodeId: string) => {
    const host = nodes.get(nodeId)?.host
    if (host !== undefined && !host.isDead && host.pausedUntil <= agenda.now()) {
      heardAt.set(nodeId, agenda.now())
    }
    return agenda.now() - (heardAt.get(nodeId) ?? -Infinity) < SILENT_MS
  }
  const parts: SimulatedNodeParts = {
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
    const host: SimulatedProcess = { id: `node${count}`, skewMs, isDead: false, pausedUntil: 0 }
    nodes.set(host.id, startSimulatedNode(parts, host))
  }
  const stopNode = async (node: SimulatedNode) => {
    const deadline = agenda.after(node.host, 120_000, () =>
      watch.fail(`${node.host.id} does not stop`),
    )
    await node.stop()
    deadline()
    watch.assert(!(await node.hasSlotLeak()), () => `${node.host.id} has lost places`)
    watch.assert(agenda.countTimers(node.host) === 0, () => `${node.host.id} has timers left`)
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
    const troubles = startFaultInjection({
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
    watch.log('calm')
    // The others may be about to stop.
    addNode()
    const isWell = await stepUntil(isDone, CALM_STEPS, agenda.now() + CALM_MS)
    watch.assert(isWell, () => `stuck: ${JSON.stringify(stuck())}`)
    checkFinalState({ tables, arrived: watch.arrived, assert: watch.assert })
    let left = nodes.size
    for (const node of nodes.values()) {
      void stopNode(node)
        .catch(watch.recordFailure)
        .finally(() => {
          left -= 1
        })
    }
    watch.assert(await stepUntil(() => left === 0, 10_000, Infinity), () => 'nodes do not stop')
  }
  return { run, steps: agenda.steps, lastLogLines: watch.lastLogLines, counts: watch.counts }
}

/** How fast things happen, and how often the store fails, in one world. */
function pickPace(random: SeededRandom) {
  const [shortest, longest, opShortest, opLongest] = random.pick([
    [5, 200, 20, 1_500],
    [20, 600, 200, 5_000],
    [300, 12_000, 1_000, 40_000],
  ] as const)
  const faultiness = random.pick([0, 0.002, 0.02])
  return {
    gapMs: () => random.between(shortest, longest),
    opGapMs: () => random.between(opShortest, opLongest),
    fault: (): StoreFault =>
      random.isLucky(faultiness) ? random.pick(['before', 'after'] as const) : null,
  }
}
