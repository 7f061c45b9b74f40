import { join } from 'node:path'
import { ACCOUNT_MAINTENANCE_JOBS } from '../accounts/area.ts'
import { areaRoutes } from './area-routes.ts'
import { openAreas, type Areas } from './areas.ts'
import { openBots } from './bots.ts'
import { describeBrowser, findBrowser } from '../bots/browser/launch/find-browser.ts'
import { hasUntrustedProxy, type Config } from '../config/config.ts'
import { buildConsole } from '../console/build-console.ts'
import { writeRunningService } from '../storage/data-folder.ts'
import type { Db } from '../db/database.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import type { LaneRules } from '../deliveries/lane/retry-policy.ts'
import { dnsThreadCount } from '../deliveries/network/dns-lookups.ts'
import { deleteExpiredEvents } from '../deliveries/retention.ts'
import { OperatorError } from '../errors.ts'
import { createConfiguredUser, createSetupLink } from './first-user.ts'
import {
  accessOfUnknownPath,
  enforceRouteAccess,
  requireApiKey,
} from '../http/pipeline/access/route-access.ts'
import { serveConsole } from '../http/routes/instance/console-pages.ts'
import { sessionCookieOptions } from '../http/pipeline/access/session-cookie.ts'
import { serveApiReference } from '../http/openapi/reference-page.ts'
import { deleteExpiredResponses } from '../http/pipeline/idempotency-store.ts'
import { handleIdempotencyKeys } from '../http/pipeline/idempotency.ts'
import { measureRequests } from '../http/pipeline/request-metrics.ts'
import { rejectUnknownPaths } from '../http/pipeline/unknown-paths.ts'
import { describeApi } from '../http/openapi/document.ts'
import { enforceRateLimits } from '../http/pipeline/rate-limit.ts'
import { createEventStreams } from '../http/pipeline/event-streams.ts'
import { accountRoutes } from '../http/routes/accounts/account-routes.ts'
import { mcpRoutes } from '../http/routes/instance/mcp-routes.ts'
import { healthRoutes } from '../http/routes/instance/health-routes.ts'
import { userRoutes } from '../http/routes/accounts/user-routes.ts'
import { signInRoutes } from '../http/routes/accounts/sign-in-routes.ts'
import { systemRoutes } from '../http/routes/instance/system-routes.ts'
import { ownTokenRoutes } from '../http/routes/accounts/own-token-routes.ts'
import { createHttpServer } from '../http/server.ts'
import { createRequestCounts, deleteExpiredRequestCounts } from '../http/pipeline/request-counts.ts'
import type { FastifyApp } from '../http/fastify-app.ts'
import { startJobs } from '../jobs/jobs.ts'
import { scheduleMaintenance } from '../jobs/maintenance.ts'
import { systemClock, type Clock } from '../lib/time/clock.ts'
import { localHttpUrl } from '../lib/net/local-url.ts'
import { MACHINE, ROOT, VERSION } from '../config/load-config.ts'
import type { Log } from '../log.ts'
import { readinessChecks } from './readiness-checks.ts'
import { deleteExpiredEvidence } from '../meetings/record/evidence.ts'
import { openConfiguredTasksArea } from './configured-tasks.ts'
import type { Platform } from '../bots/platforms/platform.ts'
import { deleteExpiredMeetings } from '../meetings/removal.ts'
import { deleteUnusedWords } from '../projects/search/spelling.ts'
import { openStorage, type InstanceStorage } from '../storage/open-storage.ts'
import { createSystemArea, type SystemArea } from '../operations/system/area.ts'
import { deleteExpiredExecutions } from '../tasks/retention.ts'
import { errorCode, messageOf } from '../lib/error-code.ts'

const SHUTDOWN_GRACE_MS = 3_000

export type Service = AsyncDisposable & {
  /** Where it listens, or its public address. */
  url: string
  /** The port it listens on. */
  port: number
  /** One-time link for the first user; null once there is one. */
  setupLink: string | null
  browser: string
  database: string
  /** The OpenAPI document of what it serves. */
  openapi(): object
  /** Rejects when the service cannot go on. */
  failed: Promise<never>
}

/** More than the service's own: how a test or a bench adds routes and platforms, or is the master of time. */
export type ServiceOverrides = {
  clock?: Clock
  routes?: (app: FastifyApp) => void
  platforms?: readonly Platform[]
  laneRules?: Partial<LaneRules>
}

