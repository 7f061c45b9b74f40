import type { Timers } from '../lib/timers.ts'
import type { Lodging } from './lodging.ts'
import { kill, processOf, type RunningBrowser } from './launch.ts'

/** How patient the watch is. */
export type Patience = {
  /** Between two looks at the network service. */
  lookMs: number
  /** Between two questions to every page. */
  beatMs: number
  /** Beats in a row without any sign of life after which a page has hung, or a browser. */
  hungBeats: number
}
export const PATIENCE: Patience = { lookMs: 2_000, beatMs: 5_000, hungBeats: 12 }

const NETWORK_SERVICE = 'network.mojom.NetworkService'

type Options = Patience & {
  running: RunningBrowser
  seats: ReadonlySet<Lodging>
  timers: Timers
  /** The browser is of no use any more. */
  onGone(): void
}

/**
 * Notices what a browser does not say by itself: a network service that died, a page that has hung, a browser
 * that answers nothing. A machine that is merely busy answers late and is no reason: beats are counted only
 * when they came in time here and the browser itself answered in between.
 */
export function watchBrowser(options: Options): Disposable {
  const { running, seats, timers, beatMs, lookMs, hungBeats, onGone } = options
  const { session, pid } = running
  const browser = createPulse(() => session.send('Browser.getVersion'))
  const pages = new Map<Lodging, Pulse>()
  let service: number | null = null
  let cancelLook = () => {}
  let cancelBeat = () => {}
  let lastBeatAt = timers.now()

  /**
   * Chromium starts its network service anew when that dies, but no page is told: streams have ended and peer
   * connections are dead for good. The graphics process it replaces without a trace.
   */
  async function look(): Promise<void> {
    const now = await processOf(session, NETWORK_SERVICE)
    if (service !== null && now !== service) return onGone()
    service = now
    cancelLook = timers.after(lookMs, lookAgain)
  }
  // A browser that cannot be asked has disconnected, and says so itself.
  const lookAgain = () => void look().catch(() => cancelLook())
  function beat(): void {
    const wasInTime = timers.now() - lastBeatAt < 2 * beatMs
    lastBeatAt = timers.now()
    if (browser.missedAt(wasInTime) >= hungBeats) {
      // It would not close when asked, and its bots must not wait for that.
      kill(pid)
      onGone()
      return
    }
    for (const seat of pages.keys()) if (!seats.has(seat)) pages.delete(seat)
    for (const seat of seats) beatOf(seat, wasInTime && browser.missed === 0)
    cancelBeat = timers.after(beatMs, beat)
  }
  function beatOf(seat: Lodging, counts: boolean): void {
    const pulse = pages.get(seat) ?? createPulse(() => askPage(seat))
    pages.set(seat, pulse)
    if (seat.wasHeard()) pulse.hear()
    if (pulse.missedAt(counts) >= hungBeats) seat.lose('page hung')
  }

  lookAgain()
  cancelBeat = timers.after(beatMs, beat)
  return {
    [Symbol.dispose]() {
      cancelLook()
      cancelBeat()
    },
  }
}

/** A number needs nothing of the page but its main thread. */
function askPage({ session }: Lodging): Promise<unknown> {
  return session.send('Runtime.evaluate', { expression: '1' })
}

type Pulse = {
  readonly missed: number
  hear(): void
  /** Asks again unless a question is open; answers how many beats in a row were missed by now. */
  missedAt(counts: boolean): number
}

function createPulse(ask: () => Promise<unknown>): Pulse {
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
    hear,
    missedAt(counts) {
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
