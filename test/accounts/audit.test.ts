import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startService, type TestService } from '../support/service/start-service.ts'

type Entry = Record<'id' | 'at' | 'actor' | 'action', string> &
  Record<'actorName' | 'actorEmail' | 'object' | 'objectName' | 'objectEmail', string | null> &
  Record<'detail' | 'ip', string | null>

const shared = openForFile(async () => {
  const service = await startService()
  return Object.assign(service, { ada: await service.adminClient() })
})

const join = (service: TestService & { ada: HttpClient }, role: 'admin' | 'member' = 'member') =>
  invitePerson(service, service.ada, { role })

async function read(client: HttpClient, query: string): Promise<Entry[]> {
  const { status, body } = await client.get(`/web/audit?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body['entries'] as Entry[]
}

test('an admin changes role and email address, both audited with what changed; the last admin stays', async () => {
  const service = shared()
  const { ada } = service
  const { client, id, email, name } = await join(service)
  const path = `/web/users/${id}`
  const change = async (body: object) => (await ada.put(path, body)).body
  assert.partialDeepStrictEqual(await change({ role: 'admin' }), { user: { role: 'admin' } })
  assert.equal((await client.get('/web/people')).status, 200)
  assert.partialDeepStrictEqual(await change({ role: 'member', email: `NEW-${email}` }), {
    user: { role: 'member', email: `new-${email}` },
  })
  assert.equal((await client.get('/web/people')).status, 403)
  const signIn = { email: `new-${email}`, password: 'a long enough one' }
  assert.equal((await service.anonymousClient().post('/web/sign-in', signIn)).status, 200)
  assert.equal((await change({ email: 'ada@example.com' })).code, 'email_taken')
  assert.equal((await change({})).code, 'invalid_request')
  assert.equal(
    (await ada.put('/web/users/usr_none', { role: 'admin' })).body.code,
    'user_not_found',
  )
  assert.equal((await client.put(path, { role: 'admin' })).status, 403)

  const entries = (await read(ada, `object=${id}`)).filter(({ action }) =>
    action.endsWith('changed'),
  )
  assert.deepEqual(
    entries.map(({ action, detail, actorName, objectName }) => [
      action,
      detail,
      actorName,
      objectName,
    ]),
    [
      ['email changed', `${email} → new-${email}`, 'Ada', name],
      ['role changed', 'admin → member', 'Ada', name],
      ['role changed', 'member → admin', 'Ada', name],
    ],
  )
  const addresses = ['ada@example.com', `new-${email}`]
  for (const { actorEmail, objectEmail } of entries)
    assert.deepEqual([actorEmail, objectEmail], addresses)
  const { user } = (await ada.get('/web/state')).body as { user: { id: string } }
  const last = await ada.put(`/web/users/${user.id}`, { role: 'member' })
  assert.equal(last.body.code, 'last_admin')
})

test('a reset link sets a password once, ends sessions and replaces an earlier link', async () => {
  const service = shared()
  const { ada } = service
  const { client, id, email, name } = await join(service)
  const createLink = async () => {
    const { status, body } = await ada.post(`/web/users/${id}/reset-link`)
    assert.equal(status, 201)
    assert.ok(String(body['link']).startsWith(`${service.url}/reset#`))
    return String(body['link']).split('#')[1]
  }
  const first = await createLink()
  const code = await createLink()
  const browser = service.anonymousClient()
  const reset = (body: object) => browser.post('/web/password-reset', body)
  const password = 'quite another secret'
  assert.equal((await reset({ code: first, password })).body.code, 'invalid_code')
  assert.deepEqual((await browser.post('/web/password-reset/check', { code })).body, {
    name,
    email,
  })
  assert.equal((await reset({ code, password: 'short' })).body.code, 'invalid_request')
  assert.equal((await client.get('/web/sessions')).status, 200)

  assert.equal((await reset({ code, password })).status, 200)
  assert.equal((await browser.get('/web/sessions')).status, 200)
  assert.equal((await client.get('/web/sessions')).status, 401)
  assert.equal((await reset({ code, password })).body.code, 'invalid_code')
  const signIn = (text: string) =>
    service.anonymousClient().post('/web/sign-in', { email, password: text })
  assert.deepEqual(
    [(await signIn('a long enough one')).status, (await signIn(password)).status],
    [401, 200],
  )
  assert.equal((await client.post(`/web/users/${id}/reset-link`)).status, 401)
  const entries = await read(ada, `object=${id}`)
  assert.deepEqual(
    entries.map(({ actor, action }) => [actor === `user:${id}`, action]).slice(0, 4),
    [
      // The failed sign-in with the old password.
      [false, 'sign-in failed'],
      [true, 'password reset'],
      [false, 'reset link created'],
      [false, 'reset link created'],
    ],
  )
  assert.equal(entries[1]?.detail, 'link created by Ada <ada@example.com>')
  const methods = (await read(ada, `actor=user:${id}&action=signed%20in`)).map((row) => row.detail)
  assert.deepEqual(methods, ['password', 'reset link', 'invitation'])
})

