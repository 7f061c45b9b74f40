import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { createManualClock } from '../support/time/manual-clock.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { startService } from '../support/service/start-service.ts'

test('the setup link creates the first user, who is an admin and signed in, and works once', async () => {
  // Without the fast hasher of the other tests.
  await using service = await startService({}, { passwords: undefined })
  assert.match(service.setupLink ?? '', /\/setup#[0-9A-Za-z]{43}$/)
  const code = service.setupLink?.split('#')[1]
  const ada = await service.adminClient()
  const { body } = await ada.get('/web/state')
  assert.equal(body['setupNeeded'], false)
  assert.partialDeepStrictEqual(body['user'], {
    email: ADMIN.email,
    name: ADMIN.name,
    role: 'admin',
  })

  const again = await service
    .anonymousClient()
    .post('/web/setup', { ...ADMIN, email: 'eve@example.com', code })
  assert.equal(again.status, 403)
  assert.equal(again.body.code, 'setup_closed')

  const client = new Client({ connectionString: service.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ password_hash: string }>(
    'select password_hash from app_user',
  )
  await client.end()
  assert.match(
    rows[0]?.password_hash ?? '',
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
  )
})

test('a wrong, missing or expired setup code creates no user, and concurrent uses of the right one create one', async () => {
  const clock = createManualClock()
  await using service = await startService({}, { clock })
  const code = service.setupLink?.split('#')[1]

  const wrong = await service
    .anonymousClient()
    .post('/web/setup', { ...ADMIN, code: 'x'.repeat(43) })
  assert.equal(wrong.body.code, 'invalid_code')
  assert.equal((await service.anonymousClient().post('/web/setup', ADMIN)).status, 400)
  clock.advance(3_601)
  assert.equal(
    (await service.anonymousClient().post('/web/setup', { ...ADMIN, code })).body.code,
    'invalid_code',
  )
  assert.equal((await service.anonymousClient().get('/web/state')).body['setupNeeded'], true)

  clock.advance(-3_601)
  const answers = await Promise.all(
    ['a@example.com', 'b@example.com', 'c@example.com'].map((email) =>
      service.anonymousClient().post('/web/setup', { ...ADMIN, email, code }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['201', '403', '403'])
})

test('the first user can be created from the settings, without a setup link', async () => {
  const file = join(process.env['TEST_SCRATCH'] ?? '', 'admin-password')
  writeFileSync(file, 'quite a long secret\n')
  await using service = await startService({
    HANSARD_ADMIN_EMAIL: 'ops@example.com',
    HANSARD_ADMIN_PASSWORD_FILE: file,
  })
  assert.equal(service.setupLink, null)
  const answer = await service
    .anonymousClient()
    .post('/web/sign-in', { email: 'ops@example.com', password: 'quite a long secret' })
  assert.equal(answer.status, 200)
})
