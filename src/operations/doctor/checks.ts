import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { INSTANCE_VIEWER, type Viewer } from '../../access/viewer.ts'
import { openDisplay } from '../../bots/browser/launch/display.ts'
import {
  findBrowser,
  INSTALL_HINT,
  readBrowserVersion,
  refuseHeadlessShell,
} from '../../bots/browser/launch/find-browser.ts'
import { ISOLATION_TEXTS, probeBrowserIsolation } from '../../bots/browser/launch/isolation.ts'
import type { ProbeSite } from '../../bots/browser/network/reachability/probe-site.ts'
import { createPlatformPageModelLoader } from '../../bots/platforms/registry.ts'
import {
  REHEARSAL_PLATFORM_CLI_NAMES,
  type RehearsalPlatformCliName,
} from '../../bots/rehearsal/rehearsal-platforms.ts'
import {
  callbackPolicyOf,
  isTrustProxySettingMissing,
  needsDiskSpace,
  type Config,
} from '../../config/config.ts'
import {
  findCacheFolder,
  findPostgresCopiesFolder,
  loadConfig,
  PROCESS_ENV_AND_HOME,
  SETTINGS_FILE,
} from '../../config/load-config.ts'
import type { Db } from '../../db/database.ts'
import { listClusterMajorVersions } from '../../db/embedded/cluster.ts'
import {
  requirePostgresForDataFolder,
  findRunningClusterFolder,
} from '../../db/embedded/embedded-database.ts'
import { readPendingMigrations } from '../../db/migrate.ts'
import { describeMissingRoles, type NodeRole } from '../../db/nodes/node-roles.ts'
import { hasLiveNodes } from '../../db/nodes/node-rows.ts'
import { listReceivers, type CallbackReceiver } from '../../deliveries/history/delivery-summary.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { readFreeDiskMb } from '../../lib/files/folders.ts'
import { localHttpUrl } from '../../lib/net/ip-addresses.ts'
import { createLog } from '../../log.ts'
import { restrictDataFolder, openDataFolder } from '../../storage/data-folder.ts'
import { findRunningService, openStorage } from '../../storage/open-storage.ts'
import {
  REACHABILITY_CHECKS,
  isHansardService,
  checkSpeech,
  checkSpeechDelays,
  checkBundledZoneDataVersion,
} from './machine-checks.ts'
import { checkMail } from './mail-check.ts'

export type CheckResult = { name: string; ok: boolean; detail: string; fix?: string }

/** Input of a check. `runningService`: the service that runs it, with its open database. Null on the command line. */
export type CheckContext = {
  config: Config
  runningService: { db: Db; database: string; address: string } | null
  /** Tests replace the internet. By default, the real one. */
  probeSite?: ProbeSite | undefined
}

/** A check returns a description or throws. If it throws an OperatorError, the error's fix replaces `fix`. */
export type DoctorCheck = {
  name: string
  fix: string
  run(context: CheckContext): Promise<string> | string
  /** Set if only a node with this role needs what the check is about. */
  role?: NodeRole
  /** How long the System page shows the same result. Without it, the check runs each time. */
  keepResultMs?: number
}

const BOT_CHECKS: readonly DoctorCheck[] = [
  { name: 'browser', fix: INSTALL_HINT, run: checkBrowser },
  { name: 'speech', fix: 'hansard speech install', run: checkSpeech },
  {
    name: 'speech delay',
    fix: 'see docs/speech.md#when-a-machine-cannot-keep-up',
    run: (context) => checkStored(context, checkSpeechDelays),
  },
  { name: 'selectors file', fix: 'see docs/bots.md#selectors', run: checkSelectors },
  ...REACHABILITY_CHECKS,
]

export const STANDARD_CHECKS: readonly DoctorCheck[] = [
  { name: 'node', fix: 'hansard prepare', run: () => `Node ${process.versions.node}` },
  {
    name: 'time zones',
    fix: 'see docs/operate.md#time-zone-data',
    run: () => checkBundledZoneDataVersion(),
  },
  {
    name: 'data folder',
    fix: 'set HANSARD_DATA to a folder this account can write to',
    run: checkDataFolder,
  },
  { name: 'disk', fix: 'free some space on the disk of the data folder', run: checkDisk },
  { name: 'secrets', fix: 'chmod -R go-rwx <data>/secrets', run: checkSecrets },
  { name: 'port', fix: 'set HANSARD_PORT to a free port', run: checkPort },
  {
    name: 'callers',
    fix: 'set HANSARD_TRUST_PROXY to the address of the proxy that terminates TLS',
    run: checkTrustedProxy,
  },
  { name: 'callbacks', fix: 'see docs/operate.md#callbacks', run: describeCallbackPolicy },
  {
    name: 'database files',
    fix: 'see docs/operate.md#another-postgresql',
    run: checkDatabaseFiles,
  },
  { name: 'database', fix: 'see logs/postgres.log in the data folder', run: checkDatabase },
  {
    name: 'roles',
    fix: 'start a node with the missing role (docs/nodes.md#roles-of-nodes)',
    run: checkRoles,
  },
  {
    name: 'receivers',
    fix: 'hansard deliveries list',
    run: (context) => checkStored(context, (db) => checkReceivers(db, context)),
  },
  {
    name: 'mail',
    fix: 'see docs/mail.md#when-mail-does-not-arrive',
    run: checkMail,
    role: 'tasks',
    keepResultMs: 30_000,
  },
  ...BOT_CHECKS.map((check): DoctorCheck => ({ ...check, role: 'bots' })),
]

