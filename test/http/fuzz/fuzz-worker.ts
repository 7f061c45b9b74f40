// Sends generated requests to its share of the URLs and posts the result of each URL. Runs in its own thread, because
// the test runner tracks every promise of a test, and there are millions here.
import { strict as assert } from 'node:assert'
import { Agent } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import * as fc from 'fast-check'
import { COMMAND_LINE_ACTOR } from '../../../src/accounts/audit.ts'
import { createSessions } from '../../../src/accounts/sign-in/sessions.ts'
import { createUsers } from '../../../src/accounts/users/users.ts'
import { connectToDatabase } from '../../../src/db/database.ts'
import type { FastifyApp } from '../../../src/http/fastify-app.ts'
import { toOpenApiPath } from '../../../src/http/openapi/document.ts'
import { createConcurrencyLimit } from '../../../src/lib/async/queues.ts'
import { createSecretBox } from '../../../src/lib/crypto.ts'
import { errorMessageOf } from '../../../src/lib/error-code.ts'
import { systemClock } from '../../../src/lib/time/clock.ts'
import { createLog } from '../../../src/log.ts'
import {
  everyMethod,
  requestsFor,
  type FuzzedUrl,
  type FuzzRequest,
  type KnownValues,
} from '../../support/http/fuzz-requests.ts'
import type { HttpClient } from '../../support/http/http-client.ts'
import {
  inject,
  type InjectedRequest,
  type InjectedResponse,
} from '../../support/http/inject-request.ts'
import { sendRequest } from '../../support/http/raw-requests.ts'
import { ADMIN } from '../../support/service/admin-user.ts'
import { FAST_PASSWORDS } from '../../support/service/fast-passwords.ts'
import { startWithRoutes } from '../../support/service/start-nodes.ts'
import type { TestService } from '../../support/service/start-service.ts'
import { sharedResources } from '../../support/shared-resources.ts'
import { openScimClient } from '../../provisioning/scim-world.ts'
import { listFuzzedUrls, runsFor } from './fuzzed-urls.ts'

/** The share of one worker: every URL whose position modulo `parts` is `part`. `runs` null: by the kind of URL. */
export type FuzzShard = { seed: number; runs: number | null; part: number; parts: number }
/** `urls` are all URLs of the service, over all shares. `failure` is null if every response was right. */
export type FuzzMessage =
  | { kind: 'urls'; urls: string[] }
  | { kind: 'result'; subject: string; failure: string | null }

