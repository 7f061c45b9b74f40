import { createWaitQueue } from '../lib/async/queues.ts'
import type { Timers } from '../lib/time/clock.ts'

/** The receiver answered (accepted or rejected the event), the attempt failed, or no attempt was made. */
export type PermitResult = 'success' | 'failure' | 'unused'

/** Permission for one attempt. The holder must release it exactly once. */
export type BreakerPermit = {
  /** True if the breaker is open and this attempt checks whether the URL works again. */
  isProbe: boolean
  release(result: PermitResult): void
}

export interface LaneCircuitBreaker extends Disposable {
  /**
   * Resolves when an attempt may start. While the breaker is open, lanes that have not failed themselves go first, then
   * the failing lanes in turn. Among equal lanes the oldest head event goes first. Null if the signal aborts first.
   */
  acquire(head: BreakerPermitRequest, signal: AbortSignal): Promise<BreakerPermit | null>
  /** Returns null instead of waiting for a permit. */
  tryAcquire(head: BreakerPermitRequest): BreakerPermit | null
}

export type BreakerPermitRequest = {
  /** Wall-clock time of the head event of the lane. */
  at: number
  /** True if the lane itself has failed. Other lanes are held back only because of failing lanes. */
  isFailing: boolean
}

export const BREAKER_RULES = {
  /** This many consecutive failures over all lanes open the breaker. */
  failuresToOpen: 5,
  /** A lane is working if its last attempt succeeded no longer ago than this. */
  workingMs: 60_000,
  /**
   * The delays before the first two probes of an open breaker. Later probes wait `probeIntervalMs`. While a lane that
   * has not failed itself waits, every probe waits only the first delay.
   */
  probeDelaysMs: [10_000, 30_000],
  probeIntervalMs: 60_000,
  /** Used instead of `probeIntervalMs` when the breaker has been open for `slowAfterMs`. */
  slowProbeIntervalMs: 300_000,
  slowAfterMs: 600_000,
  /** Concurrent attempts after the first success. The number doubles every `rampIntervalMs`. */
  initialConcurrency: 4,
  rampIntervalMs: 1_000,
  /** From this number of concurrent attempts, the breaker sets no limit. */
  maxLimited: 64,
} as const

type BreakerRules = typeof BREAKER_RULES

type BreakerState =
  /** The receiver works, so attempts are not limited. */
  | { mode: 'closed' }
  /** The receiver fails. One probe runs at a time, after a delay from `waitsSince`. */
  | { mode: 'open'; since: number; probes: number; waitsSince: number }
  /** The receiver works again. The limit doubles every second until it is lifted. */
  | { mode: 'recovering'; maxInFlight: number }

type Parts = { timers: Timers; rules?: BreakerRules; onClose(): void }

/** `turn` is the number of the lane's last probe, 0 if it had none. */
type LaneState = { turn: number }
type WaitingHead = BreakerPermitRequest & { lane: LaneState }

