import {
  DEFAULT_REQUEST_SLOT_LIMITS,
  type RequestSlotLimits,
} from '../../../src/deliveries/attempt-limiter.ts'
import { createSeededRandom, type SeededRandom } from '../meetings/caption-streams.ts'
import { checkFinalState } from './check-final-state.ts'
import { startFaultInjection } from './fault-injection.ts'
import { createInvariantChecker } from './invariant-checker.ts'
import {
  startSimulatedNode,
  type SimulatedNode,
  type SimulatedNodeParts,
} from './simulated-node.ts'
import { createSimulatedReceivers } from './simulated-receivers.ts'
import { createSimulatedTime, type StoreFault, type SimulatedProcess } from './simulated-time.ts'
import type { Tables } from './tables.ts'

export type SimulationResult = { steps: number; counts: ReadonlyMap<string, number> }

/** Runs one simulation from a seed, first with faults, then without faults until every event is settled. */
export async function runSimulation(seed: number, faultySteps: number): Promise<SimulationResult> {
  const simulation = createSimulation(seed)
  try {
    await simulation.run(faultySteps)
  } catch (error) {
    const logLines = simulation.lastLogLines().join('\n')
    throw new Error(`seed ${seed}, step ${simulation.steps()}: ${String(error)}\n${logLines}`, {
      cause: error,
    })
  }
  return { steps: simulation.steps(), counts: simulation.counts }
}

const START_WALL_MS = Date.UTC(2026, 7, 1)
const DAY_MS = 86_400_000
/** A node is dead after this long without a heartbeat. */
const DEAD_AFTER_MS = 3_000
const MAX_RECOVERY_STEPS = 60_000
const MAX_RECOVERY_MS = 4 * 3_600_000

const TINY_LIMITS: RequestSlotLimits = { total: 4, healthy: 2, failing: 1, allFailing: 2 }
const SMALL_LIMITS: RequestSlotLimits = { total: 7, healthy: 4, failing: 2, allFailing: 3 }

export function createSimulation(seed: number) {
  const random = createSeededRandom(seed)
  const time = createSimulatedTime(random)
  const tables: Tables = {
    meetings: new Map(),
    lanes: new Map(),
    deadLetters: new Map(),
    tokens: new Map(),
  }
  const limits = random.pick([TINY_LIMITS, SMALL_LIMITS, DEFAULT_REQUEST_SLOT_LIMITS])
  const giveUpMs = random.pick([DAY_MS, 60_000, 240_000])
  const checker = createInvariantChecker({ tables, now: time.now, limits, giveUpMs })
  const wall = (host: SimulatedProcess) => START_WALL_MS + Math.floor(time.now()) + host.skewMs
  const receivers = createSimulatedReceivers({ time, random, checker, wall })
  const nodes = new Map<string, SimulatedNode>()
  /** When each node was last seen alive. */
  const lastAliveAt = new Map<string, number>()
  const over = new Set<string>()
  const pace = pickPace(random)
  let areFaultsOff = false
  let count = 0

  const isLive = (nodeId: string) => {
    const host = nodes.get(nodeId)?.host
    if (host !== undefined && !host.isDead && host.pausedUntil <= time.now()) {
      lastAliveAt.set(nodeId, time.now())
    }
    return time.now() - (lastAliveAt.get(nodeId) ?? -Infinity) < DEAD_AFTER_MS
  }
  const parts: SimulatedNodeParts = {
    time,
    random,
    tables,
    checker,
    receivers,
    limits,
    giveUpMs,
    wall,
    isLive,
    fault: () => (areFaultsOff ? null : pace.fault()),
    gapMs: pace.gapMs,
    roundMs: () => (areFaultsOff ? 20_000 : random.between(500, 5_000)),
    isOver: (meetingId) => areFaultsOff || over.has(meetingId),
  }
  const addNode = () => {
    count += 1
    const skewMs = random.between(-500, 500)
    const host: SimulatedProcess = { id: `node${count}`, skewMs, isDead: false, pausedUntil: 0 }
    nodes.set(host.id, startSimulatedNode(parts, host))
  }
  const stopNode = async (node: SimulatedNode) => {
    const deadline = time.after(node.host, 120_000, () =>
      checker.fail(`${node.host.id} does not stop`),
    )
    await node.stop()
    deadline()
    checker.assert(!(await node.hasSlotLeak()), () => `${node.host.id} has lost slots`)
    checker.assert(time.countTimers(node.host) === 0, () => `${node.host.id} has timers left`)
    nodes.delete(node.host.id)
  }
  const stepUntil = async (isDone: () => boolean, steps: number, untilMs: number) => {
    const last = time.steps() + steps
    while (!isDone()) {
      if (time.steps() >= last || time.now() > untilMs) return false
      const isMore = await time.step()
      checker.check()
      if (!isMore) return isDone()
    }
    return true
  }
  const isDone = () =>
    [...tables.meetings.values()].every(({ endedAt }) => endedAt !== null) &&
    [...tables.lanes.values()].every(
      // A node that died after its last write could not release the lane.
      ({ state, dueAt, owner }) =>
        (owner === null || !isLive(owner)) && (state === 'closed' || dueAt === null),
    )

  const stuck = () =>
    [...tables.lanes.values()]
      .filter(({ dueAt, owner }) => dueAt !== null || owner !== null)
      .map((row) => ({ ...row, attempts: row.attempts.length }))

  async function run(faultySteps: number): Promise<void> {
    for (let i = random.between(1, 3); i > 0; i -= 1) addNode()
    const faultInjection = startFaultInjection({
      ...parts,
      nodes,
      over,
      addNode,
      stopNode,
      opGapMs: pace.opGapMs,
    })
    await stepUntil(() => false, faultySteps, Infinity)
    faultInjection.end()
    areFaultsOff = true
    receivers.stopFaults()
    checker.log('faults end')
    // The existing nodes may be about to stop, so a new one is added.
    addNode()
    const isFinished = await stepUntil(isDone, MAX_RECOVERY_STEPS, time.now() + MAX_RECOVERY_MS)
    checker.assert(isFinished, () => `stuck: ${JSON.stringify(stuck())}`)
    checkFinalState({ tables, arrived: checker.arrived, assert: checker.assert })
    let left = nodes.size
    for (const node of nodes.values()) {
      void stopNode(node)
        .catch(checker.recordFailure)
        .finally(() => {
          left -= 1
        })
    }
    checker.assert(await stepUntil(() => left === 0, 10_000, Infinity), () => 'nodes do not stop')
  }
  return { run, steps: time.steps, lastLogLines: checker.lastLogLines, counts: checker.counts }
}

/** The speed of one simulation, and how often its store fails. */
function pickPace(random: SeededRandom) {
  const [shortest, longest, opShortest, opLongest] = random.pick([
    [5, 200, 20, 1_500],
    [20, 600, 200, 5_000],
    [300, 12_000, 1_000, 40_000],
  ] as const)
  const faultRate = random.pick([0, 0.002, 0.02])
  return {
    gapMs: () => random.between(shortest, longest),
    opGapMs: () => random.between(opShortest, opLongest),
    fault: (): StoreFault =>
      random.chance(faultRate) ? random.pick(['before', 'after'] as const) : null,
  }
}
