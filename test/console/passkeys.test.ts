import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone } from '../support/browser/console-pages.ts'
import { BROWSER_TIMEOUT_MS } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import { createManualClock } from '../support/time/manual-clock.ts'

const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

const clock = createManualClock()
let browser: Browser
let service: TestService
let ada: HttpClient
before(async () => {
  browser = await openSharedBrowser()
  // Browsers offer no passkeys for IP addresses.
  service = await startService({ HANSARD_HOST: 'localhost' }, { clock })
  ada = await service.adminClient()
})
after(() => service[Symbol.asyncDispose]())

type Device = AsyncDisposable & {
  context: BrowserContext
  page: Page
  setUserVerified(isUserVerified: boolean): Promise<void>
}

/** A browser window with a virtual authenticator. */
async function openDevice(): Promise<Device> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(BROWSER_TIMEOUT_MS)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: AUTHENTICATOR,
  })
  return {
    context,
    page,
    async setUserVerified(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await openAddDialog(page, service.url, name)
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
}

async function openAddDialog(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await waitForAda(page)
  await page.goto(`${url}/account?tab=sign-in`)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function waitForAda(page: Page): Promise<void> {
  await page.getByText('Signed in as Ada', { exact: true }).waitFor()
}

async function signOut({ context, page }: Device): Promise<void> {
  await context.clearCookies({ name: 'hansard' })
  if (page.url() !== `${service.url}/sign-in`) await page.goto(`${service.url}/sign-in`)
}

/** Signs in with the device's passkey, and returns what the browser sent. */
async function signInWithPasskey(page: Page): Promise<string> {
  const sent = page.waitForRequest(`${service.url}/web/sign-in/passkey`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  return (await sent).postData() ?? ''
}

/** Signs in, but keeps the browser's message from reaching the service. */
async function holdSignIn(device: Device): Promise<string> {
  await signOut(device)
  const aborted = device.page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/web/sign-in/passkey'),
  )
  await device.page.route(`${service.url}/web/sign-in/passkey`, (route) => route.abort(), {
    times: 1,
  })
  const body = await signInWithPasskey(device.page)
  await aborted
  return body
}

/** Sends a held sign-in from this browser, with its cookies. */
async function send({ context }: Device, data: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: service.url }
  const answer = await context.request.post(`${service.url}/web/sign-in/passkey`, { data, headers })
  return `${answer.status()} ${((await answer.json()) as { code?: string }).code ?? ''}`.trim()
}

async function query(text: string): Promise<void> {
  const client = new Client(service.databaseUrl)
  await client.connect()
  await client.query(text)
  await client.end()
}

test('a passkey is added with a name, signs in, and is removed', async () => {
  await using device = await openDevice()
  const { page } = device
  await addPasskey(page, 'Ada’s laptop')
  await assertAccessible(page, '/account?tab=sign-in with a passkey')
  await assertFitsPhone(page, '/account?tab=sign-in with a passkey')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('This device already has a passkey for your account.').waitFor()

  await signOut(device)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  await assertAccessible(page, '/sign-in with passkeys')
  await signInWithPasskey(page)
  await waitForAda(page)
  await page.goto(`${service.url}/account?tab=sign-in`)
  await page.getByRole('button', { name: 'Remove Ada’s laptop' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('No passkeys.').waitFor()
  await signOut(device)
  await signInWithPasskey(page)
  await page.getByText('This passkey was not accepted').waitFor()

  const { body } = await ada.get('/web/audit?limit=7')
  const entries = body['entries'] as Array<Record<string, string | null>>
  assert.deepEqual(
    entries.map(({ action, detail }) => [action, detail]),
    [
      ['sign-in failed', 'passkey'],
      ['passkey removed', 'Ada’s laptop'],
      ['signed in', 'passkey'],
      ['passkey added', 'Ada’s laptop'],
      ['signed in', 'password'],
      ['signed in', 'setup link'],
      ['user created', 'Ada <ada@example.com>, admin'],
    ],
  )
})

test('a signature counts once, in the browser that asked, within ten minutes, with user verification and a counter that grows', async (t) => {
  await using device = await openDevice()
  await addPasskey(device.page, 'Key')

  await t.test('the same signature again', async () => {
    const body = await holdSignIn(device)
    assert.deepEqual(
      [await send(device, body), await send(device, body)],
      ['200', '403 passkey_rejected'],
    )
  })

  await t.test('a signature in another browser', async () => {
    await using other = await openDevice()
    // The other browser has started its own sign-in.
    await other.context.request.post(`${service.url}/web/sign-in/passkey/options`)
    const body = await holdSignIn(device)
    assert.equal(await send(other, body), '403 passkey_rejected')
    assert.equal(await send(device, body), '200')
  })

  await t.test('a changed signature, user or credential', async () => {
    const change = (body: string, path: string, value: string) => {
      const parsed = JSON.parse(body) as { response: { id: string; response: object } }
      if (path === 'id') parsed.response.id = value
      else Object.assign(parsed.response.response, { [path]: value })
      return JSON.stringify(parsed)
    }
    const someone = Buffer.from('usr_somebody').toString('base64url')
    const changes = {
      signature: 'MEUCIQ',
      userHandle: someone,
      authenticatorData: 'AAAA',
      id: 'AAAA',
    }
    for (const [path, value] of Object.entries(changes)) {
      const body = change(await holdSignIn(device), path, value)
      assert.equal(await send(device, body), '403 passkey_rejected', path)
    }
  })

  await t.test('a late signature', async () => {
    const body = await holdSignIn(device)
    clock.advance(601)
    assert.equal(await send(device, body), '403 passkey_rejected')
    const { body: audit } = await ada.get('/web/audit?limit=1')
    assert.partialDeepStrictEqual(audit['entries'], [
      { action: 'sign-in failed', objectName: 'Ada', detail: 'passkey' },
    ])
  })

  await t.test('a signature of a device that did not verify its user', async () => {
    await device.setUserVerified(false)
    await device.page.route(`${service.url}/web/sign-in/passkey/options`, async (route) => {
      const answer = await route.fetch()
      const text = (await answer.text()).replace('"required"', '"discouraged"')
      await route.fulfill({ response: answer, body: text })
    })
    assert.equal(await send(device, await holdSignIn(device)), '403 passkey_rejected')
    await device.page.unroute(`${service.url}/web/sign-in/passkey/options`)
    await device.setUserVerified(true)
  })

  await t.test('a signature after many failed sign-ins of others at the same address', async () => {
    const wrong = { email: 'eve@example.com', password: 'a wrong one' }
    const guess = () => service.anonymousClient().post('/web/sign-in', wrong)
    while ((await guess()).status !== 429);
    assert.equal(await send(device, await holdSignIn(device)), '200')
  })

  await t.test('a counter that went back, as that of a copied key', async () => {
    // The failures above have expired.
    clock.advance(3_601)
    await query('update passkey set counter = counter + 1000')
    assert.equal(await send(device, await holdSignIn(device)), '403 passkey_rejected')
    await query('update passkey set counter = counter - 1000')
    assert.equal(await send(device, await holdSignIn(device)), '200')
  })
})

test('a passkey of a page at another address than the public one is rejected', async () => {
  const env = { HANSARD_HOST: 'localhost', HANSARD_PUBLIC_URL: 'http://localhost:1' }
  await using behindProxy = await startService(env)
  await behindProxy.adminClient()
  await using device = await openDevice()
  const { page } = device
  await openAddDialog(page, `http://localhost:${behindProxy.port}`, 'Key')
  await page.getByText('This passkey was not accepted').waitFor()
})

test('a passkey is added only within 15 minutes after signing in', async () => {
  const options = () => ada.post('/web/passkeys/options')
  await ada.post('/web/sign-in', { email: ADMIN.email, password: ADMIN.password })
  assert.equal((await options()).status, 200)
  clock.advance(901)
  assert.equal((await options()).body.code, 'recent_sign_in_needed')
})
