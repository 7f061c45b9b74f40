import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { findBrowser, INSTALL_HINT, probeBrowser } from '../../bots/browser/launch/find-browser.ts'
import { hasUntrustedProxy, type Config } from '../../config/config.ts'
import { restrictDataFolder, openDataFolder } from '../../storage/data-folder.ts'
import { chooseServerAccount } from '../../db/embedded/os-account.ts'
import { findPostgresBinaries } from '../../db/embedded/binaries.ts'
import { clusterMajors, refuseOtherMajor } from '../../db/embedded/cluster.ts'
import { findRunningCluster } from '../../db/embedded/embedded-database.ts'
import { pendingMigrations } from '../../db/migrate.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../errors.ts'
import { freeDiskMb } from '../../lib/files/free-disk.ts'
import { localHttpUrl } from '../../lib/net/local-url.ts'
import { loadConfig, MACHINE, ROOT } from '../../config/load-config.ts'
import { createLog } from '../../log.ts'
import { openPageModels } from '../../bots/platforms/page-models.ts'
import {
  REHEARSAL_PLATFORMS,
  type RehearsalPlatform,
} from '../../bots/rehearsal/rehearsal-platforms.ts'
import { findRunningService, openStorage } from '../../storage/open-storage.ts'

export type CheckResult = { name: string; ok: boolean; detail: string; fix?: string }

/** Where the packaged browser is unpacked. */
const BROWSER_CACHE = join(ROOT, 'node_modules/.cache')

/** Where a check looks. `inside`: it is run by the service itself, which has these open and in use already. */
export type CheckContext = {
  config: Config
  runningService: { db: Db; database: string; address: string } | null
}

/** A check answers what it found, or throws: an OperatorError brings its own mend. */
export type DoctorCheck = {
  name: string
  fix: string
  run(place: CheckContext): Promise<string> | string
}

export const CHECKS: readonly DoctorCheck[] = [
  { name: 'node', fix: 'npm ci', run: () => `Node ${process.versions.node}` },
  {
    name: 'data folder',
    fix: 'set HANSARD_DATA to a folder this account may write to',
    run: checkDataFolder,
  },
  { name: 'disk', fix: 'free some space on the disk of the data folder', run: checkDisk },
  { name: 'secrets', fix: 'chmod -R go-rwx <data>/secrets', run: checkSecrets },
  { name: 'port', fix: 'set HANSARD_PORT to a free port', run: checkPort },
  {
    name: 'callers',
    fix: 'set HANSARD_TRUST_PROXY to the address of the proxy that speaks TLS',
    run: checkTrustedProxy,
  },
  {
    name: 'database files',
    fix: 'see docs/operate.md#another-postgresql',
    run: checkDatabaseFiles,
  },
  { name: 'database', fix: 'see logs/postgres.log in the data folder', run: checkDatabase },
  { name: 'browser', fix: INSTALL_HINT, run: checkBrowser },
  { name: 'selectors file', fix: 'see docs/operate.md#selectors', run: checkSelectors },
]

/** Only asked for by name: they take long. */
export const DEEP_CHECKS: readonly DoctorCheck[] = REHEARSAL_PLATFORMS.map((which) => ({
  name: `rehearsal ${which}`,
  fix: `hansard rehearse ${which}`,
  run: ({ config }) => checkRehearsal(config, which),
}))

export async function runChecks({ isDeep = false } = {}): Promise<CheckResult[]> {
  let config: Config
  try {
    config = loadConfig()
  } catch (error) {
    return [toFailedResult('configuration', error, 'see docs/configuration.md')]
  }
  const findings: CheckResult[] = [{ name: 'configuration', ok: true, detail: 'no problem' }]
  for (const check of [...CHECKS, ...(isDeep ? DEEP_CHECKS : [])])
    findings.push(await runCheck(check, { config, runningService: null }))
  return findings
}

export async function runCheck(
  { name, fix, run }: DoctorCheck,
  place: CheckContext,
): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: await run(place) }
  } catch (error) {
    return toFailedResult(name, error, fix)
  }
}

function toFailedResult(name: string, error: unknown, fix: string): CheckResult {
  const detail = error instanceof Error ? error.message : String(error)
  return {
    name,
    ok: false,
    detail,
    fix: (error instanceof OperatorError ? error.fix : undefined) ?? fix,
  }
}

function checkDataFolder({ config }: CheckContext): string {
  const { root } = openDataFolder(config.data)
  const state = restrictDataFolder(root)
  if (state === 'open')
    throw new OperatorError(`${root} can be entered by other accounts`, `chmod 700 ${root}`)
  return state === 'closed' ? root : `${root} (was open to other accounts, closed now)`
}

function checkDisk({ config }: CheckContext): string {
  const free = freeDiskMb(config.data)
  if (free < config.minFreeDiskMb)
    throw new OperatorError(`only ${free} MB free, ${config.minFreeDiskMb} wanted`)
  return `${free} MB free`
}

