import { strict as assert } from 'node:assert'
import { Agent } from 'node:http'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createSessions } from '../../src/accounts/sessions.ts'
import { openDatabase } from '../../src/db/open.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/log.ts'
import { startWithRoutes } from '../support/nodes.ts'
import type { Person } from '../support/person.ts'
import { requestsFor, type Known, type Request } from '../support/nasty.ts'
import { ADMIN, type TestService } from '../support/service.ts'
import { send } from '../support/wire.ts'

const SEED = 20_260_115
const RUNS = 2_000
/** Routes thrown at together; more would only queue. */
const TOGETHER = 10
/** There are many routes: far more than it takes on a machine that has little else to do. */
const TIME_LIMIT_MS = 900_000

test(
  'whatever is thrown at a route, it never fails inside and always says what was wrong',
  { concurrency: TOGETHER, timeout: TIME_LIMIT_MS },
  async (t) => {
    await using service = await startWithRoutes({ HANSARD_RATE_LIMIT: 'off' })
    const root = await service.admin()
    const { apiKey } = await root.makeToken()
    const { id } = await root.makeToken()
    await using sessions = await openSessions(service.databaseUrl)
    const page = await root.get('/')
    const assets = String(page.body['text']).match(/(?<=\/assets\/)[^"]+/g) ?? []
    assert.ok(assets.length > 0)
    const known: Known = {
      ids: [id, 'usr_none', 'ses_none', 'inv_none'],
      texts: ['no-such-code'],
      assets,
    }

    const methods = new Map<string, string[]>()
    for (const { method, url } of service.routes) {
      methods.set(url, [...(methods.get(url) ?? []), method])
    }
    assert.ok(methods.size > 20, `only ${methods.size} paths`)
    const thrown = [...methods].map(([url, taken]) =>
      t.test(`${taken.join(', ')} ${url}`, async () => {
        await using target = await createTarget(service, root, sessions, apiKey)
        await fc.assert(
          fc.asyncProperty(requestsFor(url, taken, known), (request) => target.check(request)),
          { seed: SEED, numRuns: RUNS },
        )
      }),
    )
    await Promise.all(thrown)
  },
)

/** One connection, and one person whose session a request may end: the next request gets a new one. */
async function createTarget(
  service: TestService,
  root: Person,
  sessions: Sessions,
  apiKey: string,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const userId = await invite(service, root)
  let session: { secret: string; csrfToken: string } | null = null

  const credentials = async ({ sender }: Request): Promise<Record<string, string>> => {
    if (sender === 'nobody') return {}
    if (sender === 'program') return { 'x-api-key': apiKey }
    session ??= await sessions.begin(userId)
    return {
      cookie: `hansard=${session.secret}`,
      origin: service.url,
      ...(sender === 'person' && { 'x-csrf-token': session.csrfToken }),
    }
  }

  return {
    async check(request: Request): Promise<void> {
      const { method, path, body } = request
      const headers = {
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(await credentials(request)),
        ...request.headers,
      }
      const call = { method, path, headers, agent, ...(body !== null && { body }) }
      const answer = await send(service.url, call)
      if (answer.body.code === 'not_signed_in' || answer.headers.has('set-cookie')) session = null
      const summary = `${answer.status} ${answer.text.slice(0, 300)}`
      assert.ok(answer.status < 500, summary)
      if (answer.status < 400 || method === 'HEAD') return
      assert.ok(typeof answer.body.error === 'string', summary)
    },
    async [Symbol.asyncDispose]() {
      agent.destroy()
    },
  }
}

type Sessions = AsyncDisposable & {
  begin(userId: string): Promise<{ secret: string; csrfToken: string }>
}

/** Begins sessions without a password: to check one takes long, and requests here end many. */
async function openSessions(url: string): Promise<Sessions> {
  const log = createLog('silent')
  const { db, close } = await openDatabase({ connectionString: url }, { max: 2, log })
  const sessions = createSessions({ db, clock: systemClock })
  return {
    begin: (userId) => sessions.begin(db, userId, { ip: '198.51.100.7', userAgent: '' }),
    [Symbol.asyncDispose]: close,
  }
}

/** An admin of the target's own, so that routes thrown at together cannot end each other's sessions. */
async function invite(service: TestService, root: Person): Promise<string> {
  const { body } = await root.post('/web/invitations', { role: 'admin' })
  const email = `${(body['invitation'] as { id: string }).id}@example.com`
  const code = String(body['link']).split('#')[1]
  const person = service.visitor('198.51.100.7')
  const entered = await person.post('/web/invitation/accept', { ...ADMIN, email, code })
  assert.equal(entered.status, 201)
  return (entered.body['user'] as { id: string }).id
}