/** The only place that names every part, in the order in which they start. They stop in reverse. */
export async function openService(
  config: Config,
  log: Log,
  extras: ServiceOverrides = {},
): Promise<Service> {
  await using stack = new AsyncDisposableStack()
  const clock = extras.clock ?? systemClock
  const consoleBuild = buildConsole(ROOT)
  const browser = findBrowser(config, MACHINE)
  // Awaited below; until then a failure must not count as unhandled.
  void Promise.allSettled([consoleBuild, browser])

  const storage = stack.use(await openStorage(config, log, 'own'))
  const { db, pool } = storage.database
  const cache = join(ROOT, 'node_modules/.cache')
  const bots = stack.use(openBots({ config, log, clock, storage, machine: MACHINE, cache }))
  let ownPorts: () => number[] = () => []
  const areas = stack.use(
    await openAreas({
      config,
      log,
      clock,
      storage,
      platforms: [...(extras.platforms ?? []), ...bots.platforms],
      botAccounts: bots.accounts,
      laneRules: extras.laneRules,
      ownPorts: () => ownPorts(),
      lookUpThreads: dnsThreadCount(MACHINE.env['UV_THREADPOOL_SIZE']),
    }),
  )
  const { accounts: area, presence } = areas
  const jobs = stack.use(await startJobs({ pool, log }))
  await scheduleMaintenance(jobs, maintenanceJobs(storage, config, areas, log), { clock, log })
  const tasks = stack.use(
    await openConfiguredTasksArea({
      config,
      log,
      storage,
      presence,
      jobs,
      projects: areas.projects,
      clock: extras.clock,
    }),
  )

  let isClosing = false
  const app = await createHttpServer({
    log,
    trustProxy: config.trustProxy,
    isClosing: () => isClosing,
    authorizeUnknownPath: async (request) => {
      if (accessOfUnknownPath(request.url) === 'key') await requireApiKey(request, area.tokens)
    },
  })
  stack.defer(() => app.close())
  const counts = stack.use(createRequestCounts({ db, clock, log, nodeId: presence.nodeId }))
  const metrics = measureRequests(app, pool)
  areas.deliveries.metrics.register(metrics)
  areas.meetings.metrics.register(metrics)
  tasks.metrics.register(metrics)
  const openapi = describeApi(app, VERSION)
  const cookies = sessionCookieOptions(config.publicUrl)
  const isStillAllowed = enforceRouteAccess(app, { ...area, cookies, publicUrl: config.publicUrl })
  if (config.rateLimit) {
    const limits = { requests: config.rateLimitRequests, starts: config.rateLimitStarts }
    enforceRateLimits(app, { limits, counts, clock })
  }
  rejectUnknownPaths(app)
  handleIdempotencyKeys(app, { db, clock, log })

  const baseUrl = () => config.publicUrl ?? localUrlOf(app, config.host)
  healthRoutes(app, {
    version: VERSION,
    checks: readinessChecks(config, storage, jobs, bots.pageTables, areas.projects.index),
    metrics,
    openapi,
  })
  ownTokenRoutes(app, area)
  const streams = createEventStreams(app, isStillAllowed)
  areaRoutes(app, { areas, tasks, bots, config, db, clock, streams })
  signInRoutes(app, { ...area, version: VERSION, cookies })
  accountRoutes(app, { ...area, cookies, stopMeetingsOf: areas.meetings.meetings.stopAllForToken })
  userRoutes(app, { ...area, baseUrl })
  systemRoutes(app, { system: openSystemArea(app, { config, storage, clock, presence, cache }) })
  serveApiReference(app)
  mcpRoutes(app, { version: VERSION, log, openapi })
  extras.routes?.(app)
  await serveConsole(app, (await consoleBuild).folder)
  // Before anybody can ask: a set-up link is not open for a moment, nor does a service answer that then ends.
  await createConfiguredUser(config, area)
  await listen(app, config)
  const port = portOf(app)
  ownPorts = () => [port]
  if (config.databaseUrl === undefined) {
    writeRunningService(storage.folder, { pid: process.pid, address: localUrlOf(app, config.host) })
  }

  const facts = {
    url: baseUrl(),
    port,
    setupLink: await createSetupLink(area, baseUrl()),
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
      // Requests that are still under way get a moment; a client that never finishes its own gets no more.
      const patience = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS)
      await started.disposeAsync()
      clearTimeout(patience)
    },
  }
}

type SystemParts = {
  config: Config
  storage: InstanceStorage
  clock: Clock
  presence: NodeMembership
  cache: string
}

function openSystemArea(
  app: FastifyApp,
  { config, storage, clock, presence, cache }: SystemParts,
): SystemArea {
  return createSystemArea({
    config,
    db: storage.database.db,
    clock,
    version: VERSION,
    machine: MACHINE,
    cache,
    nodeId: presence.nodeId,
    database: storage.description,
    address: () => localUrlOf(app, config.host),
  })
}

function maintenanceJobs(
  { database: { db } }: InstanceStorage,
  config: Config,
  areas: Areas,
  log: Log,
) {
  const { eventDays, evidenceDays, meetingDays, data: root } = config
  const { executionDays: days, executionsPerTask: perTask } = config
  const { documentChanged } = areas.projects
  const all = [
    ...ACCOUNT_MAINTENANCE_JOBS,
    { name: 'saved answers', run: deleteExpiredResponses },
    { name: 'request counts', run: deleteExpiredRequestCounts },
    { name: 'events', run: (from: Db, now: Date) => deleteExpiredEvents(from, now, eventDays) },
    {
      name: 'evidence',
      run: (from: Db, now: Date) => deleteExpiredEvidence(from, now, evidenceDays),
    },
    { name: 'words', run: (from: Db, now: Date) => deleteUnusedWords(from, now) },
    {
      name: 'meetings',
      run: async (from: Db, now: Date) => {
        if (meetingDays === undefined) return
        await deleteExpiredMeetings({ db: from, log, root, documentChanged }, now, meetingDays)
      },
    },
    {
      name: 'executions',
      run: (from: Db, now: Date) => deleteExpiredExecutions(from, now, { days, perTask }),
    },
  ]
  return all.map(({ name, run }) => ({ name, run: (now: Date) => run(db, now) }))
}

async function listen(app: FastifyApp, config: Config): Promise<void> {
  const { host, port } = config
  if (hasUntrustedProxy(config)) {
    app.log.warn(
      'the public address is https and no proxy is trusted: all callers look like one; set HANSARD_TRUST_PROXY',
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
      `Cannot listen on ${host}, port ${port}: ${messageOf(error)}`,
      'Check HANSARD_HOST and HANSARD_PORT',
      error,
    )
  }
}

function localUrlOf(app: FastifyApp, host: string): string {
  return localHttpUrl(host, portOf(app))
}

function portOf(app: FastifyApp): number {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address.port
}
