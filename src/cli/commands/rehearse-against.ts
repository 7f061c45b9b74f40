import { open, rm, type FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { BotAccounts } from '../../bots/accounts/bot-accounts.ts'
import { rehearseWithOwnBrowser } from '../../bots/rehearsal/against/rehearse-against.ts'
import {
  findCacheFolder,
  HANSARD_VERSION,
  loadConfig,
  PROCESS_ENV_AND_HOME,
} from '../../config/load-config.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createLog } from '../../log.ts'
import { printCheckLine, printJson, printLine } from '../output.ts'
import { withStorage } from '../with-storage.ts'

type AgainstCommandOptions = {
  url: string
  account?: string
  minutes?: number
  report?: string
  json?: true
}

const ADMISSION_MS = 600_000
const DEFAULT_STAY_MINUTES = 2

/** Joins a real meeting, writes the report file, and prints the result of each step. */
export async function runRehearsalAgainst(options: AgainstCommandOptions): Promise<void> {
  const createdAt = systemClock.now().toISOString()
  const time = createdAt.slice(0, 19).replaceAll(':', '-')
  const path = resolve(options.report ?? `hansard-platform-report-${time}Z.json`)
  // Opened before the meeting, so that a wrong path does not waste a visit.
  await using file = await openReportFile(path)
  try {
    const { steps, report } = await visit(options, createdAt)
    await file.truncate()
    await file.writeFile(`${JSON.stringify(report, null, 1)}\n`)
    printResult(steps, path, options.json)
  } catch (error) {
    if ((await file.stat()).size === 0) await rm(path)
    throw error
  }
}

/** Keeps an existing file's content until a report replaces it. */
async function openReportFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a')
  } catch (error) {
    throw new OperatorError(
      `The report cannot be written: ${errorMessageOf(error)}`,
      'Name another file with --report',
      error,
    )
  }
}

function visit(
  { url, account, minutes = DEFAULT_STAY_MINUTES, json }: AgainstCommandOptions,
  createdAt: string,
): ReturnType<typeof rehearseWithOwnBrowser> {
  const config = loadConfig()
  const { botName, selectorsFile } = config
  const leaving = new AbortController()
  // Ctrl+C ends the check early, with a report.
  process.once('SIGINT', () => leaving.abort())
  if (!json) printLine(`Joining as “${botName}”. Admit the bot, turn on your microphone and speak.`)
  return rehearseWithOwnBrowser({
    url,
    account: account ?? null,
    botName,
    admissionMs: ADMISSION_MS,
    stayMs: minutes * 60_000,
    leaveSignal: leaving.signal,
    settings: config,
    host: PROCESS_ENV_AND_HOME,
    cache: findCacheFolder(config),
    selectorsFile,
    openAccount,
    log: createLog('silent'),
    facts: { hansard: HANSARD_VERSION, createdAt },
  })
}

/** Opens the storage only while it reads the account, because the service can't start during that time. */
const openAccount: BotAccounts['loadState'] = async (platform, name) => {
  const { createBotAccounts } = await import('../../bots/accounts/bot-accounts.ts')
  return withStorage(({ database: { db }, secretBox, clock }) =>
    createBotAccounts({ db, clock, secretBox }).loadState(platform, name),
  )
}

function printResult(
  steps: Awaited<ReturnType<typeof rehearseWithOwnBrowser>>['steps'],
  path: string,
  json: true | undefined,
): void {
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
