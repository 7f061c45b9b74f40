import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { findBrowser, INSTALL_HINT, probeBrowser } from '../browser/find.ts'
import { hasUntrustedProxy, type Config } from '../config.ts'
import { closeDataFolder, openDataFolder } from '../data-folder.ts'
import { serverAccount } from '../db/embedded/account.ts'
import { findBinaries } from '../db/embedded/binaries.ts'
import { clusterMajors, refuseOtherMajor } from '../db/embedded/cluster.ts'
import { livingCluster } from '../db/embedded/open.ts'
import { pendingMigrations } from '../db/migrate.ts'
import type { Db } from '../db/open.ts'
import { OperatorError } from '../errors.ts'
import { freeDiskMb } from '../lib/free-disk.ts'
import { httpAddress } from '../lib/http-address.ts'
import { loadConfig, MACHINE, ROOT } from '../load-config.ts'
import { createLog } from '../log.ts'
import { openPageTables } from '../platforms/page-tables.ts'
import { REHEARSED, type Rehearsed } from '../rehearsal/rehearsed.ts'
import { occupantOf, openStorage } from '../storage.ts'

export type Finding = { name: string; ok: boolean; detail: string; mend?: string }

/** Where the packaged browser is unpacked. */
const CACHE = join(ROOT, 'node_modules/.cache')

/** Where a check looks. `inside`: it is run by the service itself, which has these open and in use already. */
export type Place = {
  config: Config
  inside: { db: Db; database: string; address: string } | null
}

/** A check answers what it found, or throws: an OperatorError brings its own mend. */
export type Check = { name: string; mend: string; run(place: Place): Promise<string> | string }

export const CHECKS: readonly Check[] = [
  { name: 'node', mend: 'npm ci', run: () => `Node ${process.versions.node}` },
  {
    name: 'data folder',
    mend: 'set HANSARD_DATA to a folder this account may write to',
    run: checkDataFolder,
  },
  { name: 'disk', mend: 'free some space on the disk of the data folder', run: checkDisk },
  { name: 'secrets', mend: 'chmod -R go-rwx <data>/secrets', run: checkSecrets },
  { name: 'port', mend: 'set HANSARD_PORT to a free port', run: checkPort },
  {
    name: 'callers',
    mend: 'set HANSARD_TRUST_PROXY to the address of the proxy that speaks TLS',
    run: checkCallers,
  },
  { name: 'database files', mend: 'see docs/operate.md#another-postgresql', run: checkClusters },
  { name: 'database', mend: 'see logs/postgres.log in the data folder', run: checkDatabase },
  { name: 'browser', mend: INSTALL_HINT, run: checkBrowser },
  { name: 'selectors file', mend: 'see docs/operate.md#selectors', run: checkSelectors },
]

/** Only asked for by name: they take long. */
export const DEEP_CHECKS: readonly Check[] = REHEARSED.map((which) => ({
  name: `rehearsal ${which}`,
  mend: `hansard rehearse ${which}`,
  run: ({ config }) => checkRehearsal(config, which),
}))

export async function examine({ isDeep = false } = {}): Promise<Finding[]> {
  let config: Config
  try {
    config = loadConfig()
  } catch (error) {
    return [toFinding('configuration', error, 'see docs/configuration.md')]
  }
  const findings: Finding[] = [{ name: 'configuration', ok: true, detail: 'no problem' }]
  for (const check of [...CHECKS, ...(isDeep ? DEEP_CHECKS : [])])
    findings.push(await runCheck(check, { config, inside: null }))
  return findings
}

export async function runCheck({ name, mend, run }: Check, place: Place): Promise<Finding> {
  try {
    return { name, ok: true, detail: await run(place) }
  } catch (error) {
    return toFinding(name, error, mend)
  }
}

function toFinding(name: string, error: unknown, mend: string): Finding {
  const detail = error instanceof Error ? error.message : String(error)
  return {
    name,
    ok: false,
    detail,
    mend: (error instanceof OperatorError ? error.mend : undefined) ?? mend,
  }
}

function checkDataFolder({ config }: Place): string {
  const { root } = openDataFolder(config.data)
  const state = closeDataFolder(root)
  if (state === 'open')
    throw new OperatorError(`${root} can be entered by other accounts`, `chmod 700 ${root}`)
  return state === 'closed' ? root : `${root} (was open to other accounts, closed now)`
}

function checkDisk({ config }: Place): string {
  const free = freeDiskMb(config.data)
  if (free < config.minFreeDiskMb)
    throw new OperatorError(`only ${free} MB free, ${config.minFreeDiskMb} wanted`)
  return `${free} MB free`
}

