import { findBrowser, readBrowserVersion } from '../../browser/launch/find-browser.ts'
import { openBrowserPool, type BrowserPoolOptions } from '../../browser/pool/browser-pool.ts'
import { createPlatformPageModelLoader } from '../../platforms/page-models.ts'
import { rehearseAgainst, type AgainstOptions } from './rehearse-against.ts'

type OwnBrowserOptions = Omit<AgainstOptions, 'pool' | 'pageModels' | 'facts'> &
  Pick<BrowserPoolOptions, 'settings' | 'host' | 'cache'> & {
    selectorsFile: string | undefined
    facts: Omit<AgainstOptions['facts'], 'browser'>
  }

/** Rehearses against a real meeting with the browser that the settings choose. */
export async function rehearseWithOwnBrowser({
  settings,
  host,
  cache,
  selectorsFile,
  facts,
  ...options
}: OwnBrowserOptions): ReturnType<typeof rehearseAgainst> {
  const { log } = options
  const found = await findBrowser(settings, host)
  const browser = found === null ? 'none found' : await readBrowserVersion(found, cache, host)
  await using pool = await openBrowserPool({ settings, host, cache, log })
  return await rehearseAgainst({
    ...options,
    pool,
    pageModels: createPlatformPageModelLoader(selectorsFile, log),
    facts: { ...facts, browser },
  })
}
