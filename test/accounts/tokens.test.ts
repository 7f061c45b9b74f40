import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { Client } from 'pg'
import { isWellFormedKey, newApiKey, newSigningSecret } from '../../src/accounts/tokens/api-keys.ts'
import { toBase62 } from '../../src/lib/crypto.ts'
import { startServiceForFile } from '../support/service-for-file.ts'

const sharedService = startServiceForFile()

test('API keys and signing secrets have the documented format', () => {
  for (let i = 0; i < 200; i += 1) {
    const key = newApiKey()
    assert.match(key, /^sk_[0-9A-Za-z]{38}$/)
    assert.equal(key.slice(35), toBase62(crc32(key.slice(0, 35)), 6))
    assert.ok(isWellFormedKey(key))
    assert.match(newSigningSecret(), /^ss_[0-9A-Za-z]{43}$/)
  }
})

test('an API key with a changed character is malformed', () => {
  const key = newApiKey()
  for (let i = 3; i < key.length; i += 1) {
    const other = key[i] === 'a' ? 'b' : 'a'
    assert.equal(isWellFormedKey(`${key.slice(0, i)}${other}${key.slice(i + 1)}`), false)
  }
})

test('a token’s key and secret are shown once, and the list shows only hints of them', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const created = await ada.post('/web/tokens', { name: 'backend', scopes: ['read'] })
  const { apiKey, signingSecret } = created.body as unknown as {
    apiKey: string
    signingSecret: string
  }

  const { body } = await ada.get('/web/tokens')
  assert.partialDeepStrictEqual(body, {
    tokens: [
      {
        name: 'backend',
        keyPrefix: apiKey.slice(0, 7),
        keyLast4: apiKey.slice(-4),
        scopes: ['read'],
        createdBy: 'Ada',
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
      },
    ],
  })
  assert.doesNotMatch(JSON.stringify(body), new RegExp(`${apiKey}|${signingSecret}`))
})

test('a token needs a name of 1 to 100 characters', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  for (const name of [undefined, '', '   ', 'x'.repeat(101), 5, null]) {
    const answer = await ada.post('/web/tokens', { name })
    assert.equal(answer.status, 400, String(name))
    assert.partialDeepStrictEqual(answer.body['details'], [{ path: 'name' }])
  }
  assert.equal((await ada.post('/web/tokens', { name: 'x'.repeat(100) })).status, 201)
})

test('a misspelt field gets a warning with the closest known field', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { body } = await ada.post('/web/tokens', { name: 'x', scope: ['read'] })
  assert.deepEqual(body['warnings'], [
    { path: 'scope', message: 'Unknown field, ignored; did you mean scopes?' },
  ])
})

test('revoking an unknown token gets 404, and revoking twice changes nothing', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { id } = await ada.createToken()
  assert.equal((await ada.delete('/web/tokens/tok_nothing')).status, 404)
  const first = (await ada.delete(`/web/tokens/${id}`)).body['token'] as { revokedAt: string }
  const second = (await ada.delete(`/web/tokens/${id}`)).body['token'] as { revokedAt: string }
  assert.equal(first.revokedAt, second.revokedAt)
})

test('the database stores API keys as hashes and signing secrets encrypted', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { id, apiKey, signingSecret } = await ada.createToken()
  const client = new Client({ connectionString: service.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ key_hash: Buffer; signing_secret: Buffer }>(
    'select * from api_token where id = $1',
    [id],
  )
  await client.end()
  const row = rows[0]
  assert.equal(row?.key_hash.length, 32)
  const stored = JSON.stringify(row, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  )
  assert.ok(!stored.includes(apiKey) && !stored.includes(signingSecret))
  assert.ok(!row?.signing_secret.toString('latin1').includes(signingSecret))
})
