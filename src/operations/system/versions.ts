import { sql } from 'kysely'
import {
  findBrowser,
  readBrowserVersion,
  type BrowserSettings,
  type HostEnvironment,
} from '../../bots/browser/launch/find-browser.ts'
import type { IsolationLevel } from '../../bots/browser/launch/isolation.ts'
import { probeBrowserIsolation } from '../../bots/browser/launch/probe-isolation.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import type { Log } from '../../log.ts'

export type SoftwareVersions = {
  service: string
  node: string
  postgres: string
  /** Version of the browser. Null on a node without bots, and when none can be started; the `hansard doctor` check `browser` shows the reason. */
  browser: string | null
  /** How the browser is isolated; null for the operator's own Chrome and when none can be started. */
  browserIsolation: IsolationLevel | null
}

type Parts = {
  db: Db
  version: string
  settings: BrowserSettings & Pick<Config, 'browserArgs' | 'roles'>
  machine: HostEnvironment
  /** Folder into which the packaged browser is unpacked. */
  cache: string
  log: Log
}

export async function readSoftwareVersions({
  db,
  version,
  ...browser
}: Parts): Promise<SoftwareVersions> {
  const [{ rows }, found] = await Promise.all([
    sql<{ server_version: string }>`show server_version`.execute(db),
    probeBrowser(browser),
  ])
  return {
    service: version,
    node: process.versions.node,
    postgres: rows[0]?.server_version ?? '',
    ...found,
  }
}

type BrowserFacts = Pick<SoftwareVersions, 'browser' | 'browserIsolation'>

/** Starts the browser to read its version and to see how it is isolated. */
async function probeBrowser(parts: Omit<Parts, 'db' | 'version'>): Promise<BrowserFacts> {
  const { settings, machine, cache, log } = parts
  try {
    const source = settings.roles.includes('bots') ? await findBrowser(settings, machine) : null
    if (source === null) return NO_BROWSER
    return {
      browser: await readBrowserVersion(source, cache, machine),
      browserIsolation: await probeBrowserIsolation({
        source,
        settings,
        host: machine,
        cache,
        log,
      }),
    }
  } catch (error) {
    log.warn({ err: error }, 'failed to start the browser to read its version')
    return NO_BROWSER
  }
}

const NO_BROWSER: BrowserFacts = { browser: null, browserIsolation: null }
