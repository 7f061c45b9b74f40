import { strict as assert } from 'node:assert'
import { afterEach, test } from 'node:test'
import { Client } from 'pg'
import { openForFile } from '../support/open-for-file.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { openServiceWithProvider } from '../support/sign-in/corp-provider.ts'
import { ProviderVisitor } from '../support/sign-in/provider-visitor.ts'

const opened = openForFile(() => openServiceWithProvider())
afterEach(() => {
  opened().provider.mode = 'working'
})

const openVisitor = () => new ProviderVisitor(opened().service.anonymousClient())

test('a provider that is down, sends garbage or is another one leads to a clear error', async () => {
  const { provider } = opened()
  const visitor = openVisitor()
  for (const mode of ['garbage', 'endless', 'impostor', 'down'] as const) {
    provider.mode = mode
    const { body } = await visitor.client.post('/web/sign-in/provider')
    assert.equal(body.code, 'sign_in_provider_unavailable', mode)
  }
  // After the discovery document is known, the other answers can fail as well.
  for (const mode of ['down', 'garbage'] as const) {
    provider.mode = 'working'
    const answer = await visitor.answer(await visitor.begin(), 'bob')
    provider.mode = mode
    assert.equal(await visitor.deliver(answer), '/sign-in?problem=provider_unavailable', mode)
  }
  assert.equal(await visitor.user(), null)
})

test('the groups at the provider decide who is an admin, at each sign-in', async () => {
  const { provider, readAudit } = opened()
  const first = openVisitor()
  assert.equal(await first.signIn('root'), '/')
  assert.partialDeepStrictEqual(await first.user(), { name: 'Root', role: 'admin' })
  provider.people['root'] = { ...provider.people['root'], groups: ['staff'] }
  const second = openVisitor()
  assert.equal(await second.signIn('root'), '/')
  assert.partialDeepStrictEqual(await second.user(), { name: 'Root', role: 'member' })
  const [changed] = await readAudit('role changed')
  assert.partialDeepStrictEqual(changed, { actor: 'sign-in provider', detail: 'admin → member' })
})

test('people with an unverified address, another domain or without the group get no account', async () => {
  const { provider, ada, readAudit } = opened()
  const cases = { carol: 'email_not_verified', dan: 'not_allowed', erin: 'not_allowed' }
  for (const [login, problem] of Object.entries(cases))
    assert.equal(await openVisitor().signIn(login), `/sign-in?problem=${problem}`, login)
  assert.equal(await openVisitor().signIn(null), '/sign-in?problem=provider_refused')
  const { body } = await ada.get('/web/people')
  assert.doesNotMatch(JSON.stringify(body), /carol@|dan@|erin@/)
  const failures = await readAudit('sign-in failed')
  assert.deepEqual(
    failures.slice(0, 4).map(({ detail }) => detail),
    [
      'provider_refused',
      `not_allowed: erin@corp.example (erin) at ${provider.issuer}`,
      `not_allowed: dan@elsewhere.example (dan) at ${provider.issuer}`,
      `email_not_verified: carol@corp.example (carol) at ${provider.issuer}`,
    ],
  )
})

test('another subject with a known address does not get into that account', async () => {
  assert.equal(await openVisitor().signIn('bob'), '/')
  const visitor = openVisitor()
  assert.equal(await visitor.signIn('bob-again'), '/sign-in?problem=account_exists')
  assert.equal(await visitor.user(), null)
  const [failure] = await opened().readAudit('sign-in failed')
  assert.partialDeepStrictEqual(failure, { actor: 'nobody', objectName: 'Bob' })
})

test('an existing account is linked only from its own recent session, and then opens with both', async () => {
  const visitor = openVisitor()
  assert.equal(await visitor.signIn('ada-at-work'), '/sign-in?problem=account_exists')
  assert.equal((await visitor.client.post('/web/sign-in', ADMIN)).status, 200)
  const page = await visitor.beginLink()
  // The provider has a session in this browser, but a link needs a fresh sign-in there.
  assert.equal(page.searchParams.get('prompt'), 'login')
  const answer = await visitor.answer(page, 'ada-at-work')
  assert.equal(await visitor.deliver(answer), '/account?tab=sign-in')

  // The account at the provider is now Ada's, so Bob can't link it too.
  const bob = openVisitor()
  assert.equal(await bob.signIn('bob'), '/')
  assert.partialDeepStrictEqual(await bob.user(), { name: 'Bob' })
  bob.forgetProvider()
  const taken = await bob.deliver(await bob.answer(await bob.beginLink(), 'ada-at-work'))
  assert.equal(taken, '/account?tab=sign-in&problem=linked_to_another')
  const { provider, readAudit } = opened()
  const [notLinked] = await readAudit('identity link failed')
  assert.partialDeepStrictEqual(notLinked, {
    actorName: 'Bob',
    objectName: 'Bob',
    detail: `linked_to_another: ${ADMIN.email} (ada-at-work) at ${provider.issuer}`,
  })

  const later = openVisitor()
  assert.equal(await later.signIn('ada-at-work'), '/')
  // Ada is in no admin group, but she is the last admin.
  assert.partialDeepStrictEqual(await later.user(), { role: 'admin', name: 'Ada' })
})

