import type { AccountsArea } from '../accounts/area.ts'
import { COMMAND_LINE_ACTOR } from '../accounts/audit.ts'
import type { GoogleHosts } from '../network/google-hosts.ts'
import type { MicrosoftHostsByCloud } from '../network/microsoft-hosts.ts'
import { findPasswordProblem, type PasswordHasher } from '../accounts/sign-in/passwords.ts'
import { describeBrowser, findBrowser } from '../bots/browser/launch/find-browser.ts'
import type { ProbeSite } from '../bots/browser/network/reachability/probe-site.ts'
import type { Platform } from '../bots/platforms/platform.ts'
import { type Config, isTrustProxySettingMissing } from '../config/config.ts'
import {
  PROCESS_ENV_AND_HOME,
  findCacheFolder,
  INSTALLATION_FOLDER,
  HANSARD_BUILD,
  HANSARD_VERSION,
} from '../config/load-config.ts'
import { buildConsoleIfStale } from '../console/build-console.ts'
import type { Db } from '../db/database.ts'
import type { LaneRules } from '../deliveries/lane/retry-policy.ts'
import { dnsThreadCount } from '../network/dns-lookups.ts'
import { OperatorError } from '../lib/operator-error.ts'
import type { FastifyApp } from '../http/fastify-app.ts'
import type { OpenApiBuilder } from '../http/openapi/document.ts'
import { serveConsole } from '../http/routes/instance/console-pages.ts'
import { preventUnhandledRejection, waitUntilSettled } from '../lib/async/await-later.ts'
import { createShutdown, stopOnShutdown } from '../lib/async/shutdown.ts'
import { errorCode, errorMessageOf } from '../lib/error-code.ts'
import { localHttpUrl } from '../lib/net/ip-addresses.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { TasksArea } from '../tasks/area.ts'
import { createSystemArea } from '../operations/system/area.ts'
import type { FetchPackage } from '../speech/install/npm-pack.ts'
import { writeRunningServiceFile, readFileOrStdin } from '../storage/data-folder.ts'
import { type MigratedStorage, openStorage } from '../storage/open-storage.ts'
import { openAreas, type Areas } from './areas.ts'
import { openBotsArea, type ZoomTestServers } from './bots.ts'
import { createCallbackPolicy, openTasksAreaFromConfig } from './configured-areas.ts'
import { createHttpApp, type HttpApp } from './http-app.ts'
import { createMaintenanceJobs, startMaintenance } from './maintenance.ts'
import { createReadinessChecks } from './readiness-checks.ts'
import { createServiceParts, type ServiceParts } from './service-parts.ts'
import { openTelemetryFromConfig } from './telemetry.ts'

/** When the service stops, it waits this long for answers of models, receivers and meeting pages. */
const STOP_GRACE_MS = 5_000
/** The storage is closed last. The other parts must be closed this much earlier. */
const STORAGE_CLOSE_MS = 2_000

export type Service = AsyncDisposable & {
  /** The public URL, or the local address if none is configured. */
  url: string
  port: number
  /** One-time link for the first user. Null once there is a user. */
  setupLink: string | null
  hasUsers(): Promise<boolean>
  browser: string
  database: string
  /** The OpenAPI document of every route for programs, or of every route of the console. */
  openapi: OpenApiBuilder
  /** Rejects if the service has to stop, for example because its database ended. */
  failed: Promise<never>
}

/** Parts of the service that tests and benchmarks replace or add. */
export type ServiceOverrides = {
  clock?: Clock
  /** The clock of this machine, which may be wrong. */
  machineClock?: Clock
  /** How long a request waits for a database connection. */
  databaseConnectMs?: number
  routes?: (app: FastifyApp, db: Db) => void
  platforms?: readonly Platform[]
  laneRules?: Partial<LaneRules>
  /** A test may use a fast hasher, because hashing a password is deliberately slow. */
  passwords?: PasswordHasher | undefined
  /** How long a bot waits for its platform's session to close. */
  platformCloseMs?: number
  /** Replaces the internet when the websites of the platforms are checked. */
  probeSite?: ProbeSite
  /** Replaces npm when speech recognition is installed. */
  fetchSpeechPackage?: FetchPackage
  /** Replaces the hosts of Microsoft 365. */
  microsoftHosts?: MicrosoftHostsByCloud
  /** Replaces the hosts of Google Workspace. */
  googleHosts?: GoogleHosts
  /** Replaces servers of Zoom. */
  zoomTestServers?: ZoomTestServers
  /** The folder of a built console, which is then not compared with its sources. */
  consoleFolder?: string
}

