import { sql } from 'kysely'
import {
  findBrowser,
  readBrowserVersion,
  type BrowserSettings,
  type HostEnvironment,
} from '../../bots/browser/launch/find-browser.ts'
import type { Db } from '../../db/database.ts'
import type { Log } from '../../log.ts'

export type SoftwareVersions = {
  service: string
  node: string
  postgres: string
  /** Version of the browser. Null when none can be started; the `hansard doctor` check `browser` shows the reason. */
  browser: string | null
}

type Parts = {
  db: Db
  version: string
  settings: BrowserSettings
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
  const [{ rows }, browserVersion] = await Promise.all([
    sql<{ server_version: string }>`show server_version`.execute(db),
    probeBrowserVersion(browser),
  ])
  return {
    service: version,
    node: process.versions.node,
    postgres: rows[0]?.server_version ?? '',
    browser: browserVersion,
  }
}

/** Starts the browser to read its version. */
async function probeBrowserVersion(parts: Omit<Parts, 'db' | 'version'>): Promise<string | null> {
  const { settings, machine, cache, log } = parts
  try {
    const browser = await findBrowser(settings, machine)
    return browser && (await readBrowserVersion(browser, cache, machine))
  } catch (error) {
    log.warn({ err: error }, 'failed to read the version of the browser')
    return null
  }
}
