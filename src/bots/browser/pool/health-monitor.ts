import { readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { errorCode } from '../../../lib/error-code.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import { killProcess, type RunningBrowser } from '../launch/launch-browser.ts'
import type { PoolInternalBrowserSlot } from './open-slot.ts'

export type HealthCheckTimings = {
  /** Time between two checks of the browser's processes. */
  processCheckMs: number
  /** Time between two pings of the browser and of each of its pages. */
  pingMs: number
  /** A page or browser is treated as hung after this many consecutive pings without an answer or other activity. */
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
  /** Called when the browser hangs or its network service has died, so that no bot can use it. */
  onGone(): void
}

type BrowserProcess = { type: string; id: number }

/**
 * Detects failures that a browser does not report: a dead network service, a hung page, a hung browser. On a busy
 * machine answers are only late, so a missed ping counts only if our own timer was on time and, for a page, if the
 * browser itself answered.
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
   * Lowers the priority of new pages and checks the network service. If that service died, Chromium restarts it
   * without telling the pages, whose streams have ended and whose peer connections never recover. A restarted graphics
   * process does no harm.
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
      // A hung browser does not close on request, and its bots must not wait for it.
      killProcess(pid)
      onGone()
      return
    }
    for (const slot of pages.keys()) if (!slots.has(slot)) pages.delete(slot)
    for (const slot of slots) pingSlot(slot, wasInTime && browser.missed === 0)
    // When a slot is lost, its user may close the browser.
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
  /** Sends a ping unless one is still unanswered, and returns how many in a row were missed. */
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
 * Gives the processes that render pages a lower priority than the service and than the browser process, which passes on
 * their captions. Otherwise twenty pages on a fully loaded machine delay captions and API requests.
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
 * On Linux each thread has its own priority, and a process's priority is only its main thread's. If only the main
 * thread had a lower priority, it would wait with the captions for the threads that draw the page.
 */
function listThreads(pid: number): number[] {
  if (process.platform !== 'linux') return [pid]
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch (error) {
    // The process has already ended.
    if (['ENOENT', 'ESRCH'].includes(errorCode(error))) return []
    throw error
  }
}

function lowerPriority(id: number, log: Log): void {
  try {
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
    setPriority(id, Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW))
  } catch (error) {
    // The process or thread has already ended.
    if (errorCode(error) === 'ERR_SYSTEM_ERROR' && /ESRCH/.test(String(error))) return
    log.warn({ err: error, threadId: id }, 'failed to lower the priority of a page')
  }
}
