import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  IssuerMismatchError,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import { deleteExpiredOAuthRows } from '../../src/accounts/oauth/create-grant.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { ISSUER, openOAuthWorld, urlOf } from './oauth-world.ts'
import { openForFile } from '../support/open-for-file.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startService } from '../support/service/start-service.ts'
import { postJson, TestAssistant } from '../support/sign-in/test-assistant.ts'

const opened = openForFile(openOAuthWorld)

test('a request without a token says where to find the authorization server', async () => {
  const { service, get } = opened()
  const mcp = await fetch(`${urlOf(service)}/mcp`, { method: 'POST' })
  assert.equal(mcp.status, 401)
  const challenge = mcp.headers.get('www-authenticate') ?? ''
  const url = `${ISSUER}/.well-known/oauth-protected-resource/mcp`
  assert.equal(challenge, `Bearer realm="api", resource_metadata="${url}"`)
  const refused = await fetch(`${urlOf(service)}/api/v1/meetings`, {
    headers: { authorization: 'Bearer wrong' },
  })
  assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_token".*\/api\/v1"$/)

  const resource = await get('/.well-known/oauth-protected-resource/mcp')
  assert.partialDeepStrictEqual(resource.body, {
    resource: `${ISSUER}/mcp`,
    authorization_servers: [ISSUER],
  })
  const server = await get('/.well-known/oauth-authorization-server')
  assert.partialDeepStrictEqual(server.body, {
    issuer: ISSUER,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
  assert.equal((await fetch(`${urlOf(service)}/.well-known/openid-configuration`)).status, 404)
})

test('a person connects an assistant, which acts with what they allowed', async () => {
  const { register, ada, ben, service, findToken, readAudit } = opened()
  const assistant = await register()
  const shown = await assistant.review(ben)
  assert.partialDeepStrictEqual(shown.body, {
    assistant: { name: 'Helper', host: 'assistant.example', isVerified: false },
    canWrite: true,
    problem: null,
  })
  const redirect = await assistant.consent(ben, { projects: ['handbook'] })
  assert.equal(redirect.origin + redirect.pathname, assistant.redirectUri)
  // A client that also began at another server notices that the answer is not from there.
  const iss = redirect.searchParams.get('iss') ?? undefined
  const check = { iss, issParameterSupported: true }
  validateAuthorizationResponseIssuer({ ...check, expectedIssuer: ISSUER })
  const mixedUp = { ...check, expectedIssuer: 'https://evil.example' }
  assert.throws(() => validateAuthorizationResponseIssuer(mixedUp), IssuerMismatchError)
  assert.equal(redirect.searchParams.get('state'), 'any state & more')
  const { status, body, headers } = await assistant.redeem(redirect.searchParams.get('code') ?? '')
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.partialDeepStrictEqual(body, { token_type: 'Bearer', expires_in: 3_600, scope: 'read' })
  const access = String(body['access_token'])
  assert.equal(await assistant.callTool(access), 200)

  const token = await findToken()
  assert.partialDeepStrictEqual(token, {
    kind: 'personal',
    scopes: ['read'],
    projects: ['handbook'],
    revokedAt: null,
    assistant: { host: 'assistant.example', isVerified: false },
  })
  assert.deepEqual(await readAudit(String(token['id'])), ['assistant connected'])
  const own = (await ben.get('/web/tokens')).body
  assert.equal(own['assistantAddress'], `${ISSUER}/mcp`)
  const listed = JSON.stringify([own, (await ada.get('/web/tokens')).body])
  assert.ok(!listed.includes(access) && !listed.includes(String(body['refresh_token'])))

  // The token of the assistant's address does not open the API, and the other way around.
  const asBearer = { headers: { authorization: `Bearer ${access}` } }
  assert.equal((await fetch(`${urlOf(service)}/api/v1/token`, asBearer)).status, 401)
  const forApi = await register()
  const resource = `${ISSUER}/api/v1`
  const { access: apiToken } = await forApi.connect(ben, { canWrite: true }, { resource })
  const current = await fetch(`${urlOf(service)}/api/v1/token`, {
    headers: { authorization: `Bearer ${apiToken}` },
  })
  assert.partialDeepStrictEqual(await current.json(), {
    token: { scopes: ['read', 'meetings', 'tasks'] },
  })
  assert.equal(await forApi.callTool(apiToken), 401)

  await ada.delete(`/web/tokens/${String(token['id'])}`)
  assert.equal(await assistant.callTool(access), 401)
  assert.equal(
    (await assistant.refresh(String(body['refresh_token']))).body['error'],
    'invalid_grant',
  )
})

test('a code works once, and only with its client, address, verifier and resource', async () => {
  const { register, ada, findToken, readAudit } = opened()
  const assistant = await register()
  const other = await register()
  const { searchParams } = await assistant.consent(ada)
  const code = searchParams.get('code') ?? ''
  const wrong: Array<[string, Record<string, string | undefined>]> = [
    ['invalid_request', { code_verifier: undefined }],
    ['invalid_request', { code_verifier: 'too short' }],
    ['invalid_grant', { code_verifier: randomBytes(32).toString('base64url') }],
    ['invalid_grant', { client_id: other.clientId }],
    ['invalid_grant', { client_id: undefined }],
    ['invalid_grant', { redirect_uri: 'https://assistant.example/other' }],
    ['invalid_target', { resource: `${ISSUER}/api/v1` }],
    ['invalid_target', { resource: 'https://elsewhere.example/mcp' }],
    ['unsupported_grant_type', { grant_type: 'password' }],
  ]
  for (const [error, changes] of wrong) {
    const answer = await assistant.redeem(code, changes)
    assert.deepEqual([answer.status, answer.body['error']], [400, error], JSON.stringify(changes))
  }
  const first = await assistant.redeem(code)
  const access = String(first.body['access_token'])
  assert.equal(await assistant.callTool(access), 200)
  const again = await assistant.redeem(code)
  assert.deepEqual([again.status, again.body['error']], [400, 'invalid_grant'])
  assert.equal(await assistant.callTool(access), 401)
  const { id, revokedAt } = await findToken()
  assert.ok(revokedAt)
  const actions = ['token revoked', 'assistant token reused', 'assistant connected']
  assert.deepEqual(await readAudit(String(id)), actions)
})

test('of many requests with one code no tokens stay valid, and with one refresh token only the last ones', async () => {
  const { register, ada } = opened()
  const assistant = await register()
  const { searchParams } = await assistant.consent(ada)
  const code = searchParams.get('code') ?? ''
  const answers = await Promise.all(Array.from({ length: 6 }, () => assistant.redeem(code)))
  const issued = answers.filter(({ status }) => status === 200)
  assert.equal(issued.length, 1)
  assert.equal(await assistant.callTool(String(issued[0]?.body['access_token'])), 401)

  const tokens = await assistant.connect(ada)
  const refreshed = await Promise.all(
    Array.from({ length: 6 }, () => assistant.refresh(tokens.refresh)),
  )
  assert.ok(refreshed.every(({ status }) => status === 200))
  const valid: typeof refreshed = []
  for (const one of refreshed)
    if ((await assistant.callTool(String(one.body['access_token']))) === 200) valid.push(one)
  assert.equal(valid.length, 1)
  const replaced = refreshed.find((one) => one !== valid[0])
  const refused = await assistant.refresh(String(replaced?.body['refresh_token']))
  assert.equal(refused.body['error'], 'invalid_grant')
  assert.equal(await assistant.callTool(String(valid[0]?.body['access_token'])), 401)
})

test('a refresh whose response was lost can be repeated for a minute, until the new token is used', async () => {
  const { register, ada, service } = opened()
  const assistant = await register()
  const { refresh } = await assistant.connect(ada)
  const lost = await assistant.refresh(refresh)
  const repeated = await assistant.refresh(refresh)
  assert.equal(repeated.status, 200)
  assert.equal(await assistant.callTool(String(lost.body['access_token'])), 401)
  const access = String(repeated.body['access_token'])
  assert.equal(await assistant.callTool(access), 200)
  const other = await register()
  const byOther = { client_id: other.clientId }
  assert.equal((await assistant.refresh(refresh, byOther)).body['error'], 'invalid_grant')
  assert.equal(await assistant.callTool(access), 200)
  assert.equal((await assistant.refresh(String(repeated.body['refresh_token']))).status, 200)
  assert.equal((await assistant.refresh(refresh)).body['error'], 'invalid_grant')

  const late = await register()
  const tokens = await late.connect(ada)
  const first = await late.refresh(tokens.refresh)
  const { db, close } = await connectToDatabase(
    { connectionString: service.databaseUrl },
    { max: 1, log: createLog('silent') },
  )
  await db
    .updateTable('oauth_secret')
    .set({ used_at: new Date(Date.now() - 61_000) })
    .where('used_at', 'is not', null)
    .execute()
  await close()
  assert.equal((await late.refresh(tokens.refresh)).body['error'], 'invalid_grant')
  assert.equal(await late.callTool(String(first.body['access_token'])), 401)
})

test('a refresh token is replaced with each use, and a second use ends the connection', async () => {
  const { register, ada, findToken, readAudit } = opened()
  const assistant = await register()
  const stolen = await assistant.connect(ada)
  const other = await register()
  const wrong: Array<[string, Record<string, string>]> = [
    ['invalid_grant', { client_id: other.clientId }],
    ['invalid_target', { resource: `${ISSUER}/api/v1` }],
    ['invalid_scope', { scope: 'read write' }],
  ]
  for (const [error, changes] of wrong)
    assert.equal((await assistant.refresh(stolen.refresh, changes)).body['error'], error)
  const { body } = await assistant.refresh(stolen.refresh)
  const next = await assistant.refresh(String(body['refresh_token']))
  const access = String(next.body['access_token'])
  assert.equal(await assistant.callTool(access), 200)
  assert.equal((await assistant.refresh(stolen.refresh)).body['error'], 'invalid_grant')
  assert.equal(await assistant.callTool(access), 401)
  assert.equal((await assistant.refresh(String(body['refresh_token']))).status, 400)
  const { id } = await findToken()
  assert.ok((await readAudit(String(id))).includes('assistant token reused'))
})

test('an assistant revokes its tokens, but not those of another assistant', async () => {
  const { register, ada } = opened()
  const assistant = await register()
  const tokens = await assistant.connect(ada)
  const other = await register()
  assert.equal((await other.revoke(tokens.refresh)).status, 200)
  assert.equal(await assistant.callTool(tokens.access), 200)
  assert.equal((await assistant.revoke(tokens.access)).status, 200)
  assert.equal(await assistant.callTool(tokens.access), 401)
  const { body } = await assistant.refresh(tokens.refresh)
  const [access, refresh] = [String(body['access_token']), String(body['refresh_token'])]
  assert.equal(await assistant.callTool(access), 200)
  assert.equal((await assistant.revoke(refresh)).status, 200)
  assert.equal(await assistant.callTool(access), 401)
  assert.equal((await assistant.revoke('or_unknown')).status, 200)
})

test('the tokens of a removed person end at once', async () => {
  const { register, ada, service } = opened()
  const carl = await invitePerson(service, ada)
  const assistant = await register()
  const tokens = await assistant.connect(carl.client)
  const waiting = await assistant.consent(carl.client)
  assert.equal(await assistant.callTool(tokens.access), 200)
  assert.equal((await ada.delete(`/web/users/${carl.id}`)).status, 200)
  assert.equal(await assistant.callTool(tokens.access), 401)
  assert.equal((await assistant.refresh(tokens.refresh)).status, 400)
  assert.equal((await assistant.redeem(waiting.searchParams.get('code') ?? '')).status, 400)
})

test('a request with a problem is answered at the address of the assistant, with the issuer', async () => {
  const { register, ada } = opened()
  const assistant = await register()
  const wrong: Array<[string, Record<string, string | undefined>]> = [
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_request', { request_uri: 'https://elsewhere.example' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_target', { resource: 'https://elsewhere.example/mcp' }],
    ['invalid_scope', { scope: 'admin' }],
  ]
  for (const [error, changes] of wrong) {
    const { status, body } = await assistant.review(ada, changes)
    assert.deepEqual([status, body['ticket']], [200, null], JSON.stringify(changes))
    const { searchParams } = new URL(String(body['refuseUrl']))
    assert.equal(searchParams.get('error'), error)
    assert.equal(searchParams.get('iss'), ISSUER)
    assert.equal(searchParams.get('state'), 'any state & more')
  }
  const { body: readOnly } = await assistant.review(ada, { scope: 'read offline_access' })
  assert.equal(readOnly['canWrite'], false)
  const tooMuch = { ticket: readOnly['ticket'], canWrite: true }
  assert.equal((await ada.post('/web/assistants/allow', tooMuch)).body.code, 'consent_outdated')
})

test('nothing is sent to an address that the assistant has not registered', async () => {
  const { register, ada, service } = opened()
  const assistant = await register('https://assistant.example/callback')
  const local = await register('http://127.0.0.1:5555/callback')
  const wrong = [
    'https://assistant.example/callback/more',
    'https://assistant.example/callback?next=x',
    'https://assistant.example/callback#x',
    'https://assistant.example/callback/../other',
    'https://assistant.example.evil.example/callback',
    'https://user@assistant.example/callback',
    'https://assistant.example@evil.example/callback',
    'https://assistant.example:8443/callback',
    'http://assistant.example/callback',
    'javascript:alert(1)',
    '',
  ]
  for (const redirect_uri of wrong) {
    const { status, body } = await assistant.review(ada, { redirect_uri })
    assert.deepEqual([status, body.code], [400, 'invalid_assistant_request'], redirect_uri)
  }
  // Only a program on the same machine may listen on another port.
  const elsewhere = { redirect_uri: 'http://127.0.0.1:6666/callback' }
  assert.equal((await local.review(ada, elsewhere)).status, 200)
  for (const redirect_uri of ['http://localhost:5555/callback', 'http://127.0.0.1:5555/other'])
    assert.equal((await local.review(ada, { redirect_uri })).status, 400, redirect_uri)
  assert.equal((await assistant.review(ada, { client_id: 'client_unknown' })).status, 400)
  const repeated = `client_id=${assistant.clientId}&client_id=other`
  const request = `q${Buffer.from(repeated).toString('base64url')}`
  assert.equal((await ada.post('/web/assistants/review', { request })).status, 400)
  const refused = [
    'http://evil.example/',
    'javascript:alert(1)',
    'https://a@b.example/',
    'https://b.example/#x',
    'https://b.example/a/../b',
    'https://B.example/',
    'https://b.example/ä',
    'not a url',
    '//x',
  ]
  for (const uri of refused) {
    const { status, body } = await postJson(urlOf(service), '/oauth/register', {
      redirect_uris: [uri],
    })
    assert.deepEqual([status, body['error']], [400, 'invalid_redirect_uri'], uri)
  }
})

test('a consent belongs to the session that was shown the page', async () => {
  const { register, ada, ben, service, query } = opened()
  const assistant = await register()
  const { body } = await assistant.review(ada)
  const consent = { ticket: body['ticket'], canWrite: false }
  assert.equal((await ben.post('/web/assistants/allow', consent)).body.code, 'consent_outdated')
  const forged = { ...consent, ticket: `${String(body['ticket']).slice(0, -4)}AAAA` }
  assert.equal((await ada.post('/web/assistants/allow', forged)).body.code, 'consent_outdated')
  // Another site has no CSRF token, and can't show the page in a frame.
  const withoutToken = await ada.post('/web/assistants/allow', consent, { 'x-csrf-token': 'x' })
  assert.equal(withoutToken.body.code, 'cross_site')
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await ada.post('/web/assistants/allow', consent, crossSite)).status, 403)
  assert.equal((await service.anonymousClient().post('/web/assistants/allow', consent)).status, 401)
  const page = await fetch(`${urlOf(service)}/connect?request=q`)
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)

  // As for a new API token, the sign-in must be recent.
  await query(`update session set created_at = now() - interval '16 minutes'
    where user_id = (select id from app_user where email = 'ada@example.com')`)
  const late = await assistant.review(ada)
  assert.equal(late.body.code, 'recent_sign_in_needed')
  await query(`update session set created_at = now()`)
})

