import type { Log } from '../../../log.ts'
import type { BrowserSource, HostEnvironment } from './find-browser.ts'
import { isolationLevel, type IsolationLevel } from './isolation.ts'

type Options = {
  source: BrowserSource
  settings: { browserArgs: readonly string[] }
  host: HostEnvironment
  /** The folder into which the packaged browser is unpacked. */
  cache: string
  log: Log
}

/** Starts the browser once and tells how it is isolated; null for the operator's own Chrome. */
export async function probeBrowserIsolation(options: Options): Promise<IsolationLevel | null> {
  const { source, settings, host, cache, log } = options
  if (source.kind === 'remote') return null
  // Playwright is large, and most commands do not need it.
  const { launchBrowser } = await import('./launch-browser.ts')
  await using running = await launchBrowser({
    source,
    // The isolation does not depend on a window.
    mode: 'headless',
    args: settings.browserArgs,
    proxy: null,
    host,
    cache,
    log,
    knownIsolations: new Map(),
  })
  return running.isolation === null ? null : isolationLevel(running.isolation)
}