/** When a service has to end. By default, a start is never aborted, and a stop waits for every part. */
export type ServiceLifetime = {
  /** Aborts to end the start. The started parts are stopped, and `openService` rejects. */
  signal?: AbortSignal
  /** The time limit of a stop in milliseconds. Parts that still run then are abandoned. */
  stopLimitMs?: number
}

const NEVER_ABORTED = new AbortController().signal

/** Starts the parts of the service one after another. A stop signals all of them and closes them in reverse order. */
export async function openService(
  config: Config,
  log: Log,
  overrides: ServiceOverrides = {},
  { signal = NEVER_ABORTED, stopLimitMs = Infinity }: ServiceLifetime = {},
): Promise<Service> {
  const shutdown = createShutdown(STOP_GRACE_MS)
  const closeWithinMs = stopLimitMs - STORAGE_CLOSE_MS
  await using opened = createServiceParts({ log, shutdown, signal, closeWithinMs })
  const host = { machine: PROCESS_ENV_AND_HOME, cache: findCacheFolder(config) }
  const [isApi, hasBots, doesTasks] = (['api', 'bots', 'tasks'] as const).map((role) =>
    config.roles.includes(role),
  )
  const consoleBuild = isApi
    ? await opened.open('console build', () =>
        startConsoleBuild(overrides.consoleFolder, shutdown.begun, log),
      )
    : null
  const browser = preventUnhandledRejection(
    hasBots ? findBrowser(config, PROCESS_ENV_AND_HOME) : Promise.resolve(null),
  )

  const storage = await opened.open(
    'storage',
    () => openStorage(config, log, 'own', { ...overrides, signal }),
    stopLimitMs,
  )
  const { db } = storage.database
  const clock = overrides.clock ?? storage.clock
  let ownPorts: () => number[] = () => []
  const network = createNetworkParts(config, storage, () => ownPorts())
  const bots = await opened.open('bots', () =>
    openBotsArea({ ...overrides, ...network, config, log, clock, storage, ...host }),
  )
  const telemetry = await opened.open('telemetry', () =>
    openTelemetryFromConfig({ config, log, clock, storage, ownPorts: () => ownPorts() }),
  )
  const shared = { config, log, clock, tracer: telemetry.tracer }
  const areas = await openAreas({
    ...shared,
    opened,
    shutdown,
    storage,
    platforms: [...(overrides.platforms ?? []), ...bots.platforms],
    botAccounts: bots.accounts,
    speech: bots.speech.recognition,
    laneRules: overrides.laneRules,
    passwords: overrides.passwords,
    platformCloseMs: overrides.platformCloseMs,
    microsoftHosts: overrides.microsoftHosts,
    googleHosts: overrides.googleHosts,
    ...network,
    baseUrl: () => baseUrl(),
  })
  const { projects, membership } = areas
  const tasks =
    isApi || doesTasks
      ? await openTasksAndMaintenance({ ...shared, opened, storage, areas, shutdown })
      : null
  const system = createSystemArea({
    ...shared,
    db,
    version: HANSARD_BUILD,
    ...host,
    nodeId: membership.nodeId,
    database: storage.description,
    address: () => localUrlOf(http.app, config.host),
    probeSite: overrides.probeSite,
  })

  const baseUrl = (): string => config.publicUrl ?? localUrlOf(http.app, config.host)
  const http: HttpApp = await opened.open('HTTP server', () =>
    createHttpApp({
      ...shared,
      database: storage.database,
      version: HANSARD_VERSION,
      areas,
      tasks,
      bots,
      system,
      checks: createReadinessChecks({ config, storage, bots, projects, membership }),
      baseUrl,
      databaseClock: storage.clock,
      isClosing: () => shutdown.begun.aborted,
    }),
  )
  const { app, openapi, metrics } = http
  await opened.open('export of metrics', () => telemetry.exportMetrics(metrics))
  overrides.routes?.(app, db)
  if (consoleBuild !== null) await serveConsole(app, await consoleBuild.folder)
  // The configured user is created before the port opens, because it makes the set-up link invalid, which a request
  // could otherwise use.
  if (isApi) await createFirstAdminFromConfig(config, areas.accounts)
  signal.throwIfAborted()
  await listenOnConfiguredPort(app, config)
  const port = listeningPortOf(app)
  ownPorts = () => [port]
  if (config.databaseUrl === undefined) {
    const address = localUrlOf(app, config.host)
    writeRunningServiceFile(storage.folder, { pid: process.pid, address })
  }

  const facts = {
    url: baseUrl(),
    port,
    setupLink: isApi ? await createSetupLinkIfNoUsers(areas.accounts, baseUrl()) : null,
    hasUsers: async () => (await areas.accounts.users.count()) > 0,
    browser: hasBots ? describeBrowser(await browser) : 'none: this node attends no meetings',
    database: storage.description,
  }
  signal.throwIfAborted()
  return { ...facts, openapi, failed: storage.lost, ...opened.move() }
}

