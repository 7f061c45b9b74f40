import type { Timers } from '../../../src/lib/time/clock.ts'
import type { SeededRandom } from '../meetings/caption-streams.ts'

/** A simulated process. If it is dead, it never gets what it waits for; if it is paused, it gets it later. */
export type SimulatedProcess = {
  readonly id: string
  readonly skewMs: number
  isDead: boolean
  pausedUntil: number
}

/** The connection to the store failed. The caller does not know if its statement was executed. */
export class StoreOutage extends Error {
  override readonly name = 'StoreOutage'
}

type ScheduledStep = {
  at: number
  rank: number
  host: SimulatedProcess | null
  run(): void
  isCancelled: boolean
  isTimer: boolean
}

/** A call to the store fails before its work, after it, or not at all. */
export type StoreFault = 'before' | 'after' | null

/** Simulated time and its schedule, the only source of asynchrony in the simulation. */
export interface SimulatedTime {
  now(): number
  steps(): number
  /** Without a host, the step runs outside of every process. Returns a function that cancels it. */
  after(host: SimulatedProcess | null, ms: number, run: () => void): () => void
  /** Does work in the store, with latency before and after it. */
  callStore<T>(host: SimulatedProcess, work: () => T, fault?: StoreFault): Promise<T>
  timersOf(host: SimulatedProcess): Timers
  /** Runs the next step and all microtasks that follow. False if nothing is scheduled. */
  step(): Promise<boolean>
  /** The number of a process's pending timers. A stopped process must have none. */
  countTimers(host: SimulatedProcess): number
}

/** All lanes together read the clock far less often in one step. More reads mean an endless loop. */
const MAX_CLOCK_READS_PER_STEP = 20_000
export const MAX_TIMER_DELAY_MS = 15
const TIMER_DELAYS_MS = [0, 0.2, 1, 2, MAX_TIMER_DELAY_MS]
const LATENCIES_MS = [0, 0, 0.4, 1, 3, 10, 40, 200]

export function createSimulatedTime(random: SeededRandom): SimulatedTime {
  /** Sorted by time, latest first, so the next step is the last item. */
  const items: ScheduledStep[] = []
  let time = 0
  let steps = 0
  let clockReads = 0

  const isLater = (a: ScheduledStep, b: ScheduledStep) =>
    a.at === b.at ? a.rank > b.rank : a.at > b.at
  const insert = (item: ScheduledStep) => {
    let [low, high] = [0, items.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isLater(items[middle] as ScheduledStep, item)) low = middle + 1
      else high = middle
    }
    items.splice(low, 0, item)
  }
  const add = (host: SimulatedProcess | null, ms: number, run: () => void, isTimer: boolean) => {
    // The seed decides the order of steps with the same time.
    const rank = random.between(0, 1_000_000)
    const item = { at: time + ms, rank, host, run, isCancelled: false, isTimer }
    insert(item)
    return () => {
      item.isCancelled = true
    }
  }
  const after: SimulatedTime['after'] = (host, ms, run) => add(host, ms, run, false)
  const latency = () =>
    random.chance(0.01) ? random.between(500, 4_000) : random.pick(LATENCIES_MS)
  const next = (): ScheduledStep | null => {
    for (let item = items.pop(); item !== undefined; item = items.pop()) {
      if (item.isCancelled || item.host?.isDead) continue
      if (item.host === null || item.host.pausedUntil <= item.at) return item
      item.at = item.host.pausedUntil
      insert(item)
    }
    return null
  }

  /** Detects a loop that reads the clock endlessly, because simulated time would never advance. */
  const readClock = () => {
    clockReads += 1
    if (clockReads > MAX_CLOCK_READS_PER_STEP)
      throw new Error('endless loop: the clock was read too often in one step')
    return time
  }

  return {
    now: readClock,
    steps: () => steps,
    after,
    callStore: (host, work, fault = null) =>
      new Promise((resolve, reject) => {
        const fail = () => after(host, latency(), () => reject(new StoreOutage('no answer')))
        after(null, latency(), () => {
          if (fault === 'before') return void fail()
          // Half of the statements that a process sent before it died are executed.
          if (host.isDead && random.chance(0.5)) return
          const value = work()
          if (fault === 'after') fail()
          else after(host, latency(), () => resolve(value))
        })
      }),
    timersOf: (host) => ({
      now: readClock,
      // Like real timers: never early, often a little late.
      after: (ms, run) => add(host, ms + random.pick(TIMER_DELAYS_MS), run, true),
    }),
    async step() {
      const item = next()
      if (item === null) return false
      time = Math.max(time, item.at)
      steps += 1
      clockReads = 0
      item.run()
      await flushMicrotasks()
      return true
    },
    countTimers: (host) =>
      items.filter((item) => item.host === host && item.isTimer && !item.isCancelled).length,
  }
}

/** Resolves after all pending promise callbacks: here Node empties the promise queue before the nextTick queue. */
function flushMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve)
  })
}
