import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { BotAccounts } from '../../bots/accounts/bot-accounts.ts'
import { rehearseWithOwnBrowser } from '../../bots/rehearsal/against/with-own-browser.ts'
import type { Config } from '../../config/config.ts'
import {
  BROWSER_CACHE_FOLDER,
  HANSARD_VERSION,
  loadConfig,
  PROCESS_ENV_AND_HOME,
} from '../../config/load-config.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createLog } from '../../log.ts'
import { printCheckLine, printJson, printLine } from '../output.ts'
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
  await withStorage(({ database: { db }, secretBox, clock }, config) =>
    joinAndReport(options, config, createBotAccounts({ db, clock, secretBox })),
  )
}

async function joinAndReport(
  { url, account, minutes, report: file, json }: AgainstCommandOptions,
  config: Config,
  botAccounts?: BotAccounts,
): Promise<void> {
  const { botName, selectorsFile } = config
  const createdAt = systemClock.now().toISOString()
  const leaving = new AbortController()
  // Ctrl+C ends the check early, with a report.
  process.once('SIGINT', () => leaving.abort())
  if (!json) printLine(`Joining as “${botName}”. Admit the bot, turn on your microphone and speak.`)
  const { steps, report } = await rehearseWithOwnBrowser({
    url,
    account: account ?? null,
    botName,
    admissionMs: ADMISSION_MS,
    stayMs: minutes * 60_000,
    leaveSignal: leaving.signal,
    settings: config,
    host: PROCESS_ENV_AND_HOME,
    cache: BROWSER_CACHE_FOLDER,
    selectorsFile,
    ...(botAccounts && { openAccount: botAccounts.loadState }),
    log: createLog('silent'),
    facts: { hansard: HANSARD_VERSION, createdAt },
  })
  const path = resolve(file ?? `hansard-${report.platform}-${createdAt.slice(0, 10)}.json`)
  await writeFile(path, `${JSON.stringify(report, null, 1)}\n`)
  const isHealthy = steps.every(({ ok }) => ok)
  if (json) printJson({ ok: isHealthy, steps, report: path })
  else {
    for (const step of steps) printCheckLine(step)
    printLine(
      `Wrote ${path}. Names and words are blanked; read it before you attach it to a bug report.`,
    )
  }
  if (!isHealthy) process.exitCode = 1
}
