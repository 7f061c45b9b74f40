import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Timers } from '../../../lib/time/clock.ts'
import { createTeamsBotTokenLoader } from './bot-identification.ts'

const SECRET = 'client-secret-of-the-tenant'
const ADDRESS = {
  url: 'https://teams.microsoft.com/meet/1234567890123?p=abc',
  room: 'x',
  label: 'x',
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A token endpoint that answers as the test says. */
async function openEndpoint(answers: Answer[]) {
  const asked: Array<{ url: string; body: URLSearchParams }> = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ url: request.url ?? '', body: new URLSearchParams(body) })
      answers[Math.min(asked.length, answers.length) - 1]?.(response, request)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let now = Date.parse('2026-11-15T12:00:00Z')
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  // Pauses between attempts take no time.
  const timers: Timers = { now: () => 0, after: (_ms, run) => (setImmediate(run), () => {}) }
  const credentials = {
    tenant: 'contoso.example',
    clientId: 'bot',
    clientSecret: SECRET,
    loginUrl: `http://127.0.0.1:${port}`,
  }
  const identification = createTeamsBotTokenLoader({
    credentials,
    clock: { now: () => new Date(now) },
    log,
    timers,
  })
  return {
    asked,
    lines,
    identification,
    identify: async (address: typeof ADDRESS) => (await identification(address)).token,
    pass: (minutes: number) => void (now += minutes * 60_000),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function token(value: string, seconds: unknown = 3600): Answer {
  return (response) =>
    void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ token_type: 'Bearer', access_token: value, expires_in: seconds }))
}

function refusal(status: number, body: string): Answer {
  return (response) => void response.writeHead(status).end(body)
}

test('overlapping visits share one token request, and the token is renewed before it expires', async () => {
  await using endpoint = await openEndpoint([token('first.to.ken'), token('second.to.ken')])
  const { identify, asked } = endpoint
  const three = await Promise.all([identify(ADDRESS), identify(ADDRESS), identify(ADDRESS)])
  assert.deepEqual(new Set(three), new Set(['first.to.ken']))
  assert.equal(asked.length, 1)
  assert.equal(asked[0]?.url, '/contoso.example/oauth2/v2.0/token')
  assert.deepEqual(Object.fromEntries(asked[0].body), {
    grant_type: 'client_credentials',
    client_id: 'bot',
    client_secret: SECRET,
    scope: 'https://ic3.teams.office.com/.default',
  })
  endpoint.pass(54)
  assert.equal(await identify(ADDRESS), 'first.to.ken')
  endpoint.pass(2)
  assert.equal(await identify(ADDRESS), 'second.to.ken')
  assert.equal(asked.length, 2)
})

test('a refused or missing token is logged as a warning, and the bot joins without a token', async () => {
  const cases: Array<[Answer, tries: number, says: RegExp]> = [
    [
      refusal(401, `{"error":"invalid_client","error_description":"${SECRET}"}`),
      1,
      /401, invalid_client/,
    ],
    [refusal(400, 'null'), 1, /answered 400/],
    [refusal(503, '{}'), 3, /answered 503/],
    [refusal(200, `<html>${SECRET}`), 3, /the answer is not JSON/],
    [token('bad\ntoken#'), 1, /the answer holds no token/],
    [token('a.b.c', 'soon'), 1, /the answer holds no token/],
    [(response) => response.destroy(), 3, /no answer \(\w+\)/],
    [
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      3,
      /no answer/,
    ],
  ]
  for (const [answer, tries, says] of cases) {
    await using endpoint = await openEndpoint([answer])
    const { identify, asked, lines } = endpoint
    assert.equal(await identify(ADDRESS), null)
    assert.equal(await identify(ADDRESS), null)
    assert.equal(asked.length, tries, String(says))
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', says)
    assert.match((await endpoint.identification(ADDRESS)).problem ?? '', says)
    assert.ok(!lines.join('').includes(SECRET))
    endpoint.pass(2)
    await identify(ADDRESS)
    assert.equal(asked.length, 2 * tries)
  }
})

test('a valid token is used while its renewal fails', async () => {
  await using endpoint = await openEndpoint([token('first.to.ken'), refusal(500, '{}')])
  const { identify } = endpoint
  assert.equal(await identify(ADDRESS), 'first.to.ken')
  endpoint.pass(57)
  assert.equal(await identify(ADDRESS), 'first.to.ken')
  endpoint.pass(4)
  assert.equal(await identify(ADDRESS), null)
})

test('a token is sent only to hosts of Microsoft Teams', async () => {
  await using endpoint = await openEndpoint([token('a.b.c')])
  for (const url of [
    'https://meet.google.com/abc-defg-hij',
    'http://teams.microsoft.com/meet/1',
    'https://teams.microsoft.com.evil.example/meet/1',
    'https://evil.example/?teams.microsoft.com',
    'nonsense',
  ])
    assert.equal(await endpoint.identify({ ...ADDRESS, url }), null)
  assert.equal(endpoint.asked.length, 0)
  for (const host of ['teams.cloud.microsoft', 'teams.live.com', 'gov.teams.microsoft.us'])
    assert.equal(await endpoint.identify({ ...ADDRESS, url: `https://${host}/meet/1` }), 'a.b.c')
})

test('without credentials bots join without a token', async () => {
  const clock = { now: () => new Date() }
  const identify = createTeamsBotTokenLoader({ credentials: null, clock, log: pino() })
  assert.deepEqual(await identify(ADDRESS), { token: null, problem: null })
})
