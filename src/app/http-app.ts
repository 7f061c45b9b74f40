import type { Registry } from 'prom-client'
import { appendAudit, type Actor } from '../accounts/audit.ts'
import type { Config } from '../config/config.ts'
import type { DatabaseClock } from '../db/database-clock.ts'
import type { DatabaseHandle } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { FastifyApp } from '../http/fastify-app.ts'
import { buildAsyncApiDocument } from '../http/openapi/asyncapi.ts'
import { createOpenApiBuilder, type OpenApiBuilder } from '../http/openapi/document.ts'
import { serveApiReference } from '../http/openapi/reference-page.ts'
import { ADMIN_SURFACES } from '../http/pipeline/access/api-surfaces.ts'
import {
  accessOfUnknownPath,
  enforceRouteAccess,
  requireApiKey,
} from '../http/pipeline/access/route-access.ts'
import {
  sessionCookieOptions,
  type SessionCookieOptions,
} from '../http/pipeline/access/session-cookie.ts'
import { enforceSubjectAccess } from '../http/pipeline/access/subject-access.ts'
import {
  createSseSender,
  type SseSender,
  createOpenStreamCounter,
} from '../http/pipeline/event-streams.ts'
import { registerIdempotencyHooks } from '../http/pipeline/idempotency.ts'
import {
  enforceRateLimits,
  createRequestCounter,
  type RequestCounter,
} from '../http/pipeline/rate-limit.ts'
import { createMetricsRegistry } from '../http/pipeline/request-metrics.ts'
import { traceRequests } from '../http/pipeline/trace-requests.ts'
import {
  accountRoutes,
  markRoutes,
  noticeRoutes,
  currentTokenRoute,
} from '../http/routes/accounts/account-routes.ts'
import { auditRoutes } from '../http/routes/accounts/audit-routes.ts'
import { notificationRoutes } from '../http/routes/accounts/notification-routes.ts'
import {
  calendarAppRoutes,
  connectAccountRoutes,
} from '../http/routes/calendars/calendar-account-routes.ts'
import { connectionRoutes } from '../http/routes/connections/connection-routes.ts'
import { oauthRoutes } from '../http/routes/accounts/oauth-routes.ts'
import { passkeyRoutes } from '../http/routes/accounts/passkey-routes.ts'
import { providerSignInRoutes } from '../http/routes/accounts/provider-sign-in-routes.ts'
import { signInMethodRoutes, signInRoutes } from '../http/routes/accounts/sign-in-routes.ts'
import { userRoutes } from '../http/routes/accounts/user-routes.ts'
import {
  healthMetricsAndDocumentRoutes,
  type ReadinessCheck,
} from '../http/routes/instance/health-routes.ts'
import { mailRoutes, sendTestMailRoute } from '../http/routes/instance/mail-routes.ts'
import { mcpRoutes } from '../http/routes/instance/mcp-routes.ts'
import { speechRoutes, systemRoutes } from '../http/routes/instance/system-routes.ts'
import { provisioningRoutes } from '../http/routes/provisioning/provisioning-routes.ts'
import { scimRoutes } from '../http/routes/provisioning/scim-routes.ts'
import { rejectUnknownPathsAndMethods, createHttpServer } from '../http/server.ts'
import type { Clock } from '../lib/time/clock.ts'
import { NO_TRACER, type Tracer } from '../lib/tracer.ts'
import type { Log } from '../log.ts'
import type { SystemArea } from '../operations/system/area.ts'
import type { TasksArea } from '../tasks/area.ts'
import { registerAreaRoutes } from './area-routes.ts'
import type { Areas } from './areas.ts'
import type { BotPlatformsArea } from './bots.ts'
import { cancelMeetingsOfToken } from './revocation/cancel-token-meetings.ts'

const REQUEST_GRACE_MS = 3_000

type Parts = {
  config: Config
  log: Log
  tracer: Tracer
  clock: Clock
  database: DatabaseHandle
  version: string
  areas: Areas
  /** Null on a node that only attends meetings. */
  tasks: TasksArea | null
  bots: BotPlatformsArea
  system: SystemArea
  checks: ReadinessCheck[]
  databaseClock: Pick<DatabaseClock, 'machineOffsetMs'>
  /** The URL that links in API responses start with. */
  baseUrl(): string
  isClosing(): boolean
}

export type HttpApp = AsyncDisposable & {
  app: FastifyApp
  openapi: OpenApiBuilder
  metrics: Registry
}

