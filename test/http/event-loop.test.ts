import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { FastifyApp } from '../../src/http/fastify-app.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'
import {
  findTurnLimitMs,
  measureLongestTurn,
  repeatWhileLonger,
} from '../support/http/event-loop-turns.ts'
import {
  LONG_FRONT_MATTER,
  listWorstRequests,
  listWorstToolCalls,
  type AssistantTool,
  type WorstRequest,
} from '../support/http/worst-requests.ts'
import type { RegisteredRoute } from '../support/service/start-nodes.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

/** Nothing that a caller sends may block the event loop for more than 100 ms. */
const REFUSED_UNREAD =
  /"code":"(?:invalid_api_key|not_signed_in|forbidden|missing_scope|cross_site|admin_key_needed|unsupported_media_type)"|"Host"/
const LARGEST_BODY = IS_FULL_SIZE ? Number.POSITIVE_INFINITY : 64 * 1024
/** A normal run sends each operation one request with unknown fields and one of another kind, in turn. */
const OTHER_KINDS = IS_FULL_SIZE ? Number.POSITIVE_INFINITY : 1

test(
  'no request blocks the event loop',
  { timeout: (IS_FULL_SIZE ? 90 : 30) * 60_000 },
  async (t) => {
    await using service = await startAccessWorld()
    const admin = await service.addUser('admin')
    const planted = await service.plant('measured', 'word')
    const values = {
      meetingId: planted.meeting,
      projectId: planted.project,
      actionId: planted.action_item,
      deliveryId: planted.delivery,
      executionId: planted.execution,
      name: planted.task,
    }
    const routes = service.app.declaredRoutes.flatMap(
      ({ method, url, config, schema, bodyLimit }) =>
        [method].flat().map((name): RegisteredRoute => ({
          method: name,
          url,
          access: config?.access,
          schema,
          bodyLimit,
        })),
    )
    const limitMs = findTurnLimitMs()
    const measured: Array<{ ms: number; subject: string }> = []
    const caller = { ...admin, url: service.url, values }
    const paths = new Set(routes.map(({ url }) => url))
    const isMeasured = (route: RegisteredRoute) => hasOwnHandler(route, paths)
    const measure = async (subject: string, call: Call) => {
      const ms = await repeatWhileLonger(limitMs, () => measureCall(service.app, call))
      measured.push({ ms, subject })
    }
    for (const call of await listKnownCalls(service, caller))
      await measure(`${call.url}, known`, call)
    for (const [i, route] of routes.filter(isMeasured).entries()) {
      const all =
        route.url === '/mcp'
          ? await listToolCalls(service.app, caller)
          : listWorstRequests(route, LARGEST_BODY)
      for (const request of pickRequests(all, i)) {
        const subject = `${route.method} ${route.url}, ${request.kind}`
        await measure(subject, toCall(route, request, caller))
      }
    }
    const sorted = measured.toSorted((a, b) => b.ms - a.ms)
    t.diagnostic(`${measured.length} requests, limit ${Math.round(limitMs)} ms`)
    for (const { ms, subject } of sorted.slice(0, 15))
      t.diagnostic(`${Math.round(ms)} ms ${subject}`)
    assert.ok(measured.length > 90)
    assert.deepEqual(
      sorted.filter(({ ms }) => ms > limitMs),
      [],
    )
  },
)

/** Most console routes have the handlers of the API and are not measured again. */
function hasOwnHandler({ method, url }: RegisteredRoute, paths: ReadonlySet<string>): boolean {
  const isSame = url.startsWith('/web/') && paths.has(url.replace('/web/', '/api/v1/'))
  return method !== 'HEAD' && !url.includes('stream') && !isSame
}

