// Sends generated requests to every route and posts the result of each route. Runs in a worker thread, because the
// test runner tracks every promise of a test, and there are millions here.
import { strict as assert } from 'node:assert'
import { Agent } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import * as fc from 'fast-check'
import { COMMAND_LINE } from '../../../src/accounts/audit.ts'
import { createPasswords } from '../../../src/accounts/sign-in/passwords.ts'
import { createSessions } from '../../../src/accounts/sign-in/sessions.ts'
import { createUsers } from '../../../src/accounts/users/users.ts'
import { openApiPath } from '../../../src/http/openapi/document.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { systemClock } from '../../../src/lib/time/clock.ts'
import { messageOf } from '../../../src/lib/error-code.ts'
import { createConcurrencyLimit } from '../../../src/lib/async/concurrency-limit.ts'
import { createLog } from '../../../src/log.ts'
import { startWithRoutes } from '../../support/service/start-nodes.ts'
import type { HttpClient } from '../../support/http/http-client.ts'
import {
  requestsFor,
  type KnownValues,
  type FuzzRequest,
} from '../../support/http/fuzz-requests.ts'
import { ADMIN, type TestService } from '../../support/service/start-service.ts'
import type { FastifyApp } from '../../../src/http/fastify-app.ts'
import {
  inject,
  type InjectedRequest,
  type InjectedResponse,
} from '../../support/http/inject-request.ts'
import { sendRequest } from '../../support/http/raw-requests.ts'

/** The share of routes that one worker tests: every `parts`-th route, beginning with number `part`. */
export type FuzzShard = { seed: number; runs: number; part: number; parts: number }
/** `failure` is null when the route passed. */
export type RouteResult = { route: string; failure: string | null }

