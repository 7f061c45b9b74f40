import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualClock } from '../support/time/manual-clock.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { startService, type TestService } from '../support/service/start-service.ts'

type Person = { name: string; email: string; password: string }

/** A person with an email address that no other test uses. */
function createBob(name = 'Bob'): Person {
  people += 1
  return { name, email: `bob-${people}@example.com`, password: 'bobs own secret' }
}
let people = 0

const sharedService = openForFile(async () => {
  const service = await startService()
  return Object.assign(service, { ada: await service.adminClient() })
})

/** Two tests set the time of this service. The second one lets the first user's session expire. */
const clock = createManualClock()
const timedService = startServiceForFile({}, { clock })

async function invite(admin: HttpClient, body: Record<string, unknown>): Promise<string> {
  const answer = await admin.post('/web/invitations', body)
  assert.equal(answer.status, 201)
  return (answer.body['link'] as string).split('#')[1] ?? ''
}

async function join(service: TestService, code: string, person = createBob()): Promise<HttpClient> {
  const client = service.anonymousClient()
  const answer = await client.post('/web/invitation/accept', { code, ...person })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return client
}

test('an invitation link works once', async () => {
  const service = sharedService()
  const { ada } = service
  const code = await invite(ada, { role: 'member' })
  assert.equal(
    (await service.anonymousClient().post('/web/invitation/check', { code })).status,
    200,
  )
  const bob = await join(service, code)
  assert.partialDeepStrictEqual((await bob.get('/web/state')).body['user'], { role: 'member' })

  const again = await service
    .anonymousClient()
    .post('/web/invitation/accept', { ...createBob(), code })
  assert.equal(again.body.code, 'invalid_code')
})

test('a name with control characters is refused at sign-up and in the profile', async () => {
  const service = sharedService()
  const { ada } = service
  const code = await invite(ada, { role: 'member' })
  for (const name of ['Bob\u001B[2J', 'Bob\nEve', 'B\u0000b', 'Bob\u009B1m']) {
    const accept = await service
      .anonymousClient()
      .post('/web/invitation/accept', { ...createBob(name), code })
    assert.equal(accept.status, 400, JSON.stringify(name))
    const answer = await ada.put('/web/profile', { name })
    assert.equal(answer.status, 400, JSON.stringify(name))
  }
  await join(service, code, createBob(' Bób Ünver–山田 '))
})

test('an invitation refuses another email address and stays valid', async () => {
  const service = sharedService()
  const { ada } = service
  const bob = createBob()
  const email = bob.email.replace('bob', 'Bob').replace('example', 'Example')
  const code = await invite(ada, { email, role: 'member' })
  const other = await service
    .anonymousClient()
    .post('/web/invitation/accept', { ...createBob(), code })
  assert.equal(other.status, 400)
  await join(service, code, bob)
})

test('an invited user may have an email address whose host has no dot', async () => {
  const service = sharedService()
  const { ada } = service
  const email = 'bob@localhost'
  const code = await invite(ada, { email, role: 'member' })
  const bob = { ...createBob(), email }
  await join(service, code, bob)
  const signIn = { email: 'Bob@LOCALHOST', password: bob.password }
  assert.equal((await service.anonymousClient().post('/web/sign-in', signIn)).status, 200)
  for (const wrong of ['bob', 'bob@', '@localhost', 'bob@local host', 'bob@-x', 'a@b@localhost']) {
    const answer = await ada.post('/web/invitations', { email: wrong, role: 'member' })
    assert.partialDeepStrictEqual(answer.body['details'], [{ path: 'email' }], wrong)
  }
})

test('members cannot list, invite or remove users', async () => {
  const service = sharedService()
  const { ada } = service
  const bob = await join(service, await invite(ada, { role: 'member' }))
  const [someone] = (await ada.get('/web/people')).body['users'] as Array<{ id: string }>
  const answers = [
    await bob.get('/web/people'),
    await bob.post('/web/invitations', { role: 'admin' }),
    await bob.delete(`/web/users/${someone?.id}`),
    await bob.delete('/web/invitations/inv_x'),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 403, 403],
  )
})

test('a token is seen, rotated and revoked only by its creator and by admins', async () => {
  const service = sharedService()
  const { ada } = service
  const person = createBob()
  const bob = await join(service, await invite(ada, { role: 'member' }), person)
  const eve = await join(service, await invite(ada, { role: 'member' }))
  const { id, apiKey } = await bob.createToken()
  const path = `/web/tokens/${id}/next-secret`
  const refusals = async (client: HttpClient, tokenId: string) => {
    const token = `/web/tokens/${tokenId}`
    const answers = [
      await client.post(`${token}/next-secret`),
      await client.post(`${token}/next-secret/activate`),
      await client.delete(`${token}/next-secret`),
      await client.delete(token),
      await client.delete(`${token}?meetings=stop`),
    ]
    for (const { body } of answers) assert.doesNotMatch(JSON.stringify(body), /ss_/)
    return answers.map(({ status, body }) => `${status} ${body.code}`)
  }
  const NOT_FOUND = Array.from({ length: 5 }, () => '404 token_not_found')
  assert.deepEqual(await refusals(eve, id), NOT_FOUND)
  assert.equal((await bob.post(path)).status, 201)
  assert.deepEqual(await refusals(eve, id), NOT_FOUND)
  assert.equal((await ada.post(`${path}/activate`)).status, 200)
  const key = { 'x-api-key': apiKey }
  assert.equal((await service.anonymousClient().get('/api/v1/token', key)).status, 200)

  const isListed = async (client: HttpClient) => {
    const { tokens } = (await client.get('/web/tokens')).body as { tokens?: Array<{ id: string }> }
    return tokens?.some((token) => token.id === id)
  }
  assert.deepEqual(
    [await isListed(ada), await isListed(bob), await isListed(eve)],
    [true, true, false],
  )
  // A token from the command line has no creator, like a removed user's token.
  const users = (await ada.get('/web/people')).body['users'] as Array<
    Record<'id' | 'email', string>
  >
  const bobsId = users.find(({ email }) => email === person.email)?.id
  assert.equal((await ada.delete(`/web/users/${bobsId}`)).status, 200)
  assert.deepEqual(await refusals(eve, id), NOT_FOUND)
  assert.deepEqual(await refusals(eve, 'tok_nothing'), NOT_FOUND)
  assert.equal((await ada.delete(`/web/tokens/${id}`)).status, 200)
})