/** The HTTP server with its request pipeline and every route except the console pages. It does not listen yet. */
export async function createHttpApp(parts: Parts): Promise<HttpApp> {
  const { config, log, clock, database, version, areas, tasks, bots } = parts
  const { db, pool } = database
  const { accounts } = areas
  await using stack = new AsyncDisposableStack()
  const app = await createHttpServer({
    log,
    trustProxy: config.trustProxy,
    isClosing: parts.isClosing,
    authorizeUnknownPath: async (request) => {
      if (accessOfUnknownPath(request.url) === 'key') await requireApiKey(request, accounts.tokens)
    },
  })
  stack.defer(() => closeServer(app))
  const { nodeId } = areas.membership
  const counts = stack.use(createRequestCounter({ db, clock, log, nodeId }))
  const metrics = createMetricsRegistry(app, pool, parts.databaseClock, areas.membership)
  const measured = [areas.deliveries, areas.meetings, areas.calendars, areas.mail, tasks, bots]
  for (const area of [...measured, bots.speech]) area?.metrics.register(metrics)
  const openapi = createOpenApiBuilder(app, version)

  // The order of the calls below matters, because Fastify runs request hooks in the order in which they are added.
  const { publicUrl } = config
  const cookies = sessionCookieOptions(publicUrl)
  const isApi = tasks !== null && areas.membership.hasRole('api')
  if (!isApi) rejectRequestsForOtherNodes(app)
  const isAuthenticated = enforceRouteAccess(app, {
    ...accounts,
    provisioning: areas.provisioning.admin,
    cookies,
    publicUrl,
  })
  if (parts.tracer !== NO_TRACER) traceRequests(app, parts.tracer)
  if (config.rateLimit) {
    const limits = { requests: config.rateLimitRequests, starts: config.rateLimitStarts }
    enforceRateLimits(app, { limits, counts, clock })
  }
  rejectUnknownPathsAndMethods(app)
  const requireAllowed = enforceSubjectAccess(app, { db })
  registerIdempotencyHooks(app, { db, clock })

  const openStreams = createOpenStreamCounter({
    perCaller: config.streamsPerCaller,
    perAddress: config.streamsPerAddress,
    perNode: config.streamsPerNode,
  })
  const streams = createSseSender(app, openStreams, { isAuthenticated, requireAllowed }, log)
  const documents = {
    '/openapi.json': openapi,
    '/asyncapi.json': () => buildAsyncApiDocument(version),
  }
  healthMetricsAndDocumentRoutes(app, { version, checks: parts.checks, metrics, documents, log })
  if (isApi) registerRoutes(app, { ...parts, tasks, cookies, counts, streams, openapi })

  const opened = stack.move()
  return { app, openapi, metrics, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

type RouteParts = Omit<Parts, 'tasks'> & {
  tasks: TasksArea
  cookies: SessionCookieOptions
  counts: RequestCounter
  streams: SseSender
  openapi: OpenApiBuilder
}

/** The routes of a node with the role `api`. */
function registerRoutes(app: FastifyApp, parts: RouteParts): void {
  const { config, log, clock, version, areas, tasks, bots, cookies, counts, streams } = parts
  const { baseUrl, system, openapi } = parts
  const { accounts } = areas
  const { db } = parts.database
  currentTokenRoute(app, accounts)
  const common = { config, db, clock, log, streams, baseUrl, counts }
  registerAreaRoutes(app, { areas, tasks, bots, ...common })
  const { defaultAccess: newProjectAccess } = config
  const hasMail = areas.mail.isOn
  // A node without the role `bots` does not know what is installed where bots run.
  const hasSpeech = async () =>
    !config.roles.includes('bots') || (await bots.speech.recognition.findObstacle(null)) === null
  signInRoutes(app, { ...accounts, version, cookies, newProjectAccess, hasMail, hasSpeech })
  providerSignInRoutes(app, { ...accounts, cookies })
  connectAccountRoutes(app, { ...accounts, ...areas.calendars, cookies })
  passkeyRoutes(app, { ...accounts, cookies })
  signInMethodRoutes(app, accounts)
  const stopMeetingsOf = async (tokenId: string, actor: Actor) => {
    const stopped = await areas.meetings.meetings.stopAllForToken(tokenId)
    await appendAudit(db, clock.now(), actor, 'meetings of token stopped', tokenId, String(stopped))
    return stopped
  }
  const cancelMeetingsOf = (tokenId: string, actor: Actor) =>
    cancelMeetingsOfToken(db, tokenId, { actor, now: clock.now() })
  oauthRoutes(app, { oauth: accounts.oauth, counts, clock, hasLimits: config.rateLimit })
  accountRoutes(app, { ...accounts, cookies, stopMeetingsOf, cancelMeetingsOf })
  noticeRoutes(app, accounts)
  markRoutes(app, accounts)
  notificationRoutes(app, { ...areas, baseUrl })
  userRoutes(app, { ...accounts, baseUrl, hasMail })
  for (const surface of ADMIN_SURFACES) {
    auditRoutes(app, surface, accounts)
    mailRoutes(app, surface, areas)
    connectionRoutes(app, surface, areas.connections)
    calendarAppRoutes(app, surface, areas.calendars)
  }
  sendTestMailRoute(app, areas)
  systemRoutes(app, { system })
  speechRoutes(app, { speech: bots.speech, db, clock })
  serveApiReference(app)
  provisioningRoutes(app, { provisioning: areas.provisioning, baseUrl })
  scimRoutes(app, { provisioning: areas.provisioning, log, baseUrl })
  mcpRoutes(app, { version, log, openapi })
}

/** Comes before the access check, because these responses reveal nothing that a caller may not know. */
function rejectRequestsForOtherNodes(app: FastifyApp): void {
  app.addHook('onRequest', async ({ is404 }) => {
    if (is404) throw new ServiceError('not_on_this_node')
  })
}

/** Waits a moment for running requests, then closes the connections of clients that have not finished theirs. */
async function closeServer(app: FastifyApp): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), REQUEST_GRACE_MS)
  await app.close()
  clearTimeout(timer)
}