function checkSecrets({ config }: CheckContext): string {
  const path = join(config.data, 'secrets')
  if (!existsSync(path)) return 'made at the first start'
  if ((statSync(path).mode & 0o077) === 0) return 'readable by this account alone'
  throw new OperatorError(`${path} can be read by others`, `chmod -R go-rwx ${path}`)
}

async function checkPort({ config, runningService }: CheckContext): Promise<string> {
  if (runningService !== null) return `the service runs at ${runningService.address}`
  const occupant = findRunningService(config.data)
  if (occupant !== null) return `the service runs at ${occupant.address} (process ${occupant.pid})`
  try {
    await listenBriefly(config)
    return `${config.host}:${config.port} is free`
  } catch (error) {
    // Beside an outside database nothing in the data folder tells of a service; it tells so by itself.
    const address = localHttpUrl(config.host, config.port)
    if (config.databaseUrl === undefined || !(await isHansardService(address))) throw error
    return `a service of Hansard runs at ${address}`
  }
}

async function listenBriefly({ host, port }: Config): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(port, host, resolve)
  })
  await new Promise((resolve) => probe.close(resolve))
}

const HEALTH_TIMEOUT_MS = 3_000
const Health = z.object({ status: z.literal('ok'), version: z.string() })

/** Whatever goes wrong, it is no service of ours that answers. */
async function isHansardService(address: string): Promise<boolean> {
  const [answer] = await Promise.allSettled([fetchHealth(address)])
  return answer.status === 'fulfilled' && Health.safeParse(answer.value).success
}

async function fetchHealth(address: string): Promise<unknown> {
  const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS)
  return (await fetch(`${address}/healthz`, { signal, redirect: 'error' })).json()
}

/** Which of the clusters in the data folder is the database: the running one, or that of our programs. */
function checkDatabaseFiles({ config }: CheckContext): string {
  if (config.databaseUrl !== undefined) return 'none: the database is an outside one'
  const living = findRunningCluster(config.data)
  const used = living === null ? clusterToUse(config) : basename(living)
  const there = clusterMajors(config.data).map((major) => `pg${major}`)
  const others = there.filter((name) => name !== used)
  if (there.length === 0) return `${used}, made at the first start`
  return others.length === 0 ? used : `${used}; not in use: ${others.join(', ')}`
}

function clusterToUse({ data, postgresBin }: Config): string {
  const binaries = findPostgresBinaries(postgresBin, chooseServerAccount())
  refuseOtherMajor(data, binaries)
  return `pg${binaries.major}`
}

function checkTrustedProxy({ config }: CheckContext): string {
  if (hasUntrustedProxy(config))
    throw new OperatorError(
      'the public address is https and no proxy is trusted: all callers look like one',
    )
  const { trustProxy } = config
  return trustProxy === undefined
    ? 'they come by themselves: no proxy is trusted'
    : `X-Forwarded-For of ${trustProxy.join(', ')} is believed`
}

async function checkDatabase({ config, runningService }: CheckContext): Promise<string> {
  if (runningService !== null) return checkMigrations(runningService.db, runningService.database)
  await using storage = await openStorage(config, createLog('silent'), 'join')
  return await checkMigrations(storage.database.db, storage.description)
}

async function checkMigrations(db: Db, description: string): Promise<string> {
  const pending = await pendingMigrations(db)
  if (pending.length > 0) throw new OperatorError(`migrations pending: ${pending.join(', ')}`)
  return description
}

async function checkBrowser({ config }: CheckContext): Promise<string> {
  const browser = await findBrowser(config, MACHINE)
  if (browser === null) throw new OperatorError('no browser found', INSTALL_HINT)
  return `${await probeBrowser(browser, BROWSER_CACHE, MACHINE)} (${browser.from})`
}

async function checkSelectors({ config: { selectorsFile } }: CheckContext): Promise<string> {
  if (selectorsFile === undefined) return 'none: the built-in tables are in use'
  const problems = await openPageModels(selectorsFile, createLog('silent')).problems()
  if (problems.length === 0) return `${selectorsFile} is in use`
  throw new OperatorError(`${selectorsFile} is not used: ${problems.join('; ')}`)
}

async function checkRehearsal(config: Config, which: RehearsalPlatform): Promise<string> {
  const { rehearse } = await import('../../bots/rehearsal/rehearse.ts')
  const steps = []
  for await (const step of rehearse({
    platforms: [which],
    script: undefined,
    settings: config,
    selectorsFile: config.selectorsFile,
    host: MACHINE,
    cache: BROWSER_CACHE,
    log: createLog('silent'),
  }))
    steps.push(step)
  const failed = steps.find(({ ok }) => !ok)
  if (failed === undefined) return `${steps.length} steps work`
  throw new OperatorError(
    `${[failed.play, failed.name].filter(Boolean).join(', ')}: ${failed.detail}`,
  )
}
