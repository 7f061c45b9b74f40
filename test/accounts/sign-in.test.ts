import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Client } from 'pg'
import { createManualClock } from '../support/time/manual-clock.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { startService, type TestService } from '../support/service/start-service.ts'

const credentials = { email: ADMIN.email, password: ADMIN.password }

// The clock moves only between tests, so no wait ends during a test, even on a slow machine.
const clock = createManualClock()
const sharedService = startServiceForFile({}, { clock })

/** The service after earlier tests' failures have expired. */
function openAfterThrottling(): TestService {
  clock.advance(2 * 3_600)
  return sharedService()
}

async function signIn(service: TestService): Promise<HttpClient> {
  const person = service.anonymousClient()
  assert.equal((await person.post('/web/sign-in', credentials)).status, 200)
  return person
}

test('an unknown email address and a wrong password get the same response', async () => {
  const service = openAfterThrottling()
  const wrong = await service
    .anonymousClient()
    .post('/web/sign-in', { ...credentials, password: 'not this one' })
  const unknown = await service
    .anonymousClient()
    .post('/web/sign-in', { ...credentials, email: 'x@example.com' })
  for (const answer of [wrong, unknown]) {
    assert.equal(answer.status, 401)
    assert.equal(answer.body.error, 'The email address or password is wrong')
    assert.deepEqual(Object.keys(answer.body), ['error', 'code', 'requestId'])
  }
})

test('the email address is matched case-insensitively at sign-in', async () => {
  const service = openAfterThrottling()
  const answer = await service
    .anonymousClient()
    .post('/web/sign-in', { ...credentials, email: ' ADA@Example.com ' })
  assert.equal(answer.status, 200)
})

test('most of a hundred guesses from one address are throttled, and the user can still sign in from another', async () => {
  const service = openAfterThrottling()
  const tried: number[] = []
  for (let batch = 0; batch < 2; batch += 1) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        service
          .anonymousClient('192.0.2.66')
          .post('/web/sign-in', { ...credentials, password: `guess ${batch} ${i}` }),
      ),
    )
    for (const { status, headers } of answers) {
      if (status === 401) tried.push(status)
      else {
        assert.equal(status, 429)
        assert.ok(Number(headers.get('retry-after')) >= 1)
      }
    }
  }
  assert.ok(tried.length <= 20, `${tried.length} guesses reached the hash`)
  const owner = await service.anonymousClient('198.51.100.1').post('/web/sign-in', credentials)
  assert.equal(owner.status, 200)
})

test('sign-in attempts from one IPv6 /64 network are throttled together, also when its prefix has zeros', async () => {
  const service = openAfterThrottling()
  for (const network of ['2001:db8:1:2:', '2001:db8:', '2001:db8:0:1:']) {
    const answers: number[] = []
    for (let i = 1; i <= 15; i += 1) {
      const guess = { email: `p${i}@example.com`, password: 'not this one' }
      const { status } = await service
        .anonymousClient(`${network}:${i}:6:7`)
        .post('/web/sign-in', guess)
      answers.push(status)
    }
    const tried = answers.filter((status) => status === 401).length
    assert.deepEqual([network, tried], [network, 11])
  }
})

test('the sign-in wait doubles with each further failure', async () => {
  const service = openAfterThrottling()
  const guess = () =>
    service
      .anonymousClient('192.0.2.7')
      .post('/web/sign-in', { ...credentials, password: 'not this one' })
  for (let i = 0; i < 11; i += 1) assert.equal((await guess()).status, 401)
  const waits: number[] = []
  for (let i = 0; i < 5; i += 1) {
    const refused = await guess()
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers.get('retry-after'))
    waits.push(wait)
    clock.advance(wait)
    assert.equal((await guess()).status, 401)
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16])
})

