import type { Timers } from '../../../src/lib/time/timers.ts'
import type { SeededRandom } from '../meetings/caption-streams.ts'

/** A process of the world. What a dead one waits for never comes, what a paused one waits for comes later. */
export type SimulatedProcess = {
  readonly id: string
  readonly skewMs: number
  isDead: boolean
  pausedUntil: number
}

/** The store could not be reached: whether it did what it was asked to is not known. */
export class StoreOutage extends Error {
  override readonly name = 'StoreOutage'
}

type ScheduledStep = {
  at: number
  rank: number
  host: SimulatedProcess | null
  run(): void
  isOff: boolean
  isTimer: boolean
}

/** When the store fails whom it is asked: before it did the work, after it, or not at all. */
export type StoreFault = 'before' | 'after' | null

/** Time, and everything that will happen in it: the only source of asynchrony in the world. */
export interface SimulatedTime {
  now(): number
  steps(): number
  /** Without a host it happens outside of every process. Answers how to call it off. */
  after(host: SimulatedProcess | null, ms: number, run: () => void): () => void
  /** Work done elsewhere: it takes a while to get there, and a while for the answer to come back. */
  callStore<T>(host: SimulatedProcess, work: () => T, fault?: StoreFault): Promise<T>
  timersOf(host: SimulatedProcess): Timers
  /** Lets the next thing happen, with all that follows at once. False: there is none. */
  step(): Promise<boolean>
  /** Timers of this process that are still set: they would keep it from ending. */
  countTimers(host: SimulatedProcess): number
}

/** Far more than what all lanes together do in one step. */
const MAX_CLOCK_READS_PER_STEP = 20_000
export const MAX_TIMER_DELAY_MS = 15
const TIMER_DELAYS_MS = [0, 0.2, 1, 2, MAX_TIMER_DELAY_MS]
const TRAVEL_MS = [0, 0, 0.4, 1, 3, 10, 40, 200]

export function createSimulatedTime(random: SeededRandom): SimulatedTime {
  /** Latest first: the next one is at the end. */
  const items: ScheduledStep[] = []
  let time = 0
  let steps = 0
  let looks = 0

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
    // What happens at the same moment happens in an order that the seed decides.
    const rank = random.between(0, 1_000_000)
    const item = { at: time + ms, rank, host, run, isOff: false, isTimer }
    insert(item)
    return () => {
      item.isOff = true
    }
  }
  const after: SimulatedTime['after'] = (host, ms, run) => add(host, ms, run, false)
  const travel = () => (random.isLucky(0.01) ? random.between(500, 4_000) : random.pick(TRAVEL_MS))
  const next = (): ScheduledStep | null => {
    for (let item = items.pop(); item !== undefined; item = items.pop()) {
      if (item.isOff || item.host?.isDead) continue
      if (item.host === null || item.host.pausedUntil <= item.at) return item
      item.at = item.host.pausedUntil
      insert(item)
    }
    return null
  }

  /** Who looks at the clock for ever in one moment of the world would never let it go on. */
  const look = () => {
    looks += 1
    if (looks > MAX_CLOCK_READS_PER_STEP) throw new Error('somebody runs in circles')
    return time
  }

  return {
    now: look,
    steps: () => steps,
    after,
    callStore: (host, work, fault = null) =>
      new Promise((resolve, reject) => {
        const fail = () => after(host, travel(), () => reject(new StoreOutage('no answer')))
        after(null, travel(), () => {
          if (fault === 'before') return void fail()
          // What a process sent before it died may have left the machine or not.
          if (host.isDead && random.isLucky(0.5)) return
          const value = work()
          if (fault === 'after') fail()
          else after(host, travel(), () => resolve(value))
        })
      }),
    timersOf: (host) => ({
      now: look,
      // As in life: never early, often a little late.
      after: (ms, run) => add(host, ms + random.pick(TIMER_DELAYS_MS), run, true),
    }),
    async step() {
      const item = next()
      if (item === null) return false
      time = Math.max(time, item.at)
      steps += 1
      looks = 0
      item.run()
      await flushMicrotasks()
      return true
    },
    countTimers: (host) =>
      items.filter((item) => item.host === host && item.isTimer && !item.isOff).length,
  }
}

/** All that follows without waiting has happened: the queue of ticks comes after that of the promises. */
function flushMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve)
  })
}
