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
  /** Null: none that starts; the check of that name says why. */
  browser: string | null
}

type Parts = {
  db: Db
  version: string
  settings: BrowserSettings
  machine: HostEnvironment
  /** Where the packaged browser is unpacked. */
  cache: string
}

export async function readVersions({ db, version, ...browser }: Parts): Promise<Versions> {
  const [{ rows }, started] = await Promise.all([
    sql<{ server_version: string }>`show server_version`.execute(db),
    probeBrowserVersion(browser),
  ])
  return {
    service: version,
    node: process.versions.node,
    postgres: rows[0]?.server_version ?? '',
    browser: started,
  }
}

/** A browser is started by hand, by packages and by remote control: whatever keeps it from starting, there is none. */
async function probeBrowserVersion(parts: Omit<Parts, 'db' | 'version'>): Promise<string | null> {
  const { settings, machine, cache } = parts
  const found = findBrowser(settings, machine)
  const version = found.then((browser) => browser && probeBrowser(browser, cache, machine))
  const [outcome] = await Promise.allSettled([version])
  return outcome.status === 'fulfilled' ? outcome.value : null
}
