import { OperatorError } from '../../../lib/operator-error.ts'
import { runOnce } from '../../../lib/async/sharing.ts'
import { errorMessageOf } from '../../../lib/error-code.ts'
import { systemTimers, type Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import { overridesEgressProxy } from '../launch/chromium-arguments.ts'
import {
  findBrowser,
  INSTALL_HINT,
  type BrowserMode,
  type BrowserSettings,
  type HostEnvironment,
} from '../launch/find-browser.ts'
import type { BrowserIsolation } from '../launch/isolation.ts'
import { launchBrowser } from '../launch/launch-browser.ts'
import { removeOrphanedProfiles } from '../launch/profile.ts'
import {
  openEgressProxy,
  type EgressProxy,
  type RehearsalStageRoute,
} from '../network/egress-proxy.ts'
import type { BrowserPool } from './browser-slot.ts'
import { DEFAULT_HEALTH_CHECK_TIMINGS, type HealthCheckTimings } from './health-monitor.ts'
import {
  launchSharedBrowser,
  type SharedBrowser,
  type BrowserSharingLimits,
} from './shared-browser.ts'

export type BrowserPoolOptions = {
  settings: BrowserSettings & {
    browserMode: BrowserMode
    browserArgs: readonly string[]
    botsPerBrowser: number
  }
  host: HostEnvironment
  /** The folder into which the packaged browser is unpacked. */
  cache: string
  log: Log
  /** A rehearsal stage that replaces the Internet. The browsers can then reach nothing else. */
  stageRoute?: RehearsalStageRoute
  /** Arguments that Chromium needs to use the stage. */
  stageArguments?: readonly string[]
  timers?: Timers
  healthCheck?: Partial<HealthCheckTimings>
  sharingLimits?: Partial<BrowserSharingLimits>
}

/** A pool that also counts its browsers, including those that are starting. */
export type BrowserPoolWithCount = BrowserPool & { browserCount(): number }

const NO_STAGE_OVER_CDP = 'the browser at HANSARD_BROWSER_CDP cannot reach the stage'
/** A bot tries a second browser if the first one fails to start or dies before the bot has its slot. */
const MAX_TRIES = 2

/** Opens a pool of browsers that bots share. A browser starts when a bot needs it and closes when it is unused. */
export async function openBrowserPool(options: BrowserPoolOptions): Promise<BrowserPoolWithCount> {
  const { settings, host, cache, log, timers = systemTimers, stageArguments = [] } = options
  await using stack = new AsyncDisposableStack()
  const removed = await removeOrphanedProfiles()
  if (removed > 0) log.info({ removed }, 'removed profiles of killed browsers')
  const isStaged = options.stageRoute !== undefined
  // A rehearsal must not reach the Internet, so it uses neither the operator's proxy nor the operator's Chrome.
  const operatorArguments = settings.browserArgs.filter(
    (argument) => !isStaged || !overridesEgressProxy(argument),
  )
  const args = [...stageArguments, ...operatorArguments]
  const egressProxy: EgressProxy | null = operatorArguments.some(overridesEgressProxy)
    ? null
    : stack.use(await openEgressProxy({ stageRoute: options.stageRoute, log }))
  const browsers = new Set<SharedBrowser>()
  const knownIsolations = new Map<string, BrowserIsolation>()
  const closing = new AbortController()

  async function launch() {
    const found = await findBrowser(settings, host)
    if (found === null) throw new OperatorError('no browser found', INSTALL_HINT)
    if (isStaged && found.kind === 'remote') throw new OperatorError(NO_STAGE_OVER_CDP)
    const { browserMode: mode } = settings
    return launchBrowser({
      source: found,
      mode,
      args,
      proxy: egressProxy?.proxyUrl ?? null,
      host,
      cache,
      log,
      knownIsolations,
    })
  }
  function openShared(): SharedBrowser {
    const shared = launchSharedBrowser({
      launch,
      log,
      timers,
      healthCheck: { ...DEFAULT_HEALTH_CHECK_TIMINGS, ...options.healthCheck },
      sharingLimits: { maxSlots: settings.botsPerBrowser, ...options.sharingLimits },
      onClosed: () => browsers.delete(shared),
    })
    browsers.add(shared)
    return shared
  }

  stack.defer(async () => {
    closing.abort(new Error('the browser pool is closing'))
    await Promise.allSettled([...browsers].map((shared) => shared[Symbol.asyncDispose]()))
  })
  const owned = stack.move()
  return {
    async acquire(slotOptions, signal) {
      for (let tries = 1; ; tries += 1) {
        signal.throwIfAborted()
        closing.signal.throwIfAborted()
        const free = [...browsers].find(({ hasFreeSlot }) => hasFreeSlot())
        const shared = free ?? openShared()
        try {
          return await shared.acquire(slotOptions, AbortSignal.any([signal, closing.signal]))
        } catch (error) {
          if (signal.aborted || closing.signal.aborted) throw error
          const isStartError = free === undefined && error instanceof OperatorError
          if (isStartError || tries === MAX_TRIES) throw error
          log.debug(
            { reason: errorMessageOf(error) },
            'failed to open a slot in a shared browser, trying another browser',
          )
        }
      }
    },
    browserCount: () => browsers.size,
    [Symbol.asyncDispose]: runOnce(() => owned.disposeAsync()),
  }
}
