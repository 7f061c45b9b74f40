import type { ProbeSite } from '../bots/browser/network/reachability/probe-site.ts'
import { describeBrowser, findBrowser } from '../bots/browser/launch/find-browser.ts'
import type { PasswordHasher } from '../accounts/sign-in/passwords.ts'
import type { Platform } from '../bots/platforms/platform.ts'
import type { Config } from '../config/config.ts'
import {
  PROCESS_ENV_AND_HOME,
  findCacheFolder,
  INSTALLATION_FOLDER,
  HANSARD_VERSION,
} from '../config/load-config.ts'
import { buildConsoleIfStale } from '../console/build-console.ts'
import type { LaneRules } from '../deliveries/lane/retry-policy.ts'
import { dnsThreadCount } from '../deliveries/network/policy/dns-lookups.ts'
import type { Db } from '../db/database.ts'
import type { FastifyApp } from '../http/fastify-app.ts'
import { serveConsole } from '../http/routes/instance/console-pages.ts'
import { startJobEngine } from '../jobs/jobs.ts'
import { scheduleMaintenance } from '../jobs/maintenance.ts'
import { preventUnhandledRejection } from '../lib/async/await-later.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { createSystemArea } from '../operations/system/area.ts'
import type { FetchPackage } from '../speech/install/npm-pack.ts'
import { writeRunningServiceFile } from '../storage/data-folder.ts'
import { openStorage } from '../storage/open-storage.ts'
import { openAreas } from './areas.ts'
import { openBotsArea } from './bots.ts'
import { openTasksAreaFromConfig } from './configured-tasks.ts'
import { createFirstAdminFromConfig, createSetupLinkIfNoUsers } from './first-user.ts'
import { createHttpApp, type HttpApp } from './http-app.ts'
import { listenOnConfiguredPort, localUrlOf, listeningPortOf } from './listen.ts'
import { createMaintenanceJobs } from './maintenance-jobs.ts'
import { createReadinessChecks } from './readiness-checks.ts'

/** When the service stops, connections of clients that have not finished their request after this time are closed. */
const SHUTDOWN_GRACE_MS = 3_000

export type Service = AsyncDisposable & {
  /** The public URL, or the local address when none is configured. */
  url: string
  /** The port on which the service listens. */
  port: number
  /** One-time link for the first user; null once there is one. */
  setupLink: string | null
  browser: string
  database: string
  /** The OpenAPI document of every route. */
  openapi(): object
  /** Rejects when the service has to stop, for example because its database ended. */
  failed: Promise<never>
}

/** The parts of the service that tests and benchmarks replace or add. */
export type ServiceOverrides = {
  clock?: Clock
  /** The clock of this machine, which may be wrong. */
  machineClock?: Clock
  /** How long a request waits for a database connection. */
  databaseConnectMs?: number
  routes?: (app: FastifyApp, db: Db) => void
  platforms?: readonly Platform[]
  laneRules?: Partial<LaneRules>
  /** Hashing a password is slow on purpose, so a test may use a fast hasher. */
  passwords?: PasswordHasher | undefined
  /** How long a bot waits for the session of its platform to close. */
  platformCloseMs?: number
  /** How long a sign-in waits for each answer of the provider. */
  signInProviderTimeoutMs?: number
  /** Replaces the internet when the websites of the platforms are checked. */
  probeSite?: ProbeSite
  /** Replaces npm when speech recognition is installed. */
  fetchSpeechPackage?: FetchPackage
  /** The folder of a built console, which is then not checked for changed sources. */
  consoleFolder?: string
}

async function findConsoleBuild(readyFolder: string | undefined): Promise<{ folder: string }> {
  return readyFolder === undefined
    ? buildConsoleIfStale(INSTALLATION_FOLDER)
    : { folder: readyFolder }
}

/** Starts the parts of the service one after another. Stopping the service closes them in reverse order. */
export async function openService(
  config: Config,
  log: Log,
  overrides: ServiceOverrides = {},
): Promise<Service> {
  await using stack = new AsyncDisposableStack()
  const host = { machine: PROCESS_ENV_AND_HOME, cache: findCacheFolder(config) }
  const consoleBuild = preventUnhandledRejection(findConsoleBuild(overrides.consoleFolder))
  const browser = preventUnhandledRejection(findBrowser(config, PROCESS_ENV_AND_HOME))

  const storage = stack.use(await openStorage(config, log, 'own', overrides))
  const { db, longRunning } = storage.database
  const clock = overrides.clock ?? storage.clock
  const bots = stack.use(await openBotsArea({ ...overrides, config, log, clock, storage, ...host }))
  let ownPorts: () => number[] = () => []
  const areas = stack.use(
    await openAreas({
      config,
      log,
      clock,
      storage,
      platforms: [...(overrides.platforms ?? []), ...bots.platforms],
      botAccounts: bots.accounts,
      speech: bots.speech.recognition,
      laneRules: overrides.laneRules,
      passwords: overrides.passwords,
      platformCloseMs: overrides.platformCloseMs,
      ownPorts: () => ownPorts(),
      baseUrl: () => baseUrl(),
      signInProviderTimeoutMs: overrides.signInProviderTimeoutMs,
      dnsThreads: dnsThreadCount(PROCESS_ENV_AND_HOME.env['UV_THREADPOOL_SIZE']),
    }),
  )
  const { projects, membership } = areas
  const { files } = areas.documentStorage
  const jobs = stack.use(await startJobEngine({ query: longRunning.query, log }))
  const maintenance = createMaintenanceJobs({ db: longRunning.db, config, files, projects, log })
  await scheduleMaintenance(jobs, maintenance, { clock, log })
  const tasks = stack.use(
    await openTasksAreaFromConfig({ config, log, storage, jobs, areas, clock }),
  )
  const system = createSystemArea({
    config,
    db,
    clock,
    log,
    version: HANSARD_VERSION,
    ...host,
    nodeId: membership.nodeId,
    database: storage.description,
    address: () => localUrlOf(http.app, config.host),
    probeSite: overrides.probeSite,
  })

  let isClosing = false
  const baseUrl = (): string => config.publicUrl ?? localUrlOf(http.app, config.host)
  const http: HttpApp = stack.use(
    await createHttpApp({
      config,
      log,
      clock,
      database: storage.database,
      version: HANSARD_VERSION,
      areas,
      tasks,
      bots,
      system,
      checks: createReadinessChecks({ config, storage, jobs, bots, projects, membership }),
      baseUrl,
      databaseClock: storage.clock,
      isClosing: () => isClosing,
    }),
  )
  const { app, openapi } = http
  overrides.routes?.(app, db)
  await serveConsole(app, (await consoleBuild).folder)
  // The configured user is created before the port opens, so that no request uses a set-up link that this user makes
  // void.
  await createFirstAdminFromConfig(config, areas.accounts)
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
    setupLink: await createSetupLinkIfNoUsers(areas.accounts, baseUrl()),
    browser: describeBrowser(await browser),
    database: storage.description,
  }
  const started = stack.move()
  return {
    ...facts,
    openapi,
    failed: storage.lost,
    async [Symbol.asyncDispose]() {
      isClosing = true
      const grace = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS)
      await started.disposeAsync()
      clearTimeout(grace)
    },
  }
}