/** Limits attempts at one receiver with one token while they fail, and admits more and more once they work again. */
export function createCircuitBreaker({ timers, rules = BREAKER_RULES, onClose }: Parts) {
  let state: BreakerState = { mode: 'closed' }
  let failures = 0
  let inFlight = 0
  let turns = 0
  /** Cancels the only timer: the next probe of an open breaker, or the next higher limit of a recovering one. */
  let cancelTimer = () => {}
  const waiting = createWaitQueue<WaitingHead, BreakerPermit>()
  const working = createWorkingLanes(timers, rules.workingMs)

  const schedule = (ms: number, run: () => void) => {
    cancelTimer()
    cancelTimer = timers.after(ms, run)
  }
  const probeAt = (isFailing: boolean) =>
    state.mode === 'open' ? state.waitsSince + probeDelay(rules, state, isFailing) : Infinity
  const maxInFlight = (isFailing: boolean) => {
    if (state.mode === 'closed') return Infinity
    if (state.mode === 'recovering') return state.maxInFlight
    return timers.now() >= probeAt(isFailing) ? 1 : 0
  }
  const newPermit = ({ lane }: WaitingHead): BreakerPermit => {
    inFlight += 1
    const isProbe = state.mode === 'open'
    if (isProbe) lane.turn = turns += 1
    return {
      isProbe,
      release(result) {
        inFlight -= 1
        if (result === 'failure') onFailure(lane, isProbe)
        if (result === 'success') onSuccess(lane)
        admitWaiting()
      },
    }
  }
  /** True if every waiting lane has failed itself. */
  const areAllFailing = () => !waiting.some(({ isFailing }) => !isFailing)
  const admitWaiting = () => {
    while (waiting.size() > 0 && inFlight < maxInFlight(areAllFailing())) {
      waiting.admitNext(newPermit, compareHeads)
    }
  }
  const recover = (limit: number) => {
    state =
      limit >= rules.maxLimited ? { mode: 'closed' } : { mode: 'recovering', maxInFlight: limit }
    if (state.mode === 'recovering') schedule(rules.rampIntervalMs, () => raiseLimit(limit * 2))
  }
  const raiseLimit = (limit: number) => {
    recover(limit)
    admitWaiting()
  }
  const onSuccess = (lane: LaneState) => {
    failures = 0
    working.add(lane)
    if (state.mode !== 'open') return
    recover(rules.initialConcurrency)
    onClose()
  }
  const scheduleProbe = () =>
    schedule(Math.max(0, probeAt(areAllFailing()) - timers.now()), admitWaiting)
  const openUntilProbe = (since: number, probes: number) => {
    state = { mode: 'open', since, probes, waitsSince: timers.now() }
    scheduleProbe()
  }
  const onFailure = (lane: LaneState, isProbe: boolean) => {
    const wasWorking = working.remove(lane)
    // While other lanes work, the failure of a lane that did not work before is that lane's own problem.
    if (wasWorking || working.isEmpty()) failures += 1
    if (state.mode !== 'open') {
      if (failures >= rules.failuresToOpen) openUntilProbe(timers.now(), 0)
    } else if (isProbe) openUntilProbe(state.since, state.probes + 1)
    // A failure of an attempt that began before the breaker opened changes nothing.
  }

  return {
    /** The view of one lane. The lane disposes it when it ends. */
    join(): LaneCircuitBreaker {
      const lane: LaneState = { turn: 0 }
      const tryAcquire = (head: BreakerPermitRequest) =>
        waiting.size() === 0 && inFlight < maxInFlight(head.isFailing)
          ? newPermit({ ...head, lane })
          : null
      return {
        tryAcquire,
        async acquire(head, signal) {
          const permit = tryAcquire(head)
          if (permit !== null) return permit
          const admitted = waiting.wait({ ...head, lane }, signal)
          // A lane that has not failed itself may be probed earlier than the lanes that already wait.
          if (state.mode === 'open') scheduleProbe()
          return admitted
        },
        [Symbol.dispose]: () => void working.remove(lane),
      }
    },
    isOpen: () => state.mode === 'open',
    [Symbol.dispose]: () => cancelTimer(),
  }
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>

/** Order: lanes that have not failed themselves, then lanes whose last probe is longest ago, then the oldest head. */
function compareHeads(a: WaitingHead, b: WaitingHead): number {
  return Number(a.isFailing) - Number(b.isFailing) || a.lane.turn - b.lane.turn || a.at - b.at
}

function probeDelay(
  rules: BreakerRules,
  { since, probes, waitsSince }: Extract<BreakerState, { mode: 'open' }>,
  isFailing: boolean,
): number {
  if (!isFailing) return rules.probeDelaysMs[0]
  const isSlow = waitsSince - since >= rules.slowAfterMs
  return rules.probeDelaysMs[probes] ?? (isSlow ? rules.slowProbeIntervalMs : rules.probeIntervalMs)
}

/** The lanes whose last attempt succeeded a short time ago. */
function createWorkingLanes(timers: Timers, workingMs: number) {
  /** When each lane succeeded, oldest first. */
  const succeededAt = new Map<LaneState, number>()
  const removeOld = () => {
    for (const [lane, at] of succeededAt) {
      if (timers.now() - at <= workingMs) return
      succeededAt.delete(lane)
    }
  }
  return {
    add(lane: LaneState) {
      succeededAt.delete(lane)
      succeededAt.set(lane, timers.now())
    },
    /** Returns true if the lane was working. */
    remove(lane: LaneState): boolean {
      removeOld()
      return succeededAt.delete(lane)
    },
    isEmpty() {
      removeOld()
      return succeededAt.size === 0
    },
  }
}