test('the audit log says which rights a token got, and who was invited, created and removed', async () => {
  const service = shared()
  const { ada } = service
  const backup = await ada.createToken({ name: 'backup', kind: 'service' })
  const narrow = await ada.createToken({
    name: 'narrow',
    scopes: ['read', 'tasks'],
    projects: ['zoo', 'farm'],
  })
  const detailOf = async (id: string, action: string) =>
    (await read(ada, `object=${id}&action=${encodeURIComponent(action)}`))[0]?.detail
  assert.equal(await detailOf(backup.id, 'token created'), 'service; all permissions; all projects')
  assert.equal(
    await detailOf(narrow.id, 'token created'),
    'personal; permissions read, tasks; projects zoo, farm',
  )
  await ada.post('/web/invitations', { role: 'admin', email: 'new@example.com' })
  const [invited] = await read(ada, 'action=user%20invited&limit=1')
  assert.equal(invited?.detail, 'new@example.com, admin')
  const { id, email, name } = await join(service)
  await ada.delete(`/web/users/${id}`)
  assert.equal(await detailOf(id, 'user created'), `${name} <${email}>, member`)
  assert.equal(await detailOf(id, 'user removed'), `${name} <${email}>, member`)
})

test('a demoted admin loses the open invitations, reset links and service tokens with the role', async () => {
  const service = shared()
  const { ada } = service
  const eve = await join(service, 'admin')
  const bob = await join(service)
  const codeOf = ({ body }: { body: Record<string, unknown> }) => String(body['link']).split('#')[1]
  const invitation = codeOf(await eve.client.post('/web/invitations', { role: 'admin' }))
  const reset = codeOf(await eve.client.post(`/web/users/${bob.id}/reset-link`))
  const kept = await eve.client.createToken({ name: 'kept', kind: 'service' })
  const path = `/web/users/${eve.id}`
  const demoted = await ada.put(path, { role: 'member' })
  assert.equal(demoted.body['revokedTokens'], 0)
  const browser = service.anonymousClient()
  const refused = [
    await browser.post('/web/invitation/check', { code: invitation }),
    await browser.post('/web/password-reset/check', { code: reset }),
  ]
  assert.deepEqual(
    refused.map(({ body }) => body.code),
    ['invalid_code', 'invalid_code'],
  )
  const statusOf = async () => {
    const headers = { 'x-api-key': kept.apiKey }
    return (await browser.get('/api/v1/token', headers)).status
  }
  assert.equal(await statusOf(), 200)
  assert.deepEqual((await eve.client.get('/web/tokens')).body['tokens'], [])
  const rotated = await eve.client.post(`/web/tokens/${kept.id}/next-secret`)
  assert.equal(rotated.body.code, 'token_not_found')
  const again = await ada.put(path, { role: 'member', tokens: 'revoke' })
  assert.equal(again.body['revokedTokens'], 1)
  assert.equal(await statusOf(), 401)
  const withdrawn = ['invitation withdrawn', 'reset link withdrawn', 'token revoked']
  const recent = (await read(ada, 'limit=5')).map(({ action }) => action)
  assert.deepEqual(recent.filter((action) => withdrawn.includes(action)).toSorted(), withdrawn)
})

