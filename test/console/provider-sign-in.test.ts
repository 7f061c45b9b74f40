import { strict as assert } from 'node:assert'
import { after, afterEach, before, test } from 'node:test'
import { Client } from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { assertAccessible, assertFitsPhone } from '../support/browser/console-pages.ts'
import { BROWSER_TIMEOUT_MS } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  openOpenIdProvider,
  type TestOpenIdProvider,
} from '../support/sign-in/openid-provider.ts'

const BOB = { name: 'Bob', email: 'bob@corp.example', email_verified: true, groups: ['staff'] }

let browser: Browser
let provider: TestOpenIdProvider
let service: TestService
let ada: HttpClient
before(async () => {
  browser = await openSharedBrowser()
  provider = await openOpenIdProvider({
    'ada-at-work': { ...BOB, name: 'Ada at work', email: ADMIN.email },
    bob: BOB,
    'bob-again': BOB,
    carol: { ...BOB, email: 'carol@corp.example', email_verified: false },
    dan: { ...BOB, email: 'dan@elsewhere.example' },
    erin: { ...BOB, email: 'erin@corp.example', groups: [] },
    root: { ...BOB, name: 'Root', email: 'root@corp.example', groups: ['staff', 'admins'] },
  })
  service = await startService({
    // The provider is at 127.0.0.1, so for the browser these are two different sites.
    HANSARD_HOST: 'localhost',
    HANSARD_OIDC_ISSUER: `${provider.issuer}/.well-known/openid-configuration`,
    HANSARD_OIDC_CLIENT_ID: CLIENT_ID,
    HANSARD_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    HANSARD_OIDC_NAME: 'Corp ID',
    HANSARD_OIDC_REGISTER_DOMAINS: 'corp.example',
    HANSARD_OIDC_REGISTER_GROUPS: 'staff',
    HANSARD_OIDC_ADMIN_GROUPS: 'admins',
  })
  ada = await service.adminClient()
  provider.connect(service.url)
})
afterEach(() => {
  provider.mode = 'working'
  provider.holdsAnswers = false
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

type Window = AsyncDisposable & { context: BrowserContext; page: Page }

async function openWindow(): Promise<Window> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(BROWSER_TIMEOUT_MS)
  const page = await context.newPage()
  return { context, page, [Symbol.asyncDispose]: () => context.close() }
}

/** Opens the provider's page like the button on the sign-in page, without loading that page. */
async function begin(
  page: Page,
  { next, change }: { next?: string; change?(url: URL): void } = {},
): Promise<void> {
  const options = { data: { next }, headers: { origin: service.url } }
  const response = await page.request.post(`${service.url}/web/sign-in/provider`, options)
  const url = new URL(((await response.json()) as { url: string }).url)
  change?.(url)
  await page.goto(url.href)
}

/** Opens the provider's page from the sign-in page. */
async function startAt(page: Page, path = '/sign-in'): Promise<void> {
  await page.goto(`${service.url}${path}`)
  await page.getByRole('button', { name: 'Sign in with Corp ID' }).click()
  await page.getByLabel('Login').waitFor()
}

async function logIn(page: Page, login: string): Promise<void> {
  await page.getByLabel('Login').fill(login)
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function signInAs(page: Page, login: string): Promise<void> {
  await begin(page)
  await logIn(page, login)
}

/** Gets the provider's answer for a login without following it to the service. */
async function holdAnswer(page: Page, login: string): Promise<URL> {
  provider.holdsAnswers = true
  await logIn(page, login)
  await page.getByRole('heading', { name: 'Held' }).waitFor()
  provider.holdsAnswers = false
  assert(provider.heldAnswer)
  return provider.heldAnswer
}

async function waitForUser(page: Page, name: string): Promise<void> {
  await page.getByText(`Signed in as ${name}`, { exact: true }).waitFor()
}

async function problemOn(page: Page): Promise<string | null> {
  await page.getByRole('alert').waitFor()
  return new URL(page.url()).searchParams.get('problem')
}

/** Sends a provider's answer to the service. Returns the path of the next page without loading it. */
async function deliver(page: Page, url: URL): Promise<string | undefined> {
  const response = await page.request.get(url.href, { maxRedirects: 0 })
  return response.headers()['location']
}

async function readAudit(action: string): Promise<Array<Record<string, string | null>>> {
  const { body } = await ada.get(`/web/audit?action=${encodeURIComponent(action)}`)
  return body['entries'] as Array<Record<string, string | null>>
}

async function signedInUser(page: Page): Promise<Record<string, string> | null> {
  const response = await page.request.get(`${service.url}/web/state`)
  return ((await response.json()) as { user: Record<string, string> | null }).user
}

test('a provider that is down, sends garbage or is another one leads to a clear error', async () => {
  await using window = await openWindow()
  const { page } = window
  for (const mode of ['garbage', 'endless', 'impostor', 'down'] as const) {
    provider.mode = mode
    const { body } = await service.anonymousClient().post('/web/sign-in/provider')
    assert.equal(body.code, 'sign_in_provider_unavailable', mode)
  }
  await page.goto(`${service.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with Corp ID' }).click()
  await page.getByText('The sign-in provider is not responding correctly').waitFor()
  provider.mode = 'working'
  // After the discovery document is known, the other answers can fail as well.
  for (const mode of ['down', 'garbage'] as const) {
    await begin(page)
    const url = await holdAnswer(page, 'bob')
    provider.mode = mode
    assert.equal(await deliver(page, url), '/sign-in?problem=provider_unavailable', mode)
    provider.mode = 'working'
    await window.context.clearCookies()
  }
  assert.equal(await signedInUser(page), null)
})

test('the first sign-in creates an account and opens the requested page; signing out also ends the session at the provider', async () => {
  await using window = await openWindow()
  const { page } = window
  await page.goto(`${service.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with Corp ID' }).waitFor()
  await assertAccessible(page, '/sign-in with a provider')
  await startAt(page, '/meetings?q=plan')
  await logIn(page, 'bob')
  await page.waitForURL(`${service.url}/meetings?q=plan`)
  assert.partialDeepStrictEqual(await signedInUser(page), { name: 'Bob', role: 'member' })
  const [created] = await readAudit('user created')
  assert.partialDeepStrictEqual(created, { actor: 'sign-in provider', objectName: 'Bob' })

  await page.goto(`${service.url}/account`)
  await page.getByText('You sign in as bob@corp.example').waitFor()
  assert.equal(await page.getByLabel('Current password').count(), 0)
  await page.getByRole('tab', { name: 'Sign-in' }).click()
  await page.getByText(provider.issuer).waitFor()
  await assertAccessible(page, '/account?tab=sign-in')
  await assertFitsPhone(page, '/account?tab=sign-in')
  await page.getByRole('button', { name: 'Unlink bob@corp.example' }).click()
  await page.getByRole('button', { name: 'Unlink account' }).click()
  await page.getByText('This is your only way to sign in').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /^Signed in as/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'End the session here too' }).click()
  await page.waitForURL(`${service.url}/sign-in`)
  await startAt(page)
})

test('the groups at the provider decide who is an admin, at each sign-in', async () => {
  await using window = await openWindow()
  const { page } = window
  await signInAs(page, 'root')
  await page.getByRole('link', { name: 'System' }).waitFor()
  const person = provider.people['root'] ?? {}
  provider.people['root'] = { ...person, groups: ['staff'] }
  await window.context.clearCookies()
  await signInAs(page, 'root')
  await waitForUser(page, 'Root')
  assert.equal(await page.getByRole('link', { name: 'System' }).count(), 0)
  const [changed] = await readAudit('role changed')
  assert.partialDeepStrictEqual(changed, { actor: 'sign-in provider', detail: 'admin → member' })
})

test('people with an unverified address, another domain or without the group get no account', async () => {
  await using window = await openWindow()
  const { page } = window
  const cases = { carol: 'email_not_verified', dan: 'not_allowed', erin: 'not_allowed' }
  for (const [login, problem] of Object.entries(cases)) {
    await begin(page)
    const answer = await holdAnswer(page, login)
    assert.equal(await deliver(page, answer), `/sign-in?problem=${problem}`, login)
    await window.context.clearCookies()
  }
  await begin(page)
  await page.getByRole('button', { name: 'Refuse' }).click()
  assert.equal(await problemOn(page), 'provider_refused')
  await assertAccessible(page, '/sign-in with a problem')
  const { body } = await ada.get('/web/people')
  const names = (body['users'] as Array<{ email: string }>).map(({ email }) => email)
  assert.deepEqual(names, [ADMIN.email, 'bob@corp.example', 'root@corp.example'])
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
  await using window = await openWindow()
  const { page } = window
  await signInAs(page, 'bob-again')
  assert.equal(await problemOn(page), 'account_exists')
  assert.equal(await signedInUser(page), null)
  const [failure] = await readAudit('sign-in failed')
  assert.partialDeepStrictEqual(failure, { actor: 'nobody', objectName: 'Bob' })
})

test('an existing account is linked only from its own recent session, and then opens with both', async () => {
  await using window = await openWindow()
  const { page } = window
  await signInAs(page, 'ada-at-work')
  assert.equal(await problemOn(page), 'account_exists')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await waitForUser(page, 'Ada')
  await page.goto(`${service.url}/account?tab=sign-in`)
  await page.getByRole('button', { name: 'Link Corp ID' }).click()
  // The provider has a session in this browser, but a link needs a fresh sign-in there.
  await logIn(page, 'ada-at-work')
  await page.getByRole('button', { name: 'Unlink ada@example.com' }).waitFor()

  // The account at the provider is now Ada's, so Bob can't link it too.
  await using bobs = await openWindow()
  await signInAs(bobs.page, 'bob')
  await waitForUser(bobs.page, 'Bob')
  const cookies = await bobs.context.cookies(provider.issuer)
  for (const { name, domain, path } of cookies.filter(({ name: n }) => n.startsWith('_session')))
    await bobs.context.clearCookies({ name, domain, path })
  await bobs.page.goto(`${service.url}/account?tab=sign-in`)
  await bobs.page.getByRole('button', { name: 'Link Corp ID' }).click()
  await logIn(bobs.page, 'ada-at-work')
  assert.equal(await problemOn(bobs.page), 'linked_to_another')
  const [notLinked] = await readAudit('identity link failed')
  assert.partialDeepStrictEqual(notLinked, {
    actorName: 'Bob',
    objectName: 'Bob',
    detail: `linked_to_another: ${ADMIN.email} (ada-at-work) at ${provider.issuer}`,
  })

  await window.context.clearCookies()
  await signInAs(page, 'ada-at-work')
  await waitForUser(page, 'Ada')
  // Ada is in no admin group, but she is the last admin.
  assert.partialDeepStrictEqual(await signedInUser(page), { role: 'admin', name: 'Ada' })
})

test('an answer counts once, in the browser that began, with its own code, state, nonce and issuer', async (t) => {
  const getAnswer = async (page: Page) => {
    await begin(page)
    return holdAnswer(page, 'bob')
  }

  await t.test('the same answer again', async () => {
    await using window = await openWindow()
    const url = await getAnswer(window.page)
    assert.equal(await deliver(window.page, url), '/')
    assert.equal((await signedInUser(window.page))?.['name'], 'Bob')
    await window.context.clearCookies({ name: 'hansard' })
    const before = await readAudit('sign-in failed')
    assert.equal(await deliver(window.page, url), '/sign-in?problem=sign_in_expired')
    // Anyone can open this address, so such answers are kept out of the audit log.
    assert.deepEqual(await readAudit('sign-in failed'), before)
  })

  await t.test('a used code with a fresh state', async () => {
    await using window = await openWindow()
    const used = await getAnswer(window.page)
    assert.equal(await deliver(window.page, used), '/')
    await window.context.clearCookies({ name: 'hansard' })
    await window.context.clearCookies({ name: '_session' })
    const fresh = await getAnswer(window.page)
    fresh.searchParams.set('code', used.searchParams.get('code') ?? '')
    assert.equal(await deliver(window.page, fresh), '/sign-in?problem=answer_rejected')
    assert.equal(await signedInUser(window.page), null)
  })

  await t.test('the answer for another browser', async () => {
    await using attacker = await openWindow()
    await using victim = await openWindow()
    const url = await getAnswer(attacker.page)
    // The victim has started their own sign-in, so that their browser has a cookie for it.
    const own = await getAnswer(victim.page)
    assert.equal(await deliver(victim.page, url), '/sign-in?problem=sign_in_expired')
    own.searchParams.set('code', url.searchParams.get('code') ?? '')
    assert.equal(await deliver(victim.page, own), '/sign-in?problem=answer_rejected')
    assert.equal(await signedInUser(victim.page), null)
  })

  await t.test('another nonce in the ID token', async () => {
    await using window = await openWindow()
    const { page } = window
    await begin(page, {
      change({ searchParams }) {
        assert.equal(searchParams.get('code_challenge_method'), 'S256')
        searchParams.set('nonce', 'the nonce of an attacker')
      },
    })
    const url = await holdAnswer(page, 'bob')
    assert.equal(await deliver(page, url), '/sign-in?problem=answer_rejected')
  })

  await t.test('an answer that names another issuer', async () => {
    await using window = await openWindow()
    for (const iss of ['https://id.example.com', null]) {
      const url = await getAnswer(window.page)
      assert.equal(url.searchParams.get('iss'), provider.issuer)
      if (iss === null) url.searchParams.delete('iss')
      else url.searchParams.set('iss', iss)
      const next = await deliver(window.page, url)
      assert.equal(next, '/sign-in?problem=answer_rejected', String(iss))
      await window.context.clearCookies()
    }
  })

  await t.test('a path of another site after the sign-in', async () => {
    for (const next of ['//evil.example', '/\\evil.example']) {
      await using window = await openWindow()
      // As if a changed page requested it. The service itself must not redirect there.
      await begin(window.page, { next })
      assert.equal(await deliver(window.page, await holdAnswer(window.page, 'bob')), '/')
    }
  })
})

test('a link ends in the session of the user who began it, soon after signing in', async () => {
  const eve = { name: 'Eve', email: 'eve@example.com', password: 'eves own secret' }
  const { body } = await ada.post('/web/invitations', { role: 'member' })
  const code = String(body['link']).split('#')[1]
  const eves = service.anonymousClient()
  await eves.post('/web/invitation/accept', { ...eve, code })
  assert.equal((await eves.post('/web/identities')).status, 200)

  await using window = await openWindow()
  const { page, context } = window
  const signInHere = async ({ email, password }: typeof ADMIN) => {
    await context.clearCookies({ name: 'hansard' })
    const headers = { origin: service.url }
    const data = { email, password }
    const answer = await context.request.post(`${service.url}/web/sign-in`, { data, headers })
    assert.equal(answer.status(), 200)
  }
  await signInHere(ADMIN)
  await page.goto(`${service.url}/account?tab=sign-in`)
  await page.getByRole('button', { name: 'Link Corp ID' }).click()
  const url = await holdAnswer(page, 'somebody-else')
  await signInHere(eve)
  await page.goto(url.href)
  assert.equal(await problemOn(page), 'sign_in_expired')
  const [failure] = await readAudit('identity link failed')
  assert.partialDeepStrictEqual(failure, { actorName: 'Eve', objectName: 'Ada' })

  const client = new Client(service.databaseUrl)
  await client.connect()
  await client.query(`update session set created_at = created_at - interval '901 seconds'`)
  await client.end()
  assert.equal((await eves.post('/web/identities')).body.code, 'recent_sign_in_needed')
})
