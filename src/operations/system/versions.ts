import { sql } from 'kysely'
import {
  findBrowser,
  probeBrowser,
  type BrowserSettings,
  type HostEnvironment,
} from '../../bots/browser/launch/find-browser.ts'
import type { Db } from '../../db/database.ts'

export type Versions = {
  service: string
  node: string
  postgres: string
  /** Null when no browser can be browserVersion; the check `browser` shows the reason. */
  browser: string | null
}

type Parts = {
  db: Db
  version: string
  settings: BrowserSettings
  machine: HostEnvironment
  /** Folder into which the packaged browser is unpacked. */
  cache: string
}

export async function readVersions({ db, version, ...browser }: Parts): Promise<Versions> {
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

/** Starts the browser to read its version. Null on any failure; the check `browser` reports the reason. */
async function probeBrowserVersion(parts: Omit<Parts, 'db' | 'version'>): Promise<string | null> {
  const { settings, machine, cache } = parts
  const found = findBrowser(settings, machine)
  const version = found.then((browser) => browser && probeBrowser(browser, cache, machine))
  const [outcome] = await Promise.allSettled([version])
  return outcome.status === 'fulfilled' ? outcome.value : null
}
