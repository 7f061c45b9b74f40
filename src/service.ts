import { join } from 'node:path'
import { ACCOUNT_CHORES } from './accounts/area.ts'
import { areaRoutes } from './area-routes.ts'
import { openAreas, type Areas } from './areas.ts'
import { openBots } from './bots.ts'
import { describeBrowser, findBrowser } from './browser/find.ts'
import { hasUntrustedProxy, type Config } from './config.ts'
import { buildConsole } from './console/build.ts'
import { writeOccupant } from './data-folder.ts'
import type { Db } from './db/open.ts'
import type { Presence } from './db/presence.ts'
import type { LaneRules } from './deliveries/judge.ts'
import { lookUpThreads } from './deliveries/network/look-ups.ts'
import { forgetEvents } from './deliveries/retention.ts'
import { OperatorError } from './errors.ts'
import { createConfiguredUser, setupLink } from './first-user.ts'
import { accessOfUnknownPath, guardRoutes, requireKey } from './http/access.ts'
import { serveConsole } from './http/console.ts'
import { cookieRules } from './http/cookies.ts'
import { serveDocs } from './http/docs.ts'
import { forgetAnswers } from './http/idempotency-store.ts'
import { replayAnswers } from './http/idempotency.ts'
import { measureRequests } from './http/metrics.ts'
import { answerUnknownPaths } from './http/not-found.ts'
import { describeInterface } from './http/openapi.ts'
import { limitRates } from './http/rate-limit.ts'
import { createEventStreams } from './http/event-stream.ts'
import { accountRoutes } from './http/routes/account.ts'
import { assistantRoutes } from './http/routes/assistants.ts'
import { healthRoutes } from './http/routes/health.ts'
import { peopleRoutes } from './http/routes/people.ts'
import { signInRoutes } from './http/routes/sign-in.ts'
import { systemRoutes } from './http/routes/system.ts'
import { tokenRoutes } from './http/routes/token.ts'
import { createServer } from './http/server.ts'
import { createSharedCounts, forgetCounts } from './http/shared-counts.ts'
import type { App } from './http/type-provider.ts'
import { startJobs } from './jobs/jobs.ts'
import { keepUp } from './jobs/upkeep.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import { httpAddress } from './lib/http-address.ts'
import { MACHINE, ROOT, VERSION } from './load-config.ts'
import type { Log } from './log.ts'
import { readinessChecks } from './readiness.ts'
import { forgetEvidence } from './meetings/evidence.ts'
import { openConfiguredTasks } from './open-tasks.ts'
import type { Platform } from './platforms/platform.ts'
import { forgetMeetings } from './meetings/removal.ts'
import { forgetWords } from './projects/search/spelling.ts'
import { openStorage, type Storage } from './storage.ts'
import { createSystem, type System } from './system/area.ts'
import { forgetExecutions } from './tasks/retention.ts'
import { errorCode, messageOf } from './lib/error-code.ts'

const CLOSE_PATIENCE_MS = 3_000

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
export type Extras = {
  clock?: Clock
  routes?: (app: App) => void
  platforms?: readonly Platform[]
  laneRules?: Partial<LaneRules>
}

