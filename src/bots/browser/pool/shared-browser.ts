import { abortable } from '../../../lib/async/abort.ts'
import { runOnce } from '../../../lib/async/sharing.ts'
import { errorMessageOf } from '../../../lib/error-code.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import type { RunningBrowser } from '../launch/launch-browser.ts'
import { BrowserSlotLostError, type BrowserSlot, type BrowserSlotOptions } from './browser-slot.ts'
import { monitorBrowser, type HealthCheckTimings } from './health-monitor.ts'
import { openBrowserSlot, type PoolInternalBrowserSlot } from './open-slot.ts'

/** How long, and by how many bots, one browser is used. */
export type BrowserSharingLimits = {
  /** How many bots may use one browser at the same time. */
  maxSlots: number
  /** How many bots may use one browser in its whole life. Replacing a browser frees the memory it has collected. */
  maxSlotsPerLifetime: number
  maxAgeMs: number
  /** How long an empty browser stays open for the next bot. */
  idleMs: number
}
const DEFAULT_SHARING_LIMITS = {
  maxSlotsPerLifetime: 200,
  maxAgeMs: 12 * 3_600_000,
  idleMs: 60_000,
}

export type SharedBrowser = ReturnType<typeof launchSharedBrowser>

type Options = {
  launch(): Promise<RunningBrowser>
  log: Log
  timers: Timers
  healthCheck: HealthCheckTimings
  sharingLimits: Partial<BrowserSharingLimits> & Pick<BrowserSharingLimits, 'maxSlots'>
  onClosed(): void
}

/** Starts one browser and manages it until it closes. */
export function launchSharedBrowser(options: Options) {
  const { log, timers, healthCheck, onClosed } = options
  const { maxSlots, maxSlotsPerLifetime, maxAgeMs, idleMs } = {
    ...DEFAULT_SHARING_LIMITS,
    ...options.sharingLimits,
  }
  const slots = new Set<PoolInternalBrowserSlot>()
  const startedAt = timers.now()
  let slotsInUse = 0
  let slotsOpened = 0
  let isClosing = false
  let cancelIdle = () => {}
  let watch: Disposable | null = null

  const starting = options.launch().then((running) => {
    // `close` was called during the start, and waits to close the browser.
    if (isClosing) return running
    running.browser.on('disconnected', onBrowserGone)
    watch = monitorBrowser({ ...healthCheck, running, slots, timers, log, onGone: onBrowserGone })
    log.info({ version: running.browser.version() }, 'browser started')
    return running
  })
  // Waiting bots get the error from `acquire`. If no bot waits, the unhandled rejection would end the process.
  const close = runOnce(stopAndClose)
  starting.catch(close)

  function isWornOut(): boolean {
    return slotsOpened >= maxSlotsPerLifetime || timers.now() - startedAt >= maxAgeMs
  }
  function stopAccepting(): void {
    if (isClosing) return
    isClosing = true
    cancelIdle()
    watch?.[Symbol.dispose]()
  }
  function onBrowserGone(): void {
    if (!isClosing) log.warn({ bots: slots.size }, 'browser ended unexpectedly')
    stopAccepting()
    for (const slot of slots) slot.markLost('browser gone')
    void close()
  }
  async function stopAndClose(): Promise<void> {
    stopAccepting()
    try {
      const running = await startedOrNull()
      await running?.[Symbol.asyncDispose]()
    } catch (error) {
      log.warn({ err: error }, 'failed to close a browser')
    }
    onClosed()
  }
  /** Null if the browser failed to start. Each waiting bot gets the error itself. */
  async function startedOrNull(): Promise<RunningBrowser | null> {
    try {
      return await starting
    } catch (error) {
      log.warn({ reason: errorMessageOf(error) }, 'failed to start a browser')
      return null
    }
  }
  function trackSlot(slot: PoolInternalBrowserSlot): BrowserSlot {
    slots.add(slot)
    const release = runOnce(async () => {
      slots.delete(slot)
      try {
        await slot[Symbol.asyncDispose]()
      } finally {
        releaseSlot()
      }
    })
    return { ...slot, [Symbol.asyncDispose]: release }
  }
  /** Closes a bot's slot as soon as it is open, because the bot no longer waits for it. */
  async function releaseUnused(opening: Promise<PoolInternalBrowserSlot> | null): Promise<void> {
    try {
      await (await opening)?.[Symbol.asyncDispose]()
    } catch (error) {
      log.debug({ reason: errorMessageOf(error) }, 'failed to open or close an unused browser slot')
    } finally {
      releaseSlot()
    }
  }
  function releaseSlot(): void {
    slotsInUse -= 1
    if (slotsInUse > 0 || isClosing) return
    if (isWornOut()) void close()
    else cancelIdle = timers.after(idleMs, () => void close())
  }

  return {
    /** True if another bot may use this browser. */
    hasFreeSlot: () => !isClosing && slotsInUse < maxSlots && !isWornOut(),
    /** Gives a bot a slot in this browser. The slot is counted at once, even while the browser is still starting. */
    async acquire(slotOptions: BrowserSlotOptions, signal: AbortSignal): Promise<BrowserSlot> {
      cancelIdle()
      slotsInUse += 1
      slotsOpened += 1
      let opening: Promise<PoolInternalBrowserSlot> | null = null
      try {
        const running = await abortable(starting, signal)
        opening = openBrowserSlot({ running, slotOptions, log })
        const slot = await abortable(opening, signal)
        if (isClosing) throw new BrowserSlotLostError('browser gone')
        return trackSlot(slot)
      } catch (error) {
        void releaseUnused(opening)
        throw error
      }
    },
    [Symbol.asyncDispose]: close,
  }
}
