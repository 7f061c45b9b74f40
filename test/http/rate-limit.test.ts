import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualClock } from '../support/time/manual-clock.ts'
import { eventually } from '../support/time/eventually.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { startTwoNodes } from '../support/service/start-nodes.ts'
import { createOrders, ORDERS } from '../support/http/order-routes.ts'
import type { ApiResponse } from '../support/http/http-client.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import { assertError } from '../support/http/raw-requests.ts'

// In the future, because maintenance deletes the counts of past minutes by the real time.
const START = '2099-01-01T00:00:20.000Z'

const clock = createManualClock(START)
const orders = createOrders()
const sharedService = startServiceForFile(
  { HANSARD_RATE_LIMIT_REQUESTS: '5', HANSARD_RATE_LIMIT_STARTS: '2' },
  { clock, routes: orders.routes },
)

/** Two new API keys without counted requests. */
async function openCallers(service: TestService) {
  const ada = await service.adminClient()
  const { apiKey } = await ada.createToken()
  const { apiKey: other } = await ada.createToken()
  const client = service.anonymousClient()
  return {
    ada,
    client,
    other,
    ask: (key = apiKey) => client.get('/api/v1/token', { 'x-api-key': key }),
    order: () => client.post(ORDERS, { item: 'tea' }, { 'x-api-key': apiKey }),
  }
}

test('every response to an API key has the remaining quota, and 429 follows after the limit', async () => {
  const { ask } = await openCallers(sharedService())
  for (const remaining of [4, 3, 2, 1, 0]) {
    const { status, headers } = await ask()
    assert.equal(status, 200)
    assert.equal(headers.get('ratelimit-policy'), '"requests";q=5;w=60')
    assert.equal(headers.get('ratelimit'), `"requests";r=${remaining};t=40`)
  }
  for (let i = 0; i < 2; i += 1) {
    const refused = await ask()
    assertError(refused, 429, 'too_many_requests')
    assert.equal(refused.headers.get('retry-after'), '40')
    assert.equal(refused.headers.get('ratelimit'), '"requests";r=0;t=40')
    assert.equal(refused.headers.get('ratelimit-policy'), '"requests";q=5;w=60')
  }
})

test('each API key has a separate limit that resets every minute', async () => {
  const { ask, other } = await openCallers(sharedService())
  for (let i = 0; i < 5; i += 1) assert.equal((await ask()).status, 200)
  assert.equal((await ask()).status, 429)
  assert.equal((await ask(other)).status, 200)
  clock.advance(40)
  assert.equal((await ask()).status, 200)
  // The other tests begin 20 seconds after a full minute.
  clock.advance(20)
})

test('requests to unknown paths count toward the limit, and requests of the console do not', async () => {
  const { ada, client, other } = await openCallers(sharedService())
  const askUnknown = async () =>
    (await client.get('/api/v1/nothing', { 'x-api-key': other })).status
  for (let i = 0; i < 5; i += 1) assert.equal(await askUnknown(), 404)
  assert.equal(await askUnknown(), 429)
  for (let i = 0; i < 6; i += 1) {
    const { status, headers } = await ada.get('/web/tokens')
    assert.equal(status, 200)
    assert.equal(headers.get('ratelimit'), null)
  }
})

test('starts of meetings have a limit in addition to that of requests', async () => {
  const { ask, order } = await openCallers(sharedService())
  for (const remaining of [1, 0]) {
    const { status, headers } = await order()
    assert.equal(status, 201)
    assert.match(headers.get('ratelimit-policy') ?? '', /"starts";q=2;w=60/)
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`"starts";r=${remaining};t=40`))
  }
  const refused = await order()
  assertError(refused, 429, 'too_many_requests')
  assert.match(refused.body.error ?? '', /starts/)
  assert.equal(refused.headers.get('retry-after'), '40')
  const { status, headers } = await ask()
  assert.equal(status, 200)
  assert.equal(headers.get('ratelimit'), '"requests";r=1;t=40')
})

test('rate limits can be disabled', async () => {
  await using service = await startService({
    HANSARD_RATE_LIMIT: 'off',
    HANSARD_RATE_LIMIT_REQUESTS: '1',
  })
  const { ask } = await openCallers(service)
  for (let i = 0; i < 5; i += 1) {
    const { status, headers } = await ask()
    assert.equal(status, 200)
    assert.equal(headers.get('ratelimit'), null)
    assert.equal(headers.get('ratelimit-policy'), null)
  }
})

test('two nodes share one rate limit', async () => {
  const limit = 80
  await using nodes = await startTwoNodes(
    { HANSARD_RATE_LIMIT_REQUESTS: String(limit) },
    { clock: createManualClock(START) },
  )
  const { one, two } = nodes
  const { apiKey } = await (await one.adminClient()).createToken()
  const ask = (node: TestService) =>
    node.anonymousClient().get('/api/v1/token', { 'x-api-key': apiKey })

  await Promise.all(Array.from({ length: 30 }, () => ask(one)))
  // The second node must learn about the 30 requests that the first node served.
  let asked = 0
  const remaining = await eventually(async () => {
    const left = remainingOf(await ask(two))
    asked += 1
    return left <= limit - 30 - asked ? left : null
  })
  const rest = await Promise.all(Array.from({ length: remaining }, () => ask(two)))
  assert.deepEqual([...new Set(rest.map(({ status }) => status))], [200])
  assertError(await ask(two), 429, 'too_many_requests')
  await eventually(async () => ((await ask(one)).status === 429 ? true : null))
})

function remainingOf({ headers }: ApiResponse): number {
  return Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
}