/** The only place that names every part, in the order in which they start. They stop in reverse. */
export async function openService(config: Config, log: Log, extras: Extras = {}): Promise<Service> {
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
      lookUpThreads: lookUpThreads(MACHINE.env['UV_THREADPOOL_SIZE']),
    }),
  )
  const { accounts: area, presence } = areas
  const jobs = stack.use(await startJobs({ pool, log }))
  await keepUp(jobs, chores(storage, config, areas, log), { clock, log })
  const tasks = stack.use(
    await openConfiguredTasks({
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
  const app = await createServer({
    log,
    trustProxy: config.trustProxy,
    isClosing: () => isClosing,
    checkUnknown: async (request) => {
      if (accessOfUnknownPath(request.url) === 'key') await requireKey(request, area.tokens)
    },
  })
  stack.defer(() => app.close())
  const counts = stack.use(createSharedCounts({ db, clock, log, nodeId: presence.nodeId }))
  const metrics = measureRequests(app, pool)
  areas.deliveries.metrics.register(metrics)
  areas.meetings.metrics.register(metrics)
  tasks.metrics.register(metrics)
  const openapi = describeInterface(app, VERSION)
  const cookies = cookieRules(config.publicUrl)
  const isStillAllowed = guardRoutes(app, { ...area, cookies, publicUrl: config.publicUrl })
  if (config.rateLimit) {
    const limits = { requests: config.rateLimitRequests, starts: config.rateLimitStarts }
    limitRates(app, { limits, counts, clock })
  }
  answerUnknownPaths(app)
  replayAnswers(app, { db, clock, log })

  const baseUrl = () => config.publicUrl ?? addressOf(app, config.host)
  healthRoutes(app, {
    version: VERSION,
    checks: readinessChecks(config, storage, jobs, bots.tables, areas.projects.index),
    metrics,
    openapi,
  })
  tokenRoutes(app, area)
  const streams = createEventStreams(app, isStillAllowed)
  areaRoutes(app, { areas, tasks, bots, config, db, clock, streams })
  signInRoutes(app, { ...area, version: VERSION, cookies })
  accountRoutes(app, { ...area, cookies, stopMeetingsOf: areas.meetings.meetings.stopAllOf })
  peopleRoutes(app, { ...area, baseUrl })
  systemRoutes(app, { system: describeSystem(app, { config, storage, clock, presence, cache }) })
  serveDocs(app)
  assistantRoutes(app, { version: VERSION, log, openapi })
  extras.routes?.(app)
  await serveConsole(app, (await consoleBuild).folder)
  // Before anybody can ask: a set-up link is not open for a moment, nor does a service answer that then ends.
  await createConfiguredUser(config, area)
  await listen(app, config)
  const port = portOf(app)
  ownPorts = () => [port]
  if (config.databaseUrl === undefined) {
    writeOccupant(storage.folder, { pid: process.pid, address: addressOf(app, config.host) })
  }

  const facts = {
    url: baseUrl(),
    port,
    setupLink: await setupLink(area, baseUrl()),
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
      const patience = setTimeout(() => app.server.closeAllConnections(), CLOSE_PATIENCE_MS)
      await started.disposeAsync()
      clearTimeout(patience)
    },
  }
}

type SystemParts = {
  config: Config
  storage: Storage
  clock: Clock
  presence: Presence
  cache: string
}

function describeSystem(
  app: App,
  { config, storage, clock, presence, cache }: SystemParts,
): System {
  return createSystem({
    config,
    db: storage.database.db,
    clock,
    version: VERSION,
    machine: MACHINE,
    cache,
    nodeId: presence.nodeId,
    database: storage.description,
    address: () => addressOf(app, config.host),
  })
}

function chores({ database: { db } }: Storage, config: Config, areas: Areas, log: Log) {
  const { eventDays, evidenceDays, meetingDays, data: root } = config
  const { executionDays: days, executionsPerTask: perTask } = config
  const { documentSaved } = areas.projects
  const all = [
    ...ACCOUNT_CHORES,
    { name: 'saved answers', run: forgetAnswers },
    { name: 'request counts', run: forgetCounts },
    { name: 'events', run: (from: Db, now: Date) => forgetEvents(from, now, eventDays) },
    { name: 'evidence', run: (from: Db, now: Date) => forgetEvidence(from, now, evidenceDays) },
    { name: 'words', run: (from: Db, now: Date) => forgetWords(from, now) },
    {
      name: 'meetings',
      run: async (from: Db, now: Date) => {
        if (meetingDays === undefined) return
        await forgetMeetings({ db: from, log, root, documentSaved }, now, meetingDays)
      },
    },
    {
      name: 'executions',
      run: (from: Db, now: Date) => forgetExecutions(from, now, { days, perTask }),
    },
  ]
  return all.map(({ name, run }) => ({ name, run: (now: Date) => run(db, now) }))
}

async function listen(app: App, config: Config): Promise<void> {
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

function addressOf(app: App, host: string): string {
  return httpAddress(host, portOf(app))
}

function portOf(app: App): number {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address.port
}