/** Slow checks, which run only on request. */
export const DEEP_CHECKS: readonly DoctorCheck[] = REHEARSAL_PLATFORM_CLI_NAMES.map((platform) => ({
  name: `rehearsal ${platform}`,
  fix: `hansard rehearse ${platform}`,
  role: 'bots',
  run: ({ config }) => checkRehearsal(config, platform),
}))

export async function runChecks({ isDeep = false } = {}): Promise<CheckResult[]> {
  let config: Config
  try {
    config = loadConfig()
  } catch (error) {
    return [toFailedResult('configuration', error, 'see docs/configuration.md')]
  }
  const results: CheckResult[] = [
    { name: 'configuration', ok: true, detail: describeSettingsFile() },
  ]
  for (const check of [...STANDARD_CHECKS, ...(isDeep ? DEEP_CHECKS : [])])
    results.push(await runCheck(check, { config, runningService: null }))
  return results
}

function describeSettingsFile(): string {
  return existsSync(SETTINGS_FILE)
    ? `no problems in the environment and ${SETTINGS_FILE}`
    : `no problems; there is no file ${SETTINGS_FILE}`
}

export async function runCheck(
  { name, fix, run, role }: DoctorCheck,
  context: CheckContext,
): Promise<CheckResult> {
  if (role !== undefined && !context.config.roles.includes(role))
    return { name, ok: true, detail: `not needed: this node does not have the role ${role}` }
  try {
    return { name, ok: true, detail: await run(context) }
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
    throw new OperatorError(`other accounts have access to ${root}`, `chmod 700 ${root}`)
  return state === 'restricted' ? root : `${root} (removed access of other accounts)`
}

function checkDisk({ config }: CheckContext): string {
  const free = readFreeDiskMb(config.data)
  if (!needsDiskSpace(config)) return `${free} MB free; documents are in the database`
  if (free < config.minFreeDiskMb)
    throw new OperatorError(
      `only ${free} MB are free, at least ${config.minFreeDiskMb} MB are needed`,
    )
  return `${free} MB free`
}

function checkSecrets({ config }: CheckContext): string {
  const path = join(config.data, 'secrets')
  if (!existsSync(path)) return 'created at the first start'
  if ((statSync(path).mode & 0o077) === 0) return 'only this account has access'
  throw new OperatorError(`other accounts have access to ${path}`, `chmod -R go-rwx ${path}`)
}

async function checkPort({ config, runningService }: CheckContext): Promise<string> {
  if (runningService !== null) return `the service is running at ${runningService.address}`
  const service = findRunningService(config.data)
  if (service !== null)
    return `the service is running at ${service.address} (process ${service.pid})`
  try {
    await listenBriefly(config)
    return `${config.host}:${config.port} is free`
  } catch (error) {
    // With an external database, the data folder does not record a running service, so the port itself is asked.
    const address = localHttpUrl(config.host, config.port)
    if (config.databaseUrl === undefined || !(await isHansardService(address))) throw error
    return `the service is running at ${address}`
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

/** Names the PostgreSQL cluster in use: the running one, or the one that matches the installed PostgreSQL version. */
function checkDatabaseFiles({ config }: CheckContext): string {
  if (config.databaseUrl !== undefined) return 'none: an external database is in use'
  const running = findRunningClusterFolder(config.data)
  const used = running === null ? clusterToUse(config) : basename(running)
  const existing = listClusterMajorVersions(config.data).map((major) => `pg${major}`)
  const others = existing.filter((name) => name !== used)
  if (existing.length === 0) return `${used}, created at the first start`
  return others.length === 0 ? used : `${used}; not in use: ${others.join(', ')}`
}

function clusterToUse(config: Config): string {
  const postgresCopies = findPostgresCopiesFolder(config)
  return `pg${requirePostgresForDataFolder({ ...config, postgresCopies }).major}`
}

function checkTrustedProxy({ config }: CheckContext): string {
  if (isTrustProxySettingMissing(config))
    throw new OperatorError(
      'HANSARD_PUBLIC_URL is https but no proxy is trusted, so all clients share one IP address',
    )
  const { trustProxy } = config
  return trustProxy === undefined
    ? 'clients connect directly: no proxy is trusted'
    : `the X-Forwarded-For header of ${trustProxy.join(', ')} is trusted`
}

function describeCallbackPolicy({ config }: CheckContext): string {
  const { callbackAllow: allow = [] } = config
  if (callbackPolicyOf(config) === 'private-ok')
    return 'receivers and calendars may be at private addresses and on this machine'
  const also = allow.length === 0 ? '' : `, and in ${allow.join(', ')}`
  return `receivers and calendars must be at public addresses${also}`
}

async function checkDatabase({ config, runningService }: CheckContext): Promise<string> {
  if (runningService !== null) return checkMigrations(runningService.db, runningService.database)
  await using storage = await openStorage(config, createLog('silent'), 'join')
  return await checkMigrations(storage.database.db, storage.description)
}

/** Only an external database knows other nodes, because one process alone can use the embedded database. */
function checkRoles(context: CheckContext): Promise<string> | string {
  const { databaseUrl, roles } = context.config
  if (databaseUrl === undefined) return 'one node does everything'
  return checkStored(context, async (db) => {
    const missing = (await hasLiveNodes(db)) ? await describeMissingRoles(db) : null
    if (missing !== null) throw new OperatorError(missing)
    return `this node: ${roles.join(', ')}`
  })
}

async function checkMigrations(db: Db, description: string): Promise<string> {
  const pending = await readPendingMigrations(db)
  if (pending.length > 0) throw new OperatorError(`migrations pending: ${pending.join(', ')}`)
  return description
}

/** Checks what the service has stored. Does not start an embedded database. */
async function checkStored(
  { config, runningService }: CheckContext,
  check: (db: Db) => Promise<string>,
): Promise<string> {
  if (runningService !== null) return check(runningService.db)
  if (config.databaseUrl === undefined && findRunningService(config.data) === null)
    return 'not checked: the service is not running'
  let storage
  try {
    storage = await openStorage(config, createLog('silent'), 'join')
  } catch (error) {
    if (error instanceof OperatorError) return 'not checked: the database cannot be opened'
    throw error
  }
  await using _ = storage
  const { db } = storage.database
  if ((await readPendingMigrations(db)).length > 0) return 'not checked: migrations are pending'
  return await check(db)
}

async function checkReceivers(db: Db, { runningService }: CheckContext): Promise<string> {
  // The System page must not tell admins about private projects.
  const viewer = runningService === null ? INSTANCE_VIEWER : TEAM_PROJECTS_VIEWER
  return describeReceivers(await listReceivers(db, viewer))
}

const TEAM_PROJECTS_VIEWER: Viewer = { kind: 'service', projects: null, isTeamOnly: true }
const MAX_NAMED_RECEIVERS = 5

/** Names only hosts, because paths can contain secrets. */
function describeReceivers(receivers: readonly CallbackReceiver[]): string {
  const failing = receivers.filter(({ problem }) => problem !== null)
  if (failing.length === 0) return 'no receiver of callbacks fails'
  const named = failing
    .slice(0, MAX_NAMED_RECEIVERS)
    .map(({ url, problem, failingSince, pending }) => {
      const since = failingSince === null ? '' : ` since ${formatMinute(failingSince)}`
      return `${URL.parse(url)?.host || url}: ${problem?.label}${since}, ${pending} waiting`
    })
  const others = failing.length - named.length
  throw new OperatorError([...named, ...(others > 0 ? [`${others} more`] : [])].join('; '))
}

function formatMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

async function checkBrowser({ config }: CheckContext): Promise<string> {
  const source = await findBrowser(config, PROCESS_ENV_AND_HOME)
  if (source === null) throw new OperatorError('no browser found', INSTALL_HINT)
  const host = PROCESS_ENV_AND_HOME
  if (config.browserMode === 'headed' && source.kind !== 'remote') {
    refuseHeadlessShell(source)
    await using _ = await openDisplay(host)
  }
  const version = await readBrowserVersion(source, findCacheFolder(config), host)
  const isolation = await probeBrowserIsolation({
    source,
    settings: config,
    host,
    cache: findCacheFolder(config),
    log: createLog('silent'),
  })
  const details = [
    source.from,
    ...(isolation === null ? [] : [`runs ${ISOLATION_TEXTS[isolation]}`]),
  ]
  return `${version} (${details.join(', ')})`
}

async function checkSelectors({ config: { selectorsFile } }: CheckContext): Promise<string> {
  if (selectorsFile === undefined) return 'none: the built-in selectors are in use'
  const problems = await createPlatformPageModelLoader(
    selectorsFile,
    createLog('silent'),
  ).problems()
  if (problems.length === 0) return `${selectorsFile} is in use`
  throw new OperatorError(`${selectorsFile} is ignored: ${problems.join('; ')}`)
}

async function checkRehearsal(config: Config, platform: RehearsalPlatformCliName): Promise<string> {
  const { rehearse } = await import('../../bots/rehearsal/rehearse.ts')
  const steps = []
  for await (const step of rehearse({
    platforms: [platform],
    script: undefined,
    settings: config,
    selectorsFile: config.selectorsFile,
    host: PROCESS_ENV_AND_HOME,
    cache: findCacheFolder(config),
    log: createLog('silent'),
  }))
    steps.push(step)
  const failed = steps.find(({ ok }) => !ok)
  if (failed === undefined) return `${steps.length} steps passed`
  throw new OperatorError(
    `${[failed.play, failed.name].filter(Boolean).join(', ')}: ${failed.detail}`,
  )
}