test('the audit log is filtered, paged by cursor and exported as CSV and JSON lines', async () => {
  const service = shared()
  const { ada } = service
  const { client, id } = await join(service)
  for (const name of ['=cmd()', 'B, "C"', 'D']) await client.put('/web/profile', { name })
  const filter = `actor=user:${id}&action=profile%20changed`
  const all = await read(ada, filter)
  assert.equal(all.length, 3)
  const paged: Entry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await ada.get(`/web/audit?${filter}&limit=2${cursor && `&cursor=${cursor}`}`)
    paged.push(...(body['entries'] as Entry[]))
    cursor = body['nextCursor'] as string | null
  }
  assert.deepEqual(paged, all)
  const at = all[1]?.at ?? ''
  const times = await Promise.all([
    read(ada, `${filter}&from=${at}`),
    read(ada, `${filter}&to=${at}`),
  ])
  assert.deepEqual(times.flat(), all)

  await client.put('/web/profile', { name: '=cmd()' })
  const csv = (await ada.get(`/web/audit/export?${filter}`)).body['text']
  assert.match(
    String(csv),
    /^id,at,actor,actorName,actorEmail,action,object,objectName,objectEmail,detail,ip\r\n/,
  )
  assert.match(String(csv), /,'=cmd\(\),[^,]+,profile changed,/)
  const exported = await ada.get(`/web/audit/export?${filter}&format=jsonl`)
  assert.match(exported.headers.get('content-disposition') ?? '', /audit\.jsonl/)
  const lines = String(exported.body['text']).trim().split('\n')
  assert.deepEqual(
    lines.slice(1).map((line) => (JSON.parse(line) as Entry).id),
    all.map((entry) => entry.id),
  )
  for (const wrong of ['action=nothing', 'from=yesterday', 'cursor=WyJ4Il0', 'limit=0'])
    assert.equal((await ada.get(`/web/audit?${wrong}`)).status, 400, wrong)
  assert.equal((await client.get('/web/audit')).status, 403)
})

test('the audit log names removed people by their last email address', async () => {
  const service = shared()
  const { ada } = service
  const { client, id, email } = await join(service)
  await client.put('/web/profile', { name: 'Going' })
  await ada.delete(`/web/users/${id}`)
  const [changed] = await read(ada, `actor=user:${id}&action=profile%20changed`)
  assert.partialDeepStrictEqual(changed, { actorName: null, actorEmail: email, objectEmail: email })
  const [removed] = await read(ada, `object=${id}&action=user%20removed`)
  assert.partialDeepStrictEqual(removed, { actorEmail: 'ada@example.com', objectEmail: email })
})

test('an API key without restrictions reads the audit log if it is of the service or its creator is an admin now', async () => {
  const service = shared()
  const { ada } = service
  const eve = await join(service, 'admin')
  const bob = await join(service)
  const statusOf = async ({ apiKey }: { apiKey: string }, path = '/api/v1/audit') => {
    const headers = { 'x-api-key': apiKey }
    const { status, body } = await service.anonymousClient().get(path, headers)
    return `${status} ${body.code ?? ''}`.trim()
  }
  const eves = await eve.client.createToken()
  assert.equal(await statusOf(eves), '200')
  assert.equal(await statusOf(eves, '/api/v1/audit/export'), '200')
  const read = await eve.client.createToken({ name: 'narrow', scopes: ['read'] })
  assert.equal(await statusOf(read), '403 admin_key_needed')
  const narrowed = await eve.client.createToken({ name: 'narrowed', projects: ['zoo'] })
  assert.equal(await statusOf(narrowed), '403 admin_key_needed')
  const ofService = { name: 'backup', kind: 'service' }
  const services = await eve.client.createToken(ofService)
  const narrowedService = await eve.client.createToken({ ...ofService, projects: ['zoo'] })
  assert.equal(await statusOf(narrowedService), '403 admin_key_needed')
  assert.equal(await statusOf(await bob.client.createToken()), '403 admin_key_needed')
  await ada.put(`/web/users/${eve.id}`, { role: 'member' })
  assert.equal(await statusOf(eves), '403 admin_key_needed')
  assert.equal(await statusOf(services), '403 admin_key_needed')
  assert.equal(await statusOf(eves, '/api/v1/token'), '200')
  await ada.put(`/web/users/${eve.id}`, { role: 'admin' })
  assert.equal(await statusOf(eves), '200')
  assert.equal(await statusOf(services), '200')
  await ada.delete(`/web/users/${eve.id}`)
  assert.equal(await statusOf(eves), '401 invalid_api_key')
  // A removed user's service token stays valid, but not for this.
  assert.equal(await statusOf(services), '403 admin_key_needed')
  assert.equal(await statusOf(services, '/api/v1/token'), '200')
})