function checkSecrets({ config }: Place): string {
  const path = join(config.data, 'secrets')
  if (!existsSync(path)) return 'made at the first start'
  if ((statSync(path).mode & 0o077) === 0) return 'readable by this account alone'
  throw new OperatorError(`${path} can be read by others`, `chmod -R go-rwx ${path}`)
}

async function checkPort({ config, inside }: Place): Promise<string> {
  if (inside !== null) return `the service runs at ${inside.address}`
  const occupant = occupantOf(config.data)
  if (occupant !== null) return `the service runs at ${occupant.address} (process ${occupant.pid})`
  try {
    await listenOnce(config)
    return `${config.host}:${config.port} is free`
  } catch (error) {
    // Beside an outside database nothing in the data folder tells of a service; it tells so by itself.
    const address = httpAddress(config.host, config.port)
    if (config.databaseUrl === undefined || !(await isService(address))) throw error
    return `a service of Hansard runs at ${address}`
  }
}

async function listenOnce({ host, port }: Config): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(port, host, resolve)
  })
  await new Promise((resolve) => probe.close(resolve))
}

const ANSWER_MS = 3_000
const Health = z.object({ status: z.literal('ok'), version: z.string() })

/** Whatever goes wrong, it is no service of ours that answers. */
async function isService(address: string): Promise<boolean> {
  const [answer] = await Promise.allSettled([askHealth(address)])
  return answer.status === 'fulfilled' && Health.safeParse(answer.value).success
}

async function askHealth(address: string): Promise<unknown> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  return (await fetch(`${address}/healthz`, { signal, redirect: 'error' })).json()
}

/** Which of the clusters in the data folder is the database: the running one, or that of our programs. */
function checkClusters({ config }: Place): string {
  if (config.databaseUrl !== undefined) return 'none: the database is an outside one'
  const living = livingCluster(config.data)
  const used = living === null ? clusterToUse(config) : basename(living)
  const there = clusterMajors(config.data).map((major) => `pg${major}`)
  const others = there.filter((name) => name !== used)
  if (there.length === 0) return `${used}, made at the first start`
  return others.length === 0 ? used : `${used}; not in use: ${others.join(', ')}`
}

function clusterToUse({ data, postgresBin }: Config): string {
  const binaries = findBinaries(postgresBin, serverAccount())
  refuseOtherMajor(data, binaries)
  return `pg${binaries.major}`
}

function checkCallers({ config }: Place): string {
  if (hasUntrustedProxy(config))
    throw new OperatorError(
      'the public address is https and no proxy is trusted: all callers look like one',
    )
  const { trustProxy } = config
  return trustProxy === undefined
    ? 'they come by themselves: no proxy is trusted'
    : `X-Forwarded-For of ${trustProxy.join(', ')} is believed`
}

async function checkDatabase({ config, inside }: Place): Promise<string> {
  if (inside !== null) return checkMigrations(inside.db, inside.database)
  await using storage = await openStorage(config, createLog('silent'), 'join')
  return await checkMigrations(storage.database.db, storage.description)
}

async function checkMigrations(db: Db, description: string): Promise<string> {
  const pending = await pendingMigrations(db)
  if (pending.length > 0) throw new OperatorError(`migrations pending: ${pending.join(', ')}`)
  return description
}

async function checkBrowser({ config }: Place): Promise<string> {
  const browser = await findBrowser(config, MACHINE)
  if (browser === null) throw new OperatorError('no browser found', INSTALL_HINT)
  return `${await probeBrowser(browser, CACHE, MACHINE)} (${browser.from})`
}

async function checkSelectors({ config: { selectorsFile } }: Place): Promise<string> {
  if (selectorsFile === undefined) return 'none: the built-in tables are in use'
  const problems = await openPageTables(selectorsFile, createLog('silent')).problems()
  if (problems.length === 0) return `${selectorsFile} is in use`
  throw new OperatorError(`${selectorsFile} is not used: ${problems.join('; ')}`)
}

async function checkRehearsal(config: Config, which: Rehearsed): Promise<string> {
  const { rehearse } = await import('../rehearsal/rehearse.ts')
  const steps = []
  for await (const step of rehearse({
    which: [which],
    script: undefined,
    settings: config,
    selectorsFile: config.selectorsFile,
    machine: MACHINE,
    cache: CACHE,
    log: createLog('silent'),
  }))
    steps.push(step)
  const failed = steps.find(({ ok }) => !ok)
  if (failed === undefined) return `${steps.length} steps work`
  throw new OperatorError(
    `${[failed.play, failed.name].filter(Boolean).join(', ')}: ${failed.detail}`,
  )
}