/** What the service needs to connect to addresses that people or other services name. */
function createNetworkParts(config: Config, storage: MigratedStorage, ownPorts: () => number[]) {
  const dnsThreads = dnsThreadCount(PROCESS_ENV_AND_HOME.env['UV_THREADPOOL_SIZE'])
  const parts = { ownPorts, dnsThreads }
  return { ...parts, policy: createCallbackPolicy({ config, storage, ...parts }) }
}

/** Opens what answers requests about tasks. With the role `tasks`, also runs tasks and maintenance. */
async function openTasksAndMaintenance({
  opened,
  ...parts
}: Parameters<typeof openTasksAreaFromConfig>[0] & {
  opened: ServiceParts
  areas: Areas
}): Promise<TasksArea> {
  const { config, log, storage, areas, clock, shutdown } = parts
  const { graceOver } = shutdown
  const tasks = await opened.open('tasks', () => openTasksAreaFromConfig(parts))
  if (config.roles.includes('tasks')) {
    const { db } = storage.database.longRunning
    const jobs = createMaintenanceJobs({ ...areas, ...areas.documentStorage, db, config, log })
    await opened.open('maintenance', async () =>
      stopOnShutdown(shutdown, startMaintenance({ ...areas, db, clock, log, jobs, graceOver })),
    )
  }
  return tasks
}

/** The folder of the built console. Disposing waits for a build, which `signal` ends. */
function startConsoleBuild(readyFolder: string | undefined, signal: AbortSignal, log: Log) {
  const folder = preventUnhandledRejection(findConsoleFolder(readyFolder, signal, log))
  return { folder, [Symbol.asyncDispose]: () => waitUntilSettled(folder) }
}

async function findConsoleFolder(
  readyFolder: string | undefined,
  signal: AbortSignal,
  log: Log,
): Promise<string> {
  if (readyFolder !== undefined) return readyFolder
  const onBuild = () => log.info('building the console')
  return (await buildConsoleIfStale(INSTALLATION_FOLDER, { signal, onBuild })).folder
}

/** Opens the configured port, or throws an error that names the setting to change. */
export async function listenOnConfiguredPort(app: FastifyApp, config: Config): Promise<void> {
  const { host, port } = config
  if (isTrustProxySettingMissing(config)) {
    app.log.warn(
      'HANSARD_PUBLIC_URL is https but no proxy is trusted, so all clients share one IP address; set HANSARD_TRUST_PROXY',
    )
  }
  try {
    await app.listen({ host, port })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE') {
      throw new OperatorError(
        `Port ${port} on ${host} is in use`,
        'Set HANSARD_PORT to another one',
        error,
      )
    }
    throw new OperatorError(
      `Cannot listen on ${host}, port ${port}: ${errorMessageOf(error)}`,
      'Check HANSARD_HOST and HANSARD_PORT',
      error,
    )
  }
}

/** The URL of the service on this machine, independent of the public URL. */
function localUrlOf(app: FastifyApp, host: string): string {
  return localHttpUrl(host, listeningPortOf(app))
}

function listeningPortOf(app: FastifyApp): number {
  const address = app.server.address()
  if (address === null || typeof address === 'string')
    throw new Error('the server is not listening')
  return address.port
}

/** Creates the admin in the settings, unless a user exists. Several nodes may do this concurrently. */
export async function createFirstAdminFromConfig(
  config: Config,
  { accounts, users }: AccountsArea,
): Promise<void> {
  const { adminEmail, adminPasswordFile } = config
  if (adminEmail === undefined || adminPasswordFile === undefined || (await users.count()) > 0)
    return
  const password = readFileOrStdin('HANSARD_ADMIN_PASSWORD_FILE', adminPasswordFile)
  const problem = await findPasswordProblem(password)
  if (problem !== null)
    throw new OperatorError(`HANSARD_ADMIN_PASSWORD_FILE: the password in it ${problem}`)
  await accounts.createFirstUser(
    { email: adminEmail, name: adminEmail, password, role: 'admin' },
    COMMAND_LINE_ACTOR,
  )
}

/** The link for creating the first user. Null if a user exists. */
async function createSetupLinkIfNoUsers(
  { users, invitations }: AccountsArea,
  baseUrl: string,
): Promise<string | null> {
  if ((await users.count()) > 0) return null
  const { code } = await invitations.createSetupLink()
  return `${baseUrl}/setup#${code}`
}
