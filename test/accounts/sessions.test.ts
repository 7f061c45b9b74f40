import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Client } from 'pg'
import { createManualClock } from '../support/time/manual-clock.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { startService } from '../support/service/start-service.ts'

const HOUR = 3_600
const credentials = { email: ADMIN.email, password: ADMIN.password }

const clock = createManualClock()
const sharedService = startServiceForFile({}, { clock })

/** A new session of the first user. */
async function signIn(): Promise<HttpClient> {
  const person = sharedService().anonymousClient()
  assert.equal((await person.post('/web/sign-in', credentials)).status, 200)
  return person
}

test('the session cookie is HttpOnly and SameSite, and host-bound under https', async () => {
  const signedIn = await sharedService().anonymousClient().post('/web/sign-in', credentials)
  const cookie = signedIn.headers.getSetCookie()[0] ?? ''
  assert.match(cookie, /^hansard=[\w-]{43}; /)
  assert.match(cookie, /HttpOnly/)
  assert.match(cookie, /SameSite=Lax/)
  assert.doesNotMatch(cookie, /Secure/)

  await using secure = await startService({ HANSARD_PUBLIC_URL: 'https://hansard.example' })
  const code = secure.setupLink?.split('#')[1]
  const created = await secure.anonymousClient().post('/web/setup', { ...ADMIN, code })
  const bound = created.headers.getSetCookie()[0] ?? ''
  assert.match(bound, /^__Host-hansard=/)
  // Browsers accept the prefix only with these two attributes.
  for (const attribute of ['Path=/', 'Secure']) assert.ok(bound.split('; ').includes(attribute))
})

test('signing in creates a new session and ignores an existing cookie', async () => {
  const service = sharedService()
  const victim = service.anonymousClient()
  victim.cookie = 'hansard=planted-by-attacker'
  await victim.post('/web/sign-in', credentials)
  assert.notEqual(victim.cookie, 'hansard=planted-by-attacker')
  const attacker = service.anonymousClient()
  attacker.cookie = 'hansard=planted-by-attacker'
  assert.equal((await attacker.get('/web/tokens')).status, 401)
})

test('signing out ends the session, also for a copied cookie', async () => {
  const service = sharedService()
  const ada = await signIn()
  const thief = service.anonymousClient()
  thief.cookie = ada.cookie
  assert.equal((await thief.get('/web/tokens')).status, 200)
  assert.equal((await ada.post('/web/sign-out')).status, 200)
  assert.equal((await thief.get('/web/tokens')).status, 401)
})

test('changing the password ends every other session and renews this one', async () => {
  const service = sharedService()
  const ada = await signIn()
  const elsewhere = service.anonymousClient()
  await elsewhere.post('/web/sign-in', credentials)
  const before = ada.cookie

  const wrong = await ada.put('/web/password', {
    currentPassword: 'not it',
    newPassword: 'another good one',
  })
  assert.equal(wrong.status, 400)
  const changed = await ada.put('/web/password', {
    currentPassword: ADMIN.password,
    newPassword: 'another good one',
  })
  assert.equal(changed.status, 200)
  assert.notEqual(ada.cookie, before)
  assert.equal((await ada.get('/web/tokens')).status, 200)
  assert.equal((await elsewhere.get('/web/tokens')).status, 401)
  const restored = { currentPassword: 'another good one', newPassword: ADMIN.password }
  assert.equal((await ada.put('/web/password', restored)).status, 200)
})

test('any password is accepted that is long enough and not common', async () => {
  const ada = await signIn()
  const cases: Array<[password: string, isAccepted: boolean]> = [
    ['short', false],
    ['1234567', false],
    ['password123', false],
    ['PASSWORD123', false],
    ['        ', true],
    ['x'.repeat(64), true],
    ['👩‍🚀🌍🌈🎹 pass', true],
    ['пароль с пробелами', true],
    ['x'.repeat(1_025), false],
  ]
  let current = ADMIN.password
  for (const [password, isAccepted] of cases) {
    const answer = await ada.put('/web/password', {
      currentPassword: current,
      newPassword: password,
    })
    assert.equal(answer.status, isAccepted ? 200 : 400, password)
    if (isAccepted) current = password
    else assert.match(JSON.stringify(answer.body['details']), /newPassword/)
  }
  const again = await sharedService()
    .anonymousClient()
    .post('/web/sign-in', { email: ADMIN.email, password: current })
  assert.equal(again.status, 200)
  const restored = { currentPassword: current, newPassword: ADMIN.password }
  assert.equal((await ada.put('/web/password', restored)).status, 200)
})

test('a user can list their sessions, end one, and end all others', async () => {
  const service = sharedService()
  const ada = await signIn()
  assert.equal((await ada.delete('/web/sessions')).status, 200)
  const [phone, laptop] = [service.anonymousClient('198.51.100.7'), service.anonymousClient()]
  await phone.post('/web/sign-in', credentials)
  await laptop.post('/web/sign-in', credentials)

  type Row = { id: string; ip: string; isCurrent: boolean }
  const list = async () => (await ada.get('/web/sessions')).body['sessions'] as Row[]
  const rows = await list()
  assert.equal(rows.length, 3)
  assert.equal(rows.filter((row) => row.isCurrent).length, 1)

  const phoneId = rows.find((row) => row.ip === '198.51.100.7')?.id ?? ''
  assert.equal((await ada.delete(`/web/sessions/${phoneId}`)).status, 200)
  assert.equal((await phone.get('/web/tokens')).status, 401)
  assert.equal((await ada.delete(`/web/sessions/${phoneId}`)).status, 404)
  assert.equal((await ada.delete('/web/sessions')).status, 200)
  assert.equal((await laptop.get('/web/tokens')).status, 401)
  assert.equal((await list()).length, 1)
})

test('a session expires after twelve idle hours and at the latest after seven days', async () => {
  const service = sharedService()
  const ada = await signIn()
  for (let day = 0; day < 13; day += 1) {
    clock.advance(11.9 * HOUR)
    assert.equal((await ada.get('/web/tokens')).status, 200, `after ${(day + 1) * 11.9} hours`)
  }
  clock.advance(24 * HOUR - 13 * 0.1 * HOUR)
  assert.equal((await ada.get('/web/tokens')).status, 401)

  const idle = service.anonymousClient()
  await idle.post('/web/sign-in', credentials)
  clock.advance(12 * HOUR + 1)
  assert.equal((await idle.get('/web/tokens')).status, 401)
})

test('a user cannot end the session of another user', async () => {
  const service = sharedService()
  const ada = await signIn()
  const { client: bob } = await invitePerson(service, ada)
  const [session] = (await ada.get('/web/sessions')).body['sessions'] as Array<{ id: string }>
  assert.equal((await bob.delete(`/web/sessions/${session?.id}`)).status, 404)
  assert.equal((await ada.get('/web/tokens')).status, 200)
})

test('no value stored in the database works as a session cookie', async () => {
  const service = sharedService()
  const ada = await signIn()
  const client = new Client({ connectionString: service.databaseUrl })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>('select * from session')
  await client.end()
  const thief = service.anonymousClient()
  for (const value of Object.values(rows[0] ?? {})) {
    const texts = Buffer.isBuffer(value)
      ? [value.toString('hex'), value.toString('base64'), value.toString('base64url')]
      : [String(value)]
    for (const text of texts) {
      assert.notEqual(`hansard=${text}`, ada.cookie)
      thief.cookie = `hansard=${encodeURIComponent(text)}`
      assert.equal((await thief.get('/web/tokens')).status, 401)
    }
  }
})