test('guesses from many addresses throttle the account, except in browsers in which its user has signed in', async () => {
  const service = openAfterThrottling()
  const ada = await signIn(service)
  for (let i = 0; i < 60; i += 1) {
    const bot = service.anonymousClient(`203.0.113.${i}`)
    await bot.post('/web/sign-in', { ...credentials, password: 'not this one' })
  }
  const outsider = await service.anonymousClient('203.0.113.200').post('/web/sign-in', credentials)
  assert.equal(outsider.status, 429)
  assert.ok(Number(outsider.headers.get('retry-after')) <= 30)
  const change = { currentPassword: ADMIN.password, newPassword: 'another horse battery staple' }
  assert.equal((await ada.put('/web/password', change)).status, 200)
  assert.equal((await ada.post('/web/sign-out')).status, 200)
  const again = { ...credentials, password: change.newPassword }
  assert.equal((await ada.post('/web/sign-in', again)).status, 200)
  const restored = { currentPassword: change.newPassword, newPassword: ADMIN.password }
  assert.equal((await ada.put('/web/password', restored)).status, 200)
})

test('guesses at other accounts do not lock out a user in a known browser at the same address', async () => {
  const service = openAfterThrottling()
  const owner = service.anonymousClient('198.51.100.1')
  assert.equal((await owner.post('/web/sign-in', credentials)).status, 200)
  const guess = (email: string) =>
    service.anonymousClient('198.51.100.1').post('/web/sign-in', { email, password: 'not this' })
  const invented: number[] = []
  for (let i = 0; i < 14; i += 1) invented.push((await guess(`p${i}@example.com`)).status)
  assert.deepEqual(invented.slice(10), [401, 429, 429, 429])
  // The response does not reveal that this account is signed in at the address.
  assert.equal((await guess(ADMIN.email)).status, 429)
  for (let i = 0; i < 3; i += 1)
    assert.equal((await owner.post('/web/sign-in', credentials)).status, 200)
})

test('guesses in a known browser are throttled only in that browser, and only for its user', async () => {
  const service = openAfterThrottling()
  const ada = await signIn(service)
  const thief = service.anonymousClient('203.0.113.9')
  thief.deviceCookie = ada.deviceCookie
  const guess = () => thief.post('/web/sign-in', { ...credentials, password: 'not this one' })
  for (let i = 0; i < 11; i += 1) assert.equal((await guess()).status, 401)
  assert.equal((await guess()).status, 429)
  const elsewhere = service.anonymousClient('198.51.100.7')
  assert.equal((await elsewhere.post('/web/sign-in', credentials)).status, 200)
  // The cookie has no effect for another account, nor after a change.
  const other = { email: 'bob@example.com', password: 'not this one' }
  const statuses: number[] = []
  for (let i = 0; i < 12; i += 1) statuses.push((await thief.post('/web/sign-in', other)).status)
  assert.equal(statuses.at(-1), 429)
  thief.deviceCookie = `${ada.deviceCookie?.slice(0, -2)}xx`
  assert.equal((await guess()).status, 429)
})

test('a successful sign-in does not count as an attempt', async () => {
  const service = openAfterThrottling()
  for (let i = 0; i < 30; i += 1) {
    assert.equal(
      (await service.anonymousClient('192.0.2.8').post('/web/sign-in', credentials)).status,
      200,
    )
  }
})

test('each action adds exactly one audit row', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  await service.anonymousClient().post('/web/sign-in', credentials)
  await service.anonymousClient().post('/web/sign-in', { ...credentials, password: 'not this one' })
  const { id } = await ada.createToken()
  await ada.delete(`/web/tokens/${id}`)
  await ada.delete(`/web/tokens/${id}`)
  await ada.put('/web/profile', { name: 'Ada L.' })
  await ada.post('/web/invitations', { role: 'member' })
  const { id: bobsId, client: bob } = await invitePerson(service, ada)
  await bob.createToken()
  await ada.delete(`/web/users/${bobsId}?tokens=revoke`)
  await ada.post('/web/sign-out')
  assert.deepEqual(await auditOf(service), [
    'user created',
    'signed in',
    'signed in',
    'sign-in failed',
    'token created',
    'token revoked',
    'profile changed',
    'user invited',
    'user invited',
    'user created',
    'signed in',
    'token created',
    'token revoked',
    'user removed',
    'signed out',
  ])
})

async function auditOf(service: TestService): Promise<string[]> {
  const client = new Client({ connectionString: service.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ action: string }>('select action from audit order by id')
  await client.end()
  return rows.map(({ action }) => action)
}