test('an answer counts once, in the browser that began, with its own code, state, nonce and issuer', async (t) => {
  const REJECTED = '/sign-in?problem=answer_rejected'
  const EXPIRED = '/sign-in?problem=sign_in_expired'
  const { provider, readAudit } = opened()
  const getAnswer = async (visitor: ProviderVisitor, next?: string) =>
    visitor.answer(await visitor.begin(next), 'bob')

  await t.test('the same answer again', async () => {
    const visitor = openVisitor()
    const answer = await getAnswer(visitor)
    assert.equal(await visitor.deliver(answer), '/')
    assert.equal((await visitor.user())?.['name'], 'Bob')
    visitor.client.cookie = null
    const before = await readAudit('sign-in failed')
    assert.equal(await visitor.deliver(answer), EXPIRED)
    // Anyone can open this address, so such answers are kept out of the audit log.
    assert.deepEqual(await readAudit('sign-in failed'), before)
  })

  await t.test('a used code with a fresh state', async () => {
    const visitor = openVisitor()
    const used = await getAnswer(visitor)
    assert.equal(await visitor.deliver(used), '/')
    visitor.client.cookie = null
    visitor.forgetProvider()
    const fresh = await getAnswer(visitor)
    fresh.searchParams.set('code', used.searchParams.get('code') ?? '')
    assert.equal(await visitor.deliver(fresh), REJECTED)
    assert.equal(await visitor.user(), null)
  })

  await t.test('the answer for another browser', async () => {
    const [attacker, victim] = [openVisitor(), openVisitor()]
    const answer = await getAnswer(attacker)
    // The victim has started their own sign-in, so that their browser has a cookie for it.
    const own = await getAnswer(victim)
    assert.equal(await victim.deliver(answer), EXPIRED)
    own.searchParams.set('code', answer.searchParams.get('code') ?? '')
    assert.equal(await victim.deliver(own), REJECTED)
    assert.equal(await victim.user(), null)
  })

  await t.test('another nonce in the ID token', async () => {
    const visitor = openVisitor()
    const page = await visitor.begin()
    assert.equal(page.searchParams.get('code_challenge_method'), 'S256')
    page.searchParams.set('nonce', 'the nonce of an attacker')
    assert.equal(await visitor.deliver(await visitor.answer(page, 'bob')), REJECTED)
  })

  await t.test('an answer that names another issuer', async () => {
    for (const iss of ['https://id.example.com', null]) {
      const visitor = openVisitor()
      const answer = await getAnswer(visitor)
      assert.equal(answer.searchParams.get('iss'), provider.issuer)
      if (iss === null) answer.searchParams.delete('iss')
      else answer.searchParams.set('iss', iss)
      assert.equal(await visitor.deliver(answer), REJECTED, String(iss))
    }
  })

  await t.test('a path of another site after the sign-in', async () => {
    for (const next of ['//evil.example', '/\\evil.example']) {
      const visitor = openVisitor()
      // As if a changed page requested it. The service itself must not redirect there.
      assert.equal(await visitor.deliver(await getAnswer(visitor, next)), '/')
    }
  })
})

test('a link ends in the session of the user who began it, soon after signing in', async () => {
  const { ada, service, readAudit } = opened()
  const eve = { name: 'Eve', email: 'eve@example.com', password: 'eves own secret' }
  const { body } = await ada.post('/web/invitations', { role: 'member' })
  const code = String(body['link']).split('#')[1]
  const eves = service.anonymousClient()
  await eves.post('/web/invitation/accept', { ...eve, code })
  assert.equal((await eves.post('/web/identities')).status, 200)

  const visitor = openVisitor()
  await visitor.client.post('/web/sign-in', ADMIN)
  const answer = await visitor.answer(await visitor.beginLink(), 'somebody-else')
  await visitor.client.post('/web/sign-in', eve)
  assert.equal(await visitor.deliver(answer), '/account?tab=sign-in&problem=sign_in_expired')
  const [failure] = await readAudit('identity link failed')
  assert.partialDeepStrictEqual(failure, { actorName: 'Eve', objectName: 'Ada' })

  const client = new Client(service.databaseUrl)
  await client.connect()
  await client.query(`update session set created_at = created_at - interval '901 seconds'`)
  await client.end()
  assert.equal((await eves.post('/web/identities')).body.code, 'recent_sign_in_needed')
})