/** How many routes are tested concurrently. More would only queue. */
const CONCURRENT_ROUTES = 10
/** Every tenth request goes over a socket, and so does every request whose path an HTTP parser could change. */
const SOCKET_EVERY = 10
const NEEDS_SOCKET = /\.\.|\/\/|%2e|[^!-~]|[#\\]|stream/i
/** Statuses that the server sends before a route runs: wrong method, URL or headers too long, unknown expectation. */
const HTTP_LEVEL_STATUSES = new Set(['405', '414', '417', '431'])
const { seed, runs, part, parts } = workerData as FuzzShard

await using service = await startWithRoutes({ HANSARD_RATE_LIMIT: 'off' })
const root = await service.adminClient()
const { apiKey } = await root.createToken()
await using people = await openSessionFactory(service.databaseUrl)
const known = await collectKnownValues(root)
const limit = createConcurrencyLimit(CONCURRENT_ROUTES)
const paths = Map.groupBy(service.routes, ({ url }) => url)
const mine = [...paths].filter((_, i) => i % parts === part)
await Promise.all(
  mine.map(async ([url, routes]) => {
    const methods = routes.map(({ method }) => method)
    const failure = await limit(() => fuzzRoute(url, methods))
    parentPort?.postMessage({
      route: `${methods.join(', ')} ${url}`,
      failure,
    } satisfies RouteResult)
  }),
)

parentPort?.postMessage({
  route: `the OpenAPI document has every status that part ${part} received`,
  failure: await findUndocumentedStatuses(),
} satisfies RouteResult)

/** Statuses that an API route sent and that the OpenAPI document does not list. */
async function findUndocumentedStatuses(): Promise<string | null> {
  const { body } = await root.get('/openapi.json')
  const { paths: documented } = body as unknown as {
    paths: Record<string, Record<string, { responses: object }>>
  }
  const unknown = [...service.answered].filter((line) => {
    const [method = '', url = '', status = ''] = line.split(' ')
    const operation = documented[openApiPath(url)]?.[method.toLowerCase()]
    if (operation === undefined || HTTP_LEVEL_STATUSES.has(status)) return false
    return !(status in operation.responses)
  })
  return unknown.length === 0 ? null : unknown.join('\n')
}

async function fuzzRoute(url: string, methods: string[]): Promise<string | null> {
  await using target = await createTarget(service, people, apiKey)
  const requests = requestsFor(url, methods, known)
  const property = fc.asyncProperty(requests, (request) => target.check(request))
  return await fc.assert(property, { seed, numRuns: runs }).then(() => null, messageOf)
}

async function collectKnownValues(person: HttpClient): Promise<KnownValues> {
  const { id } = await person.createToken()
  const page = await person.get('/')
  const assets = String(page.body['text']).match(/(?<=\/assets\/)[^"]+/g) ?? []
  assert.ok(assets.length > 0)
  return { ids: [id, 'usr_none', 'ses_none', 'inv_none'], texts: ['no-such-code'], assets }
}

/** One connection and one user. When a request ends the session of the user, the next request gets a new session. */
async function createTarget(
  service: TestService & { app: FastifyApp },
  people: SessionFactory,
  apiKey: string,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { host } = new URL(service.url)
  const userId = await people.add()
  let session: { secret: string; csrfToken: string } | null = null
  let requestCount = 0

  const credentials = async ({ sender }: FuzzRequest): Promise<Record<string, string>> => {
    if (sender === 'nobody') return {}
    if (sender === 'program') return { 'x-api-key': apiKey }
    session ??= await people.begin(userId)
    return {
      cookie: `hansard=${session.secret}`,
      origin: service.url,
      ...(sender === 'person' && { 'x-csrf-token': session.csrfToken }),
    }
  }

  /** Most requests skip the socket, which takes longer than the rest of the service. */
  const ask = async (call: InjectedRequest): Promise<InjectedResponse> => {
    requestCount += 1
    const isForSocket = requestCount % SOCKET_EVERY === 0 || NEEDS_SOCKET.test(call.path)
    if (!isForSocket) return inject(service.app, call)
    const { body, ...rest } = call
    const answer = await sendRequest(service.url, {
      ...rest,
      ...(body !== null && { body }),
      agent,
    })
    return { ...answer, setsCookie: answer.headers.has('set-cookie') }
  }

  return {
    async check(request: FuzzRequest): Promise<void> {
      const { method, path, body } = request
      const headers = {
        host,
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(await credentials(request)),
        ...request.headers,
      }
      const answer = await ask({ method, path, headers, body })
      const isSessionOver = answer.body['code'] === 'not_signed_in' || answer.setsCookie
      if (isSessionOver && isSentWithSession(session, headers)) session = null
      const summary = () => `${answer.status} ${answer.text.slice(0, 300)}`
      if (answer.status >= 500) assert.fail(summary())
      if (answer.status < 400 || method === 'HEAD') return
      const { error } = answer.body
      // MCP has another error format.
      const message =
        path.startsWith('/mcp') && typeof error === 'object' ? messageIn(error) : error
      if (typeof message !== 'string') assert.fail(summary())
    },
    async [Symbol.asyncDispose]() {
      agent.destroy()
    },
  }
}

/** Whether the request was sent with this session. Responses to other requests say nothing about the session. */
function isSentWithSession(
  session: { secret: string } | null,
  headers: Record<string, string>,
): boolean {
  return session !== null && headers['cookie'] === `hansard=${session.secret}`
}

function messageIn(error: object | null): unknown {
  return error !== null && 'message' in error ? error.message : null
}

type SessionFactory = AsyncDisposable & {
  add(): Promise<string>
  begin(userId: string): Promise<{ secret: string; csrfToken: string }>
}

/**
 * Creates one admin for each target, so that concurrent routes cannot end each other's sessions. Sessions are created
 * without a password check, which is slow, because requests here end many sessions.
 */
async function openSessionFactory(url: string): Promise<SessionFactory> {
  const log = createLog('silent')
  const { db, close } = await openDatabase({ connectionString: url }, { max: 2, log })
  const sessions = createSessions({ db, clock: systemClock })
  const users = createUsers({ db, clock: systemClock, passwords: createPasswords() })
  const prepared = await users.prepare({ ...ADMIN, role: 'admin' })
  let added = 0
  return {
    async add() {
      added += 1
      const email = `admin-${added}@example.com`
      return (await users.insert(db, { ...prepared, email }, COMMAND_LINE)).id
    },
    begin: (userId) => sessions.start(db, userId, { ip: '198.51.100.7', userAgent: '' }),
    [Symbol.asyncDispose]: close,
  }
}
