import { strict as assert } from 'node:assert'
import { beforeEach, test } from 'node:test'
import { ERRORS, ServiceError } from '../../src/errors.ts'
import { openForFile } from '../support/open-for-file.ts'
import { createOrders, ORDERS } from '../support/http/order-routes.ts'
import { startService } from '../support/service/start-service.ts'
import { assertError } from '../support/http/raw-requests.ts'

const sharedService = openForFile(async () => {
  const orders = createOrders()
  const service = await startService({}, { routes: orders.routes })
  const ada = await service.adminClient()
  const program = service.anonymousClient()
  const caller = async () => {
    const { apiKey } = await ada.createToken()
    return (body: unknown, key?: string, path = ORDERS) =>
      program.post(path, body, {
        'x-api-key': apiKey,
        ...(key !== undefined && { 'idempotency-key': key }),
      })
  }
  return Object.assign(service, { orders, caller })
})

beforeEach(() => {
  const { orders } = sharedService()
  orders.effects.length = 0
  orders.beforeEffect = async () => {}
})

test('a repeated request gets the saved response, and the effect happens once', async () => {
  const service = sharedService()
  const order = await service.caller()
  const first = await order({ item: 'tea' }, 'k1')
  assert.equal(first.status, 201)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  for (let i = 0; i < 3; i += 1) {
    const again = await order({ item: 'tea' }, 'k1')
    assert.equal(again.status, 201)
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.headers.get('content-type'), first.headers.get('content-type'))
  }
  assert.deepEqual(service.orders.effects, ['tea'])
})

test('requests without an Idempotency-Key or with different keys are independent', async () => {
  const service = sharedService()
  const order = await service.caller()
  await order({ item: 'tea' })
  await order({ item: 'tea' })
  await order({ item: 'tea' }, 'k1')
  await order({ item: 'tea' }, 'k2')
  assert.equal(service.orders.effects.length, 4)
})

test('a different order of fields is the same request', async () => {
  const service = sharedService()
  const order = await service.caller()
  await order('{"item":"tea","note":1}', 'k1')
  const again = await order('{ "note":1, "item":"tea" }', 'k1')
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('an Idempotency-Key that was used with another request gets 422', async () => {
  const service = sharedService()
  const order = await service.caller()
  await order({ item: 'tea' }, 'k1')
  assertError(await order({ item: 'milk' }, 'k1'), 422, 'idempotency_mismatch')
  assertError(await order({ item: 'tea' }, 'k1', `${ORDERS}?x=1`), 422, 'idempotency_mismatch')
  assert.deepEqual(service.orders.effects, ['tea'])
})

test('each token has separate idempotency keys', async () => {
  const service = sharedService()
  const [one, two] = [await service.caller(), await service.caller()]
  const first = await one({ item: 'tea' }, 'k1')
  const second = await two({ item: 'milk' }, 'k1')
  assert.equal(second.status, 201)
  assert.notDeepEqual(first.body, second.body)
  assert.deepEqual(service.orders.effects, ['tea', 'milk'])
})

test('an internal error is not saved, and the next attempt runs', async () => {
  const service = sharedService()
  const order = await service.caller()
  service.orders.beforeEffect = async () => {
    throw new Error('no luck')
  }
  assertError(await order({ item: 'tea' }, 'k1'), 500, 'internal')
  service.orders.beforeEffect = async () => {}
  const second = await order({ item: 'tea' }, 'k1')
  assert.equal(second.status, 201)
  assert.equal(second.headers.get('idempotent-replayed'), null)
  assert.deepEqual(service.orders.effects, ['tea'])
})

test('an invalid request does not use up its Idempotency-Key', async () => {
  const service = sharedService()
  const order = await service.caller()
  assertError(await order({ item: 7 }, 'k1'), 400, 'invalid_request')
  assertError(await order('{', 'k1'), 400, 'invalid_json')
  assert.equal((await order({ item: 'tea' }, 'k1')).status, 201)
})

test('a rejected request is not saved, and the same request may succeed later', async () => {
  const service = sharedService()
  const order = await service.caller()
  const codes = [
    'invalid_request',
    'prompt_not_found',
    'task_exists',
    'too_many_executions',
  ] as const
  for (const code of codes) {
    service.orders.beforeEffect = async () => {
      throw new ServiceError(code, { retryAfterSeconds: 7 })
    }
    const first = await order({ item: 'tea' }, code)
    assertError(first, ERRORS[code].status, code)
    assert.equal(first.headers.get('retry-after'), '7')
    service.orders.beforeEffect = async () => {}
    const second = await order({ item: code === 'task_exists' ? 'milk' : 'tea' }, code)
    assert.equal(second.status, 201, code)
    assert.equal(second.headers.get('idempotent-replayed'), null)
  }
})

test('an Idempotency-Key has 1 to 255 characters', async () => {
  const service = sharedService()
  const order = await service.caller()
  for (const key of ['', 'k'.repeat(256)]) {
    const answer = await order({ item: 'tea' }, key)
    assertError(answer, 400, 'invalid_request')
    assert.match(JSON.stringify(answer.body['details']), /Idempotency-Key/)
  }
  assert.equal((await order({ item: 'tea' }, 'k'.repeat(255))).status, 201)
  assert.equal((await order({ item: 'tea' }, '\u00ff\u00e4 "k"')).status, 201)
})