async function listToolCalls(app: FastifyApp, caller: Caller): Promise<WorstRequest[]> {
  const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const headers = { ...headersOf('/mcp', caller), 'content-type': 'application/json' }
  const { body } = await app.inject({ method: 'POST', url: '/mcp', headers, payload })
  const answer = JSON.parse(body.replace(/^[^{]*/, '')) as { result: { tools: AssistantTool[] } }
  return answer.result.tools.flatMap((tool) =>
    listWorstToolCalls(tool, Math.min(LARGEST_BODY, 4 * 1024 * 1024) - 2_000),
  )
}

function pickRequests(all: WorstRequest[], turn: number): WorstRequest[] {
  const [first, ...others] = all
  if (first === undefined || others.length <= OTHER_KINDS) return all
  return [first, ...others.slice(turn % others.length).slice(0, OTHER_KINDS)]
}

/**
 * Requests that once blocked the event loop for seconds, because a pattern was tried at every character of a text, or
 * front matter was parsed for each of its problems.
 */
async function listKnownCalls({ app }: AccessWorld, caller: Caller): Promise<Call[]> {
  const { projectId = '' } = caller.values
  const path = 'heading.md'
  const text = `# ${' '.repeat(60_000)}\u2028`
  const send = async (method: 'PUT' | 'POST', url: string, type: string, payload: string) => {
    const headers = { ...headersOf(url, caller), 'content-type': type }
    const { statusCode, body } = await app.inject({ method, url, headers, payload })
    assert.equal(statusCode, 201)
    return JSON.parse(body) as { url?: string }
  }
  const project = `/web/projects/${projectId}`
  await send('PUT', `${project}/documents/${path}`, 'text/markdown', text)
  const shared = await send(
    'POST',
    `${project}/shares`,
    'application/json',
    JSON.stringify({ path }),
  )
  const post = (url: string, content: object): Call => ({
    method: 'POST',
    url,
    headers: { ...headersOf(url, caller), 'content-type': 'application/json' },
    payload: Buffer.from(JSON.stringify(content)),
  })
  const { host } = new URL(caller.url)
  return [
    { method: 'GET', url: new URL(shared.url ?? '').pathname, headers: { host } },
    post('/web/calendars/preview', {
      url: 'https://example.com',
      address: `${'@'.repeat(60_000)} x`,
    }),
    post('/web/meetings/import', { content: `Ada: ${'!'.repeat(4_900)}x` }),
    ...Object.values(LONG_FRONT_MATTER).flatMap((text) => [
      post('/web/prompt-preview', { text }),
      { ...post('/web/prompt-files/notes', { text }), method: 'PUT' as const },
    ]),
  ]
}

type Call = {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  payload?: Buffer
}
type Caller = Credentials & { url: string; values: Record<string, string> }

function toCall(route: RegisteredRoute, request: WorstRequest, caller: Caller): Call {
  const path = route.url
    .replace('*', route.url.includes('prompt') ? 'notes' : 'notes.md')
    .replaceAll(/:(\w+)/g, (_, name: string) => caller.values[name] ?? 'x')
  return {
    // The types of inject need a specific method.
    method: route.method as 'POST',
    url: `${path}${request.query}`,
    headers: {
      ...headersOf(route.url, caller),
      ...(request.body !== null && { 'content-type': request.type }),
    },
    // As bytes, because encoding a text is not work of the service.
    ...(request.body !== null && { payload: Buffer.from(request.body()) }),
  }
}

function headersOf(path: string, { url, key, session }: Caller): Record<string, string> {
  const { host, origin } = new URL(url)
  return path.startsWith('/web/')
    ? { host, origin, ...session }
    : { host, accept: 'application/json, text/event-stream', ...key }
}

/** The longest turn during the request. */
function measureCall(app: FastifyApp, call: Call): Promise<number> {
  return measureLongestTurn(async () => {
    const { statusCode, body } = await app.inject(call)
    // A request that is refused before its content is read measures nothing.
    if (statusCode === 413 || REFUSED_UNREAD.test(body))
      assert.fail(
        `${call.method} ${call.url.slice(0, 100)} got ${statusCode} ${body.slice(0, 200)}`,
      )
  })
}