test('a client metadata document proves who an assistant is', async () => {
  const { documents, ada, service, findToken } = opened()
  const assistant = new TestAssistant(urlOf(service), ISSUER)
  assistant.redirectUri = `${documents.origin}/callback`
  assistant.clientId = documents.publish('/client.json')
  const { status, body } = await assistant.review(ada)
  assert.equal(status, 200, JSON.stringify(body))
  assert.partialDeepStrictEqual(body['assistant'], { name: 'Published', isVerified: true })
  const tokens = await assistant.connect(ada)
  assert.equal(await assistant.callTool(tokens.access), 200)
  assert.partialDeepStrictEqual((await findToken('Published'))['assistant'], { isVerified: true })
  assert.equal(documents.asked.filter((path) => path === '/client.json').length, 1)

  const elsewhere = ['https://evil.example/callback']
  assistant.redirectUri = 'https://evil.example/callback'
  assistant.clientId = documents.publish('/elsewhere.json', { redirect_uris: elsewhere })
  const other = await assistant.review(ada)
  assert.partialDeepStrictEqual(other.body['assistant'], {
    isVerified: false,
    host: 'evil.example',
  })
})

test('a document that cannot be trusted is refused, and none in a private network is read', async () => {
  const { documents, ada, service } = opened()
  const assistant = new TestAssistant(urlOf(service), ISSUER)
  const good = documents.publish('/good.json')
  const wrong = [
    documents.publish('/impostor.json', { client_id: good }),
    documents.publish('/secret.json', { token_endpoint_auth_method: 'client_secret_basic' }),
    documents.publish('/no-uris.json', { redirect_uris: [] }),
    documents.serve('/moved.json', { status: 302, location: good, body: '' }),
    documents.serve('/gone.json', { status: 404, body: '{}' }),
    documents.serve('/large.json', { body: JSON.stringify({ padding: 'x'.repeat(20_000) }) }),
    documents.serve('/text.json', { body: 'no JSON' }),
    `${documents.origin}/never-answers.json`,
    `${good}?x`,
    `${good}#x`,
    `${documents.origin}/a/../good.json`,
    documents.origin,
    `${documents.origin}/`,
    good.replace('https:', 'http:'),
    good.replace('https://', 'https://user@'),
    'https://10.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:192.168.1.1]/client.json',
    `${urlOf(service).replace('http:', 'https:')}/client.json`,
  ]
  for (const clientId of wrong) {
    assistant.clientId = clientId
    const { status, body } = await assistant.review(ada)
    assert.deepEqual([status, body.code], [400, 'invalid_assistant_request'], clientId)
  }
  // A visitor who is not signed in makes the service fetch nothing.
  documents.asked.length = 0
  assistant.clientId = documents.publish('/unasked.json')
  assert.equal((await assistant.review(service.anonymousClient())).status, 401)
  assert.deepEqual(documents.asked, [])
})

