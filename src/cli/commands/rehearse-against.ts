import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { findBrowser, readBrowserVersion } from '../../bots/browser/launch/find-browser.ts'
import { openBrowserPool } from '../../bots/browser/pool/browser-pool.ts'
import { createPlatformPageModelLoader } from '../../bots/platforms/page-models.ts'
import type { LoadBotAccountBrowserState } from '../../bots/platforms/page-session/attend-page.ts'
import { rehearseAgainst } from '../../bots/rehearsal/against/rehearse-against.ts'
import type { Config } from '../../config/config.ts'
import {
  BROWSER_CACHE_FOLDER,
  HANSARD_VERSION,
  loadConfig,
  PROCESS_ENV_AND_HOME,
} from '../../config/load-config.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createLog } from '../../log.ts'
import { printJson, printLine } from '../output.ts'
import { withStorage } from '../with-storage.ts'

type AgainstCommandOptions = {
  url: string
  account?: string
  minutes: number
  report?: string
  json?: true
}

const ADMISSION_MS = 600_000

/** Joins a real meeting, prints each step, and writes the report file. */
export async function runRehearsalAgainst(options: AgainstCommandOptions): Promise<void> {
  if (options.account === undefined) return joinAndReport(options, loadConfig())
  const { createBotAccounts } = await import('../../bots/accounts/bot-accounts.ts')
  await withStorage(({ database: { db }, secretBox }, config) => {
    const { loadState } = createBotAccounts({ db, clock: systemClock, secretBox })
    return joinAndReport(options, config, loadState)
  })
}

async function joinAndReport(
  { url, account, minutes, report: file, json }: AgainstCommandOptions,
  config: Config,
  openAccount?: LoadBotAccountBrowserState,
): Promise<void> {
  const log = createLog('silent')
  const browser = await findBrowser(config, PROCESS_ENV_AND_HOME)
  const version =
    browser && (await readBrowserVersion(browser, BROWSER_CACHE_FOLDER, PROCESS_ENV_AND_HOME))
  const [host, cache] = [PROCESS_ENV_AND_HOME, BROWSER_CACHE_FOLDER]
  await using pool = await openBrowserPool({ settings: config, host, cache, log })
  const createdAt = systemClock.now().toISOString()
  if (!json)
    printLine(`Joining as “${config.botName}”. Admit the bot, turn on your microphone and speak.`)
  const leaving = new AbortController()
  // Ctrl+C ends the check early, with a report.
  process.once('SIGINT', () => leaving.abort())
  const { steps, report } = await rehearseAgainst({
    leaveSignal: leaving.signal,
    url,
    account: account ?? null,
    botName: config.botName,
    admissionMs: ADMISSION_MS,
    stayMs: minutes * 60_000,
    pool,
    pageModels: createPlatformPageModelLoader(config.selectorsFile, log),
    ...(openAccount && { openAccount }),
    log,
    facts: { hansard: HANSARD_VERSION, browser: version ?? 'unknown', createdAt },
  })
  const path = resolve(file ?? `hansard-${report.platform}-${createdAt.slice(0, 10)}.json`)
  await writeFile(path, `${JSON.stringify(report, null, 1)}\n`)
  const isHealthy = steps.every(({ ok }) => ok)
  if (json) printJson({ ok: isHealthy, steps, report: path })
  else {
    for (const { name, ok, detail } of steps)
      printLine(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(16)} ${detail}`)
    printLine(
      `Wrote ${path}. Names and words are blanked; read it before you attach it to a bug report.`,
    )
  }
  if (!isHealthy) process.exitCode = 1
}
