import { readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { errorCode } from '../../../lib/error-code.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import { killProcess, type RunningBrowser } from '../launch/launch-browser.ts'
import type { PoolInternalBrowserSlot } from './open-slot.ts'

/** Intervals and limits of the health checks. */
export type HealthCheckTimings = {
  /** Time between two checks of the browser's processes. */
  processCheckMs: number
  /** Time between two pings of the browser and of each of its pages. */
  pingMs: number
  /** Consecutive pings without an answer or other activity after which a page or browser counts as hung. */
  maxMissedPings: number
}
export const DEFAULT_HEALTH_CHECK_TIMINGS: HealthCheckTimings = {
  processCheckMs: 2_000,
  pingMs: 5_000,
  maxMissedPings: 12,
}

const NETWORK_SERVICE = 'network.mojom.NetworkService'

type Options = HealthCheckTimings & {
  running: RunningBrowser
  slots: ReadonlySet<PoolInternalBrowserSlot>
  timers: Timers
  log: Log
  /** Called when the browser hangs or its network service has died, so that no bot can use it any more. */
  onGone(): void
}

type BrowserProcess = { type: string; id: number }

/**
 * Detects failures that a browser does not report: a dead network service, a hung page, a hung browser. A busy
 * machine only answers late, so a missed ping counts only when our own timer was on time and the browser itself
 * answered in between.
 */
export function monitorBrowser(options: Options): Disposable {
  const { running, slots, timers, log, pingMs, processCheckMs, maxMissedPings, onGone } = options
  const { cdpSession, pid } = running
  const lowerRendererPriority = createRendererPriorityLowering(log)
  const browser = createHeartbeat(() => cdpSession.send('Browser.getVersion'))
  const pages = new Map<PoolInternalBrowserSlot, Heartbeat>()
  let networkServicePid: number | null = null
  let isDisposed = false
  let cancelCheck = () => {}
  let cancelPing = () => {}
  let lastPingAt = timers.now()

  /**
   * Lowers the priority of new pages and checks the network service. Chromium restarts one that died without telling
   * the pages: their streams have ended and their peer connections never recover. A restarted graphics process does no
   * harm.
   */
  async function checkProcesses(): Promise<void> {
    const { processInfo } = await cdpSession.send('SystemInfo.getProcessInfo')
    if (isDisposed) return
    if (!running.isExternal) lowerRendererPriority(processInfo)
    const now = processInfo.find(({ type }) => type === NETWORK_SERVICE)?.id ?? null
    if (networkServicePid !== null && now !== networkServicePid) return onGone()
    networkServicePid = now
    cancelCheck = timers.after(processCheckMs, checkProcessesAgain)
  }
  const checkProcessesAgain = () => {
    checkProcesses().catch((error: unknown) => {
      // A disconnected browser cannot answer, and reports its end itself.
      if (isDisposed || !running.browser.isConnected()) return
      log.warn({ err: error }, 'failed to check the processes of a browser')
      cancelCheck = timers.after(processCheckMs, checkProcessesAgain)
    })
  }
  function pingAll(): void {
    const wasInTime = timers.now() - lastPingAt < 2 * pingMs
    lastPingAt = timers.now()
    if (browser.ping(wasInTime) >= maxMissedPings) {
      // A hung browser does not close on request, and its bots must not wait for that.
      killProcess(pid)
      onGone()
      return
    }
    for (const slot of pages.keys()) if (!slots.has(slot)) pages.delete(slot)
    for (const slot of slots) pingSlot(slot, wasInTime && browser.missed === 0)
    // A lost slot may make its user close the browser.
    if (isDisposed) return
    cancelPing = timers.after(pingMs, pingAll)
  }
  function pingSlot(slot: PoolInternalBrowserSlot, counts: boolean): void {
    const heartbeat = pages.get(slot) ?? createHeartbeat(() => pingPage(slot))
    pages.set(slot, heartbeat)
    if (slot.takeActivity()) heartbeat.reset()
    if (heartbeat.ping(counts) >= maxMissedPings) slot.markLost('page hung')
  }

  checkProcessesAgain()
  cancelPing = timers.after(pingMs, pingAll)
  return {
    [Symbol.dispose]() {
      isDisposed = true
      cancelCheck()
      cancelPing()
    },
  }
}

/** Pings a page with an expression that needs only the page's main thread. */
function pingPage({ cdpSession }: PoolInternalBrowserSlot): Promise<unknown> {
  return cdpSession.send('Runtime.evaluate', { expression: '1' })
}

type Heartbeat = {
  readonly missed: number
  reset(): void
  /** Sends a ping unless one is unanswered, and returns how many in a row were missed. */
  ping(counts: boolean): number
}

function createHeartbeat(send: () => Promise<unknown>): Heartbeat {
  let isOpen = false
  let missed = 0
  const reset = () => {
    missed = 0
  }
  const answered = () => {
    isOpen = false
    reset()
  }
  return {
    get missed() {
      return missed
    },
    reset,
    ping(counts) {
      if (isOpen && counts) missed += 1
      if (!isOpen) {
        isOpen = true
        // An error is an answer too: it comes from a page that navigates or was just closed.
        send().then(answered, answered)
      }
      return missed
    },
  }
}

/**
 * Gives the processes that render pages a lower priority than the service and the browser process that passes their
 * captions on. Otherwise twenty pages on a full machine keep captions and API requests waiting.
 */
function createRendererPriorityLowering(log: Log) {
  let lowered: ReadonlySet<number> = new Set()
  return (processes: readonly BrowserProcess[]): void => {
    const threads = processes
      .filter(({ type }) => type === 'renderer')
      .flatMap(({ id }) => listThreads(id))
    for (const id of threads) if (!lowered.has(id)) lowerPriority(id, log)
    lowered = new Set(threads)
  }
}

/**
 * On Linux each thread has its own priority, and that of a process is only the one of its main thread. If only the main
 * thread had a lower priority, it would wait with the captions for the threads that draw the page.
 */
function listThreads(pid: number): number[] {
  if (process.platform !== 'linux') return [pid]
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch (error) {
    // The process has ended already.
    if (['ENOENT', 'ESRCH'].includes(errorCode(error))) return []
    throw error
  }
}

function lowerPriority(id: number, log: Log): void {
  try {
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
    setPriority(id, Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW))
  } catch (error) {
    // The process or thread has ended already.
    if (errorCode(error) === 'ERR_SYSTEM_ERROR' && /ESRCH/.test(String(error))) return
    log.warn({ err: error, threadId: id }, 'failed to lower the priority of a page')
  }
}