/** URLs tested concurrently. More would only wait for database connections, and cause 503 on a busy machine. */
const CONCURRENT_URLS = 4
/** One of this many requests goes over a socket. So do all paths that an HTTP parser may read differently. */
const SOCKET_EVERY = 10
const NEEDS_SOCKET = /\.\.|\/\/|%2e|[^!-~]|[#\\]|stream/i
const REFUSED = new Set([401, 403])
const { seed, runs, part, parts } = workerData as FuzzShard

// Disposed last: the connection over which this thread's database is dropped.
await using _ = sharedResources
await using service = await startWithRoutes({
  HANSARD_RATE_LIMIT: 'off',
  HANSARD_QUEUE_LIMIT: '100000',
})
const root = await service.adminClient()
const { apiKey } = await root.createToken()
const { secret: provisioningToken } = await openScimClient(service, root)
await using people = await openSessionFactory(service.databaseUrl)
const known = await collectKnownValues(root)
const limit = createConcurrencyLimit(CONCURRENT_URLS)
const all = listFuzzedUrls(service.routes)
post({ kind: 'urls', urls: all.map(({ url }) => url) })
await Promise.all(
  all
    .filter((_, i) => i % parts === part)
    .map(async (target) => {
      const failure = await limit(() => fuzzUrl(target))
      post({ kind: 'result', subject: target.url, failure })
    }),
)
post({
  kind: 'result',
  subject: `the OpenAPI document has every status that part ${part} received`,
  failure: await findUndocumentedStatuses(),
})

function post(message: FuzzMessage): void {
  parentPort?.postMessage(message)
}

/** Statuses that an operation returned although the OpenAPI document does not declare them for it. */
async function findUndocumentedStatuses(): Promise<string | null> {
  const { body } = await root.get('/openapi.json')
  const { paths: documented } = body as unknown as {
    paths: Record<string, Record<string, { responses: object }>>
  }
  const unknown = [...service.answered].filter((line) => {
    const [method = '', url = '', status = ''] = line.split(' ')
    const operation = documented[toOpenApiPath(url)]?.[method.toLowerCase()]
    if (operation === undefined) return false
    return !(status in operation.responses)
  })
  return unknown.length === 0 ? null : unknown.join('\n')
}

async function fuzzUrl(target: FuzzedUrl): Promise<string | null> {
  await using client = await createClient(service, people, apiKey)
  // A request may delete the meeting or end the session, so every URL gets its own.
  const values = target.url.includes(':meetingId')
    ? { ...known, meetingId: [await startMeeting(root)] }
    : known
  const examples = everyMethod(target, values).map((request): [FuzzRequest] => [request])
  const generated = runs ?? runsFor(target)
  const property = fc.asyncProperty(requestsFor(target, values), (request) => client.check(request))
  const numRuns = examples.length + generated
  const failure = await fc
    .assert(property, { seed, numRuns, examples })
    .then(() => null, errorMessageOf)
  if (failure !== null || client.admitted() * 4 >= generated) return failure
  return `the access check let only ${client.admitted()} of ${numRuns} requests through`
}

async function startMeeting(person: HttpClient): Promise<string> {
  const { body } = await person.post('/web/meetings/start', { url: 'practice://denied?speed=1000' })
  return String(body['meetingId'])
}

async function collectKnownValues(person: HttpClient): Promise<KnownValues> {
  const { id } = await person.createToken()
  const page = await person.get('/')
  const assets = String(page.body['text']).match(/(?<=\/assets\/)[^"]+/g) ?? []
  assert.ok(assets.length > 0)
  return {
    id: [id, 'usr_none', 'ses_none', 'inv_none'],
    meetingId: [await startMeeting(person)],
    tokenId: [id],
    code: ['no-such-code'],
    projectId: ['api'],
    '*': [...assets, 'README.md'],
  }
}

/** People open share links, so a link that does not open returns a page instead of JSON. */
function isPageOfShareLink({ text }: InjectedResponse): boolean {
  return text.startsWith('<!doctype html>') && /<h1>(?:This link |Too many requests<)/.test(text)
}

function isScimError({ status, body }: InjectedResponse): boolean {
  return body['status'] === String(status) && typeof body['detail'] === 'string'
}

/** A browser that loads an unknown path gets the console's page that says so. */
function isNotFoundPage({ status, text }: InjectedResponse, accept: string | undefined): boolean {
  return status === 404 && accept === 'text/html' && text.startsWith('<!doctype html>')
}

/** Has one connection and one user. If a request ends the user's session, the next request gets a new one. */
async function createClient(
  service: TestService & { app: FastifyApp },
  people: SessionFactory,
  apiKey: string,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { host } = new URL(service.url)
  const userId = await people.add()
  let session: { secret: string; csrfToken: string } | null = null
  let sent = 0
  let admitted = 0

  const credentials = async ({ sender }: FuzzRequest): Promise<Record<string, string>> => {
    if (sender === 'anonymous') return {}
    if (sender === 'api key') return { 'x-api-key': apiKey }
    if (sender === 'provisioning token') return { authorization: `Bearer ${provisioningToken}` }
    session ??= await people.begin(userId)
    return {
      cookie: `hansard=${session.secret}`,
      origin: service.url,
      ...(sender === 'session' && { 'x-csrf-token': session.csrfToken }),
    }
  }

  /** Most requests skip the socket, which costs more than the rest of a request. */
  const send = async (call: InjectedRequest): Promise<InjectedResponse> => {
    sent += 1
    const needsSocket = sent % SOCKET_EVERY === 0 || NEEDS_SOCKET.test(call.path)
    if (!needsSocket) return inject(service.app, call)
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
      const signedWith = await credentials(request)
      const headers: Record<string, string> = {
        host,
        ...(body !== null && { 'content-type': 'application/json' }),
        ...signedWith,
        ...request.headers,
        ...(!request.replacesCredentials && signedWith),
      }
      const answer = await send({ method, path, headers, body })
      if (!REFUSED.has(answer.status)) admitted += 1
      const hasEnded = answer.body['code'] === 'not_signed_in' || answer.setsCookie
      if (hasEnded && isSentWithSession(session, headers)) session = null
      const summary = () => `${answer.status} ${answer.text.slice(0, 300)}`
      if (answer.status >= 500) assert.fail(summary())
      // Such a request was refused before anything else in it was read.
      if (headers['host'] === host && answer.text.includes('"path":"Host"')) assert.fail(summary())
      if (answer.status < 400 || method === 'HEAD') return
      if (isPageOfShareLink(answer) || isNotFoundPage(answer, headers['accept'])) return
      if (isScimError(answer)) return
      const { error } = answer.body
      // MCP responses have the message in an object.
      const message =
        path.startsWith('/mcp') && typeof error === 'object' ? messageIn(error) : error
      if (typeof message !== 'string') assert.fail(summary())
    },
    admitted: () => admitted,
    async [Symbol.asyncDispose]() {
      agent.destroy()
    },
  }
}

/** Only a response to a request with this session shows whether the session has ended. */
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
 * Creates one admin for each URL, so that URLs tested concurrently can't end each other's sessions. Starts sessions
 * without a password, because hashing is slow and the requests here end many sessions.
 */
async function openSessionFactory(url: string): Promise<SessionFactory> {
  const log = createLog('silent')
  const { db, close } = await connectToDatabase({ connectionString: url }, { max: 2, log })
  const sessions = createSessions({
    db,
    clock: systemClock,
    secretBox: createSecretBox(Buffer.alloc(32)),
  })
  const users = createUsers({ db, clock: systemClock, passwords: FAST_PASSWORDS })
  const prepared = await users.prepare({ ...ADMIN, role: 'admin' })
  let added = 0
  return {
    async add() {
      added += 1
      const email = `admin-${added}@example.com`
      return (await users.insert(db, { ...prepared, email }, COMMAND_LINE_ACTOR)).id
    },
    begin: (userId) => sessions.start(db, userId, { ip: '198.51.100.7', userAgent: '' }),
    [Symbol.asyncDispose]: close,
  }
}
