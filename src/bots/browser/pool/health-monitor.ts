import type { Timers } from '../../../lib/time/timers.ts'
import type { PooledBrowserSlot } from './open-slot.ts'
import { killProcess, findProcessId, type RunningBrowser } from '../launch/launch-browser.ts'

/** How patient the watch is. */
export type HealthCheckTimings = {
  /** Between two looks at the network service. */
  networkCheckMs: number
  /** Between two questions to every page. */
  pingMs: number
  /** Beats in a row without any sign of life after which a page has hung, or a browser. */
  maxMissedPings: number
}
export const DEFAULT_HEALTH_CHECK: HealthCheckTimings = {
  networkCheckMs: 2_000,
  pingMs: 5_000,
  maxMissedPings: 12,
}

const NETWORK_SERVICE = 'network.mojom.NetworkService'

type Options = HealthCheckTimings & {
  running: RunningBrowser
  slots: ReadonlySet<PooledBrowserSlot>
  timers: Timers
  /** The browser is of no use any more. */
  onGone(): void
}

/**
 * Notices what a browser does not say by itself: a network service that died, a page that has hung, a browser
 * that answers nothing. A machine that is merely busy answers late and is no reason: beats are counted only
 * when they came in time here and the browser itself answered in between.
 */
export function monitorBrowser(options: Options): Disposable {
  const { running, slots, timers, pingMs, networkCheckMs, maxMissedPings, onGone } = options
  const { cdpSession, pid } = running
  const browser = createHeartbeat(() => cdpSession.send('Browser.getVersion'))
  const pages = new Map<PooledBrowserSlot, Heartbeat>()
  let service: number | null = null
  let cancelLook = () => {}
  let cancelBeat = () => {}
  let lastBeatAt = timers.now()

  /**
   * Chromium starts its network service anew when that dies, but no page is told: streams have ended and peer
   * connections are dead for good. The graphics process it replaces without a trace.
   */
  async function look(): Promise<void> {
    const now = await findProcessId(cdpSession, NETWORK_SERVICE)
    if (service !== null && now !== service) return onGone()
    service = now
    cancelLook = timers.after(networkCheckMs, lookAgain)
  }
  // A browser that cannot be asked has disconnected, and says so itself.
  const lookAgain = () => void look().catch(() => cancelLook())
  function beat(): void {
    const wasInTime = timers.now() - lastBeatAt < 2 * pingMs
    lastBeatAt = timers.now()
    if (browser.ping(wasInTime) >= maxMissedPings) {
      // It would not close when asked, and its bots must not wait for that.
      killProcess(pid)
      onGone()
      return
    }
    for (const slot of pages.keys()) if (!slots.has(slot)) pages.delete(slot)
    for (const slot of slots) beatOf(slot, wasInTime && browser.missed === 0)
    cancelBeat = timers.after(pingMs, beat)
  }
  function beatOf(slot: PooledBrowserSlot, counts: boolean): void {
    const pulse = pages.get(slot) ?? createHeartbeat(() => pingPage(slot))
    pages.set(slot, pulse)
    if (slot.takeActivity()) pulse.reset()
    if (pulse.ping(counts) >= maxMissedPings) slot.markLost('page hung')
  }

  lookAgain()
  cancelBeat = timers.after(pingMs, beat)
  return {
    [Symbol.dispose]() {
      cancelLook()
      cancelBeat()
    },
  }
}

/** A number needs nothing of the page but its main thread. */
function pingPage({ cdpSession }: PooledBrowserSlot): Promise<unknown> {
  return cdpSession.send('Runtime.evaluate', { expression: '1' })
}

type Heartbeat = {
  readonly missed: number
  reset(): void
  /** Asks again unless a question is open; answers how many beats in a row were missed by now. */
  ping(counts: boolean): number
}

function createHeartbeat(ask: () => Promise<unknown>): Heartbeat {
  let isOpen = false
  let missed = 0
  const hear = () => {
    missed = 0
  }
  const answered = () => {
    isOpen = false
    hear()
  }
  return {
    get missed() {
      return missed
    },
    reset: hear,
    ping(counts) {
      if (isOpen && counts) missed += 1
      if (!isOpen) {
        isOpen = true
        // A refusal is an answer as well: of a page on its way to the next one, or that has just been closed.
        ask().then(answered, answered)
      }
      return missed
    },
  }
}
