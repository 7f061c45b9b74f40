import type { Timers } from '../../../lib/time/clock.ts'
import type { PageStateObservation } from '../bridge/messages.ts'
import {
  decidePageState,
  type PageStateDecision,
  type PageModel,
} from '../page-model/page-states.ts'
import type { JoinPhase, PageMemory, PageSnapshot } from '../page-model/state-rules.ts'
import type { PlatformEndReason, PlatformEvent } from '../platform.ts'

/** Decides which state the page is in, from its observations. */
export type PageStateTracker = ReturnType<typeof createPageStateTracker>

const UNKNOWN_DECISION: PageStateDecision = {
  state: 'unknown',
  because: null,
  steadyMs: 0,
  marks: [],
  conditions: [],
}

/** A page in a call reports every 500 ms. Shorter than the time after which unchanged captions can become final. */
const STALL_MS = 900

/** Reports when a page in a call stops sending messages, and when it starts again. */
export type StallDetector = ReturnType<typeof createStallDetector>

export function createPageStateTracker(pageModel: PageModel) {
  let observed: PageStateObservation | null = null
  let phase: JoinPhase = 'arriving'
  let wireEndReason: PlatformEndReason | null = null
  let prejoinText = ''
  const history = new Set<PageMemory>()
  let latest = UNKNOWN_DECISION
  let steady = UNKNOWN_DECISION
  let since = 0

  function decide(at: number): void {
    const snapshot: PageSnapshot = {
      address: observed?.address ?? '',
      words: observed?.words ?? '',
      prejoinText,
      history: [...history],
      parts: observed?.parts ?? {},
      count: observed?.count ?? null,
      phase,
      wireEndReason,
    }
    const decision =
      observed === null && wireEndReason === null
        ? UNKNOWN_DECISION
        : decidePageState(pageModel, snapshot)
    if (decision.state === 'prejoin' && phase !== 'inside') prejoinText = snapshot.words
    if (decision.state === 'lobby' || decision.state === 'not started') history.add('lobby')
    if (decision.state === 'in call') {
      if (decision.conditions.includes('asked to stay')) history.add('empty call prompt')
      else history.delete('empty call prompt')
    }
    if (decision.state !== latest.state) since = at
    latest = decision
    if (at - since >= decision.steadyMs) steady = decision
  }

  return {
    update(next: PageStateObservation, at: number) {
      observed = next
      decide(at)
    },
    /** Notes that the page still looks as it did at the last observation. */
    confirmUnchanged: decide,
    /** Sets the phase of joining, or the end that the wire reported. Both can change the state of an unchanged page. */
    setContext(context: { phase?: JoinPhase; wireEndReason?: PlatformEndReason }, at: number) {
      phase = context.phase ?? phase
      wireEndReason = context.wireEndReason ?? wireEndReason
      decide(at)
    },
    /** The newest decision, even if its state has not lasted long enough. */
    latest: () => latest,
    /** The newest decision whose state has lasted long enough. */
    steady: () => steady,
    phase: () => phase,
    hasShown: (memory: PageMemory) => history.has(memory),
    observation: () => observed,
    /** True if the page showed this part at the last observation. */
    isPartShown: (name: string) => Object.hasOwn(observed?.parts ?? {}, name),
  }
}

export function createStallDetector(timers: Timers, emit: (event: PlatformEvent) => void) {
  let receivedAt = timers.now()
  let isStalled = false
  let cancel: (() => void) | null = null

  function check(): void {
    const leftMs = receivedAt + STALL_MS - timers.now()
    if (leftMs <= 0 && !isStalled) {
      isStalled = true
      emit({ kind: 'page stalled' })
    }
    cancel = timers.after(leftMs > 0 ? leftMs : STALL_MS, check)
  }

  return {
    start() {
      if (cancel !== null) return
      receivedAt = timers.now()
      check()
    },
    messageReceived() {
      receivedAt = timers.now()
      if (!isStalled) return
      isStalled = false
      emit({ kind: 'page resumed' })
    },
    stop() {
      cancel?.()
      cancel = null
    },
  }
}
