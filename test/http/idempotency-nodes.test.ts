import { strict as assert } from 'node:assert'
import { beforeEach, test } from 'node:test'
import { Client } from 'pg'
import { openForFile } from '../support/open-for-file.ts'
import { createOrders, ORDERS } from '../support/http/order-routes.ts'
import { startTwoNodes } from '../support/service/start-nodes.ts'
import type { TestService } from '../support/service/start-service.ts'
import { assertError } from '../support/http/raw-requests.ts'

const sharedNodes = openForFile(async () => {
  const orders = createOrders()
  // The tests place more orders in a minute than an API key may.
  const nodes = await startTwoNodes({ HANSARD_RATE_LIMIT: 'off' }, { routes: orders.routes })
  return Object.assign(nodes, { orders, ada: await nodes.one.adminClient() })
})

beforeEach(() => {
  const { orders } = sharedNodes()
  orders.effects.length = 0
  orders.beforeEffect = async () => {}
})

/** Both nodes, and a caller with a new token that has not used any Idempotency-Key. */
async function openCaller() {
  const { one, two, orders, ada } = sharedNodes()
  const { apiKey } = await ada.createToken()
  const order = (node: TestService, key: string) =>
    node
      .anonymousClient()
      .post(ORDERS, { item: 'tea' }, { 'x-api-key': apiKey, 'idempotency-key': key })
  return { one, two, orders, order }
}

test('of fifty concurrent requests with one key on two nodes, one has an effect', async () => {
  const { one, two, orders, order } = await openCaller()
  const gate = Promise.withResolvers<void>()
  orders.beforeEffect = () => gate.promise

  const asked = Array.from({ length: 50 }, (_, i) => order(i % 2 === 0 ? one : two, 'k1'))
  const early = await Promise.race(asked)
  assertError(early, 409, 'request_in_progress')
  gate.resolve()
  const answers = await Promise.all(asked)

  assert.deepEqual(orders.effects, ['tea'])
  const served = answers.filter(({ status }) => status === 201)
  assert.ok(served.length > 0)
  for (const { body } of served) assert.deepEqual(body, { item: 'tea', number: 1 })
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assertError(answer, 409, 'request_in_progress')
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
  for (const node of [one, two]) {
    const after = await order(node, 'k1')
    assert.deepEqual(after.body, { item: 'tea', number: 1 })
    assert.equal(after.headers.get('idempotent-replayed'), 'true')
  }
})

test('fifty concurrent requests to a fast route have one effect', async () => {
  const { one, two, orders, order } = await openCaller()
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    orders.effects.length = 0
    const asked = Array.from({ length: 50 }, (_, i) => order(i % 2 === 0 ? one : two, key))
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
    assert.deepEqual(orders.effects, ['tea'])
    assert.ok(statuses.delete(201))
    assert.deepEqual(
      [...statuses].filter((status) => status !== 409),
      [],
    )
  }
})

test('a newer request takes over an expired key, and the older one is rejected', async () => {
  const { one, two, orders, order } = await openCaller()
  const started = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  orders.beforeEffect = () => {
    started.resolve()
    return gate.promise
  }
  const lost = order(one, 'k1')
  await started.promise
  assertError(await order(two, 'k1'), 409, 'request_in_progress')

  // Simulates that a minute has passed since the first node claimed the key.
  await query(one, `update idempotent_request set claimed_until = now() - interval '1 second'`)
  orders.beforeEffect = async () => {}
  const taken = await order(two, 'k1')
  assert.equal(taken.status, 201)
  assert.deepEqual(taken.body, { item: 'tea', number: 1 })

  gate.resolve()
  assertError(await lost, 409, 'request_in_progress')
  assert.deepEqual(orders.effects, ['tea'])
  const after = await order(one, 'k1')
  assert.equal(after.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(after.body, { item: 'tea', number: 1 })
})

test('a request that fails after it lost its key does not release the key', async () => {
  const { one, two, orders, order } = await openCaller()
  const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let calls = 0
  orders.beforeEffect = () => {
    const call = calls
    calls += 1
    started[call]?.resolve()
    return gates[call]?.promise ?? Promise.resolve()
  }
  const lost = order(one, 'k1')
  await started[0]?.promise
  await query(one, `update idempotent_request set claimed_until = now() - interval '1 second'`)
  const taking = order(two, 'k1')
  await started[1]?.promise

  gates[0]?.reject(new Error('died late'))
  assertError(await lost, 500, 'internal')
  assertError(await order(one, 'k1'), 409, 'request_in_progress')
  gates[1]?.resolve()
  assert.equal((await taking).status, 201)
  assert.equal((await order(one, 'k1')).headers.get('idempotent-replayed'), 'true')
  assert.equal(calls, 2)
})

async function query(service: TestService, text: string): Promise<void> {
  const client = new Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
