import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Client } from 'pg'
import { createManualClock } from '../support/time/manual-clock.ts'
import { startServiceForFile } from '../support/service-for-file.ts'

type Token = {
  id: string
  nextSecretSince: string | null
  nextSecretDue: string | null
  oldSecretUntil: string | null
}

// In the far future, because the service's maintenance jobs use the real time.
const clock = createManualClock('2099-11-15T12:00:00.000Z')
const sharedService = startServiceForFile({}, { clock })

test('a next secret is created, shown once and activated, and the token list shows its state', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { id, apiKey, signingSecret } = await ada.createToken()
  const state = async () => {
    const { body } = await ada.get('/web/tokens')
    const token = (body['tokens'] as Token[]).find((one) => one.id === id)
    return [token?.nextSecretSince, token?.nextSecretDue, token?.oldSecretUntil]
  }
  assert.deepEqual(await state(), [null, null, null])

  const created = await ada.post(`/web/tokens/${id}/next-secret`)
  assert.equal(created.status, 201)
  const next = created.body['signingSecret'] as string
  assert.match(next, /^ss_[0-9A-Za-z]{43}$/)
  assert.notEqual(next, signingSecret)
  assert.partialDeepStrictEqual(created.body['token'], {
    nextSecretSince: '2099-11-15T12:00:00.000Z',
  })
  const pending = ['2099-11-15T12:00:00.000Z', '2099-11-16T12:00:00.000Z', null]
  assert.deepEqual(await state(), pending)

  clock.advance(600)
  const activated = await ada.post(`/web/tokens/${id}/next-secret/activate`)
  assert.equal(activated.status, 200)
  assert.doesNotMatch(JSON.stringify(activated.body), /ss_/)
  assert.deepEqual(await state(), [null, null, '2099-11-16T12:10:00.000Z'])
  const { body } = await service.anonymousClient().get('/api/v1/token', { 'x-api-key': apiKey })
  assert.partialDeepStrictEqual(body['token'], { oldSecretUntil: '2099-11-16T12:10:00.000Z' })
})

test('a rotation step in the wrong state gets 409 with a specific code, and an unknown token 404', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { id } = await ada.createToken()
  const path = `/web/tokens/${id}/next-secret`
  const codes = async () => [
    (await ada.post(`${path}/activate`)).body.code,
    (await ada.delete(path)).body.code,
  ]
  assert.deepEqual(await codes(), ['no_secret_pending', 'no_secret_pending'])
  assert.equal((await ada.post(path)).status, 201)
  const again = await ada.post(path)
  assert.equal(again.status, 409)
  assert.equal(again.body.code, 'secret_pending')
  assert.equal((await ada.delete(path)).status, 200)
  assert.equal((await ada.delete(path)).status, 409)
  await ada.delete(`/web/tokens/${id}`)
  assert.equal((await ada.post(path)).body.code, 'token_revoked')
  assert.deepEqual(await codes(), ['token_revoked', 'token_revoked'])

  const nothing = '/web/tokens/tok_nothing/next-secret'
  for (const answer of [
    await ada.post(nothing),
    await ada.post(`${nothing}/activate`),
    await ada.delete(nothing),
  ]) {
    assert.equal(answer.status, 404)
    assert.equal(answer.body.code, 'token_not_found')
  }
})

test('each rotation step adds one audit row with its actor, and no secret is stored in plain text', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { id, signingSecret } = await ada.createToken()
  const path = `/web/tokens/${id}/next-secret`
  const secrets = [signingSecret]
  const make = async () => secrets.push((await ada.post(path)).body['signingSecret'] as string)
  await make()
  await ada.post(path)
  await ada.delete(path)
  await make()
  await ada.post(`${path}/activate`)
  await make()

  const client = new Client({ connectionString: service.databaseUrl })
  await client.connect()
  const audit = await client.query<{ actor: string; ip: string; action: string; object: string }>(
    `select actor, ip, action, object from audit where action like 'next secret%' and object = $1`,
    [id],
  )
  const stored = await client.query<Record<string, unknown>>(
    'select * from api_token where id = $1',
    [id],
  )
  await client.end()
  assert.deepEqual(
    audit.rows.map(({ action }) => action).toSorted(),
    ['activated', 'cancelled', 'created', 'created', 'created'].map(
      (step) => `next secret ${step}`,
    ),
  )
  for (const { actor, ip, object } of audit.rows) {
    assert.match(actor, /^user:/)
    assert.deepEqual([ip, object], ['127.0.0.1', id])
  }
  const row = JSON.stringify(stored.rows[0], (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  )
  for (const secret of secrets) assert.ok(!row.includes(secret))
})