test('registrations are limited in size and number, and unused ones expire', async () => {
  const { service, register, ada, query } = opened()
  const used = await register()
  await used.connect(ada)
  const tooLarge = { redirect_uris: ['https://a.example/'], client_name: 'x'.repeat(20_000) }
  assert.equal((await postJson(urlOf(service), '/oauth/register', tooLarge)).status, 413)
  const many = Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`)
  const answers = await Promise.all(
    [{}, [], null, { redirect_uris: many }, { redirect_uris: 'x' }, '{'].map((body) =>
      postJson(urlOf(service), '/oauth/register', body),
    ),
  )
  for (const { status } of answers) assert.equal(status, 400)

  await query(`insert into oauth_client select 'client_flood' || n, 'Flood', '{https://a.example/}', false,
    now() - n * interval '1 second', now() + interval '1 day' from generate_series(1, 1500) n`)
  const newcomer = await register()
  const [{ count } = {}] = await query('select count(*)::int from oauth_client')
  assert.ok(Number(count) < 1_100, String(count))
  assert.equal((await newcomer.review(ada)).status, 200)
  assert.equal((await used.review(ada)).status, 200)
  const name = { redirect_uris: ['https://a.example/'], client_name: 'Bank\u202e\u0000 <b>\n' }
  const hostile = await postJson(urlOf(service), '/oauth/register', name)
  assert.equal(hostile.body['client_name'], 'Bank <b>')
})

test('a flood of registrations from one address is refused', async () => {
  await using service = await startService({ HANSARD_PUBLIC_URL: ISSUER })
  const metadata = { redirect_uris: ['https://a.example/'] }
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => postJson(urlOf(service), '/oauth/register', metadata)),
  )
  // A minute of the clock may begin in between.
  const refused = answers.filter(({ status }) => status === 429)
  assert.ok(refused.length >= 20, String(refused.length))
  assert.ok(refused[0]?.headers.get('retry-after'))
})

test('maintenance deletes expired codes, tokens and registrations, and nothing else', async () => {
  const { register, ada, query, service } = opened()
  const assistant = await register()
  const tokens = await assistant.connect(ada)
  await assistant.consent(ada)
  await register()
  const before = await query(
    `select (select count(*) from oauth_grant where redeemed_at is null)::int as codes`,
  )
  assert.notEqual(before[0]?.['codes'], 0)
  const connectionString = service.databaseUrl
  const { db, close } = await connectToDatabase(
    { connectionString },
    { max: 1, log: createLog('silent') },
  )
  const inEightDays = new Date(Date.now() + 8 * 86_400_000)
  await deleteExpiredOAuthRows(db, inEightDays)
  await close()
  const [left] = await query(
    `select
    (select count(*) from oauth_grant where redeemed_at is null)::int as codes,
    (select count(*) from oauth_secret where kind = 'access')::int as access,
    (select count(*) from oauth_client where id = $1)::int as used,
    (select count(*) from oauth_client where expires_at < now() + interval '8 days')::int as unused`,
    [assistant.clientId],
  )
  assert.deepEqual(left, { codes: 0, access: 0, used: 1, unused: 0 })
  assert.equal((await assistant.refresh(tokens.refresh)).status, 200)
})

test('the setting turns off registration, or everything, and then connected assistants are refused', async () => {
  const { service, register, ada } = opened()
  const assistant = await register()
  const tokens = await assistant.connect(ada)
  const shared = { HANSARD_PUBLIC_URL: ISSUER, DATABASE_URL: service.databaseUrl }
  await using verified = await startService({ ...shared, HANSARD_ASSISTANTS: 'verified' })
  const server = await fetch(`${urlOf(verified)}/.well-known/oauth-authorization-server`)
  assert.ok(!('registration_endpoint' in ((await server.json()) as object)))
  assert.equal((await postJson(urlOf(verified), '/oauth/register', {})).status, 404)
  await using off = await startService({ ...shared, HANSARD_ASSISTANTS: 'off' })
  const atOff = new TestAssistant(urlOf(off), ISSUER)
  assert.equal(await atOff.callTool(tokens.access), 401)
  assert.equal((await fetch(`${urlOf(off)}/.well-known/oauth-protected-resource`)).status, 404)
  assert.equal(
    (await fetch(`${urlOf(off)}/mcp`, { method: 'POST' })).headers.get('www-authenticate'),
    'Bearer realm="api"',
  )
  await using plain = await startService({
    ...shared,
    HANSARD_PUBLIC_URL: 'http://hansard.example',
  })
  assert.equal((await fetch(`${urlOf(plain)}/.well-known/oauth-authorization-server`)).status, 404)
})
