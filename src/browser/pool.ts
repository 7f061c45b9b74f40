import { OperatorError } from '../errors.ts'
import { messageOf } from '../lib/error-code.ts'
import { systemTimers, type Timers } from '../lib/timers.ts'
import type { Log } from '../log.ts'
import { namesProxy } from './arguments.ts'
import {
  findBrowser,
  INSTALL_HINT,
  type BrowserMode,
  type BrowserSettings,
  type Machine,
} from './find.ts'
import { openGate, type Gate, type Opening } from './gate.ts'
import { launchBrowser } from './launch.ts'
import { sweepProfiles } from './profile.ts'
import type { BrowserPool } from './seat.ts'
import { createSharedBrowser, type SharedBrowser, type Sharing } from './shared.ts'
import { PATIENCE, type Patience } from './watch.ts'

export type PoolOptions = {
  settings: BrowserSettings & {
    browserMode: BrowserMode
    browserArgs: readonly string[]
    botsPerBrowser: number
  }
  machine: Machine
  /** Where the packaged browser is unpacked. */
  cache: string
  log: Log
  /** A rehearsal stage instead of the world; with it nothing else can be reached. */
  opening?: Opening
  /** What the stage wants Chromium to be started with. */
  stageArguments?: readonly string[]
  timers?: Timers
  patience?: Partial<Patience>
  sharing?: Partial<Sharing>
}

const NOT_THE_STAGE = 'the browser at HANSARD_BROWSER_CDP cannot see the stage'
/** A bot tries once more when the browser that it was to share did not start, or died in that moment. */
const TRIES = 2

/** Browsers that bots share: started when one is needed, closed when none is. */
export async function openBrowserPool(options: PoolOptions): Promise<BrowserPool> {
  const { settings, machine, cache, log, timers = systemTimers, stageArguments = [] } = options
  await using stack = new AsyncDisposableStack()
  const swept = await sweepProfiles()
  if (swept > 0) log.info({ swept }, 'removed what killed browsers left behind')
  const isStaged = options.opening !== undefined
  // The operator's proxy leads into the world, and so does the operator's Chrome: neither is for the stage.
  const given = settings.browserArgs.filter((argument) => !isStaged || !namesProxy(argument))
  const args = [...stageArguments, ...given]
  const gate: Gate | null = given.some(namesProxy) ? null : stack.use(await openGate(options))
  const browsers = new Set<SharedBrowser>()
  const ending = new AbortController()

  async function launch() {
    const found = await findBrowser(settings, machine)
    if (found === null) throw new OperatorError('no browser found', INSTALL_HINT)
    if (isStaged && found.kind === 'remote') throw new OperatorError(NOT_THE_STAGE)
    const { browserMode: mode } = settings
    return launchBrowser({ found, mode, args, proxy: gate?.proxy ?? null, machine, cache, log })
  }
  function openShared(): SharedBrowser {
    const shared = createSharedBrowser({
      launch,
      log,
      timers,
      patience: { ...PATIENCE, ...options.patience },
      sharing: { places: settings.botsPerBrowser, ...options.sharing },
      onClosed: () => browsers.delete(shared),
    })
    browsers.add(shared)
    return shared
  }

  stack.defer(async () => {
    ending.abort(new Error('the browsers are closing'))
    await Promise.allSettled([...browsers].map((shared) => shared[Symbol.asyncDispose]()))
  })
  const owned = stack.move()
  return {
    async take(wishes, signal) {
      for (let tries = 1; ; tries += 1) {
        signal.throwIfAborted()
        ending.signal.throwIfAborted()
        const free = [...browsers].find(({ hasPlace }) => hasPlace())
        const shared = free ?? openShared()
        try {
          return await shared.take(wishes, AbortSignal.any([signal, ending.signal]))
        } catch (error) {
          if (signal.aborted || ending.signal.aborted) throw error
          const isOwn = free === undefined && error instanceof OperatorError
          if (isOwn || tries === TRIES) throw error
          log.debug({ reason: messageOf(error) }, 'no seat in that browser, trying another')
        }
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