test('removing a user ends their session and revokes their tokens when requested, and the last admin stays', async () => {
  const service = timedService()
  const ada = await service.adminClient()
  const person = createBob()
  const bob = await join(service, await invite(ada, { role: 'member' }), person)
  const expiresAt = new Date(clock.now().getTime() + 1_000).toISOString()
  const short = await bob.createToken({ name: 'short', expiresAt })
  const gone = await bob.createToken({ name: 'gone' })
  await bob.delete(`/web/tokens/${gone.id}`)
  const [one, two] = [await bob.createToken(), await bob.createToken()]
  const adas = await ada.createToken()
  clock.advance(2)
  const statusOf = async ({ apiKey }: { apiKey: string }) =>
    (await service.anonymousClient().get('/api/v1/token', { 'x-api-key': apiKey })).status
  assert.deepEqual(
    await Promise.all([short, gone, one, two, adas].map(statusOf)),
    [401, 401, 200, 200, 200],
  )
  type Row = { id: string; email: string; liveTokens: number }
  const users = (await ada.get('/web/people')).body['users'] as Row[]
  assert.deepEqual(
    users.map(({ email, liveTokens }) => [email, liveTokens]),
    [
      ['ada@example.com', 1],
      [person.email, 2],
    ],
  )
  const path = `/web/users/${users[1]?.id}`
  assert.equal((await ada.delete(`${path}?tokens=keep`)).status, 400)
  const removed = await ada.delete(`${path}?tokens=revoke`)
  assert.deepEqual(removed.body, { success: true, revokedTokens: 2 })
  assert.deepEqual(await Promise.all([one, two, adas].map(statusOf)), [401, 401, 200])
  assert.equal((await bob.get('/web/tokens')).status, 401)
  assert.equal((await ada.delete(`/web/users/${users[0]?.id}`)).body.code, 'last_admin')
})

test('an invitation can be withdrawn and expires after a week', async () => {
  const service = timedService()
  const ada = await service.adminClient()
  const code = await invite(ada, { role: 'member' })
  const list = async () =>
    (await ada.get('/web/people')).body['invitations'] as Array<{ id: string }>
  const [open] = await list()
  assert.equal((await ada.delete(`/web/invitations/${open?.id}`)).status, 200)
  assert.equal(
    (await service.anonymousClient().post('/web/invitation/check', { code })).status,
    403,
  )

  const late = await invite(ada, { role: 'member' })
  clock.advance(7 * 86_400 + 1)
  assert.equal(
    (await service.anonymousClient().post('/web/invitation/check', { code: late })).status,
    403,
  )
})

test('a token shows its creator’s latest name, even after the creator is removed', async () => {
  const service = sharedService()
  const { ada } = service
  const person = createBob()
  const bob = await join(service, await invite(ada, { role: 'member' }), person)
  await bob.createToken({ name: 'before' })
  await bob.put('/web/profile', { name: 'Robert' })
  await bob.createToken({ name: 'after' })
  await ada.createToken({ name: 'adas' })
  const creators = async () => {
    const { body } = await ada.get('/web/tokens')
    const tokens = body['tokens'] as Array<{ name: string; createdBy: string | null }>
    return tokens
      .map(({ name, createdBy }) => [name, createdBy])
      .filter(([name]) => ['before', 'after', 'adas'].includes(name ?? ''))
  }
  const expected = [
    ['before', 'Robert'],
    ['after', 'Robert'],
    ['adas', 'Ada'],
  ]
  assert.deepEqual(await creators(), expected)
  const users = (await ada.get('/web/people')).body['users'] as Array<{ id: string; email: string }>
  const { id } = users.find(({ email }) => email === person.email) ?? {}
  const removed = await ada.delete(`/web/users/${id}`)
  assert.deepEqual(removed.body, { success: true, revokedTokens: 2 })
  assert.deepEqual(await creators(), expected)
})

test('an email address belongs to one user', async () => {
  const service = sharedService()
  const { ada } = service
  const code = await invite(ada, { role: 'member' })
  const answer = await service
    .anonymousClient()
    .post('/web/invitation/accept', { ...createBob(), code, email: 'ada@example.com' })
  assert.equal(answer.status, 409)
  await join(service, code)
})
