import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findFreePort } from '../../faults/cluster/free-port.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone } from '../support/browser/console-pages.ts'
import { BROWSER_TIMEOUT_MS } from '../support/browser/open-browser.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { CA_FILE } from '../support/mail/mail-server.ts'
import { openMeetingsClient } from '../support/meetings/meetings-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { openAssistantSite, type AssistantSite } from '../support/sign-in/assistant-site.ts'
import { openServiceWithProvider } from '../support/sign-in/corp-provider.ts'

const QUESTION = 'What was said about the release?'

const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const port = await findFreePort()
  const { service, provider, ada, readAudit } = stack.use(
    await openServiceWithProvider({
      HANSARD_HOST: 'localhost',
      HANSARD_PORT: String(port),
      HANSARD_PUBLIC_URL: `http://localhost:${port}`,
      HANSARD_CALLBACK_ALLOW: '127.0.0.1',
      HANSARD_CALLBACK_CA_FILE: CA_FILE,
    }),
  )
  const program = await openMeetingsClient({ ...service, adminClient: async () => ada })
  const meetingId = await program.start('practice://standup?speed=1000', { title: 'Stand-up' })
  await program.waitForStatus(meetingId)
  const tool = { name: 'ask', arguments: { question: QUESTION } }
  const verified = stack.use(await openAssistantSite({ hasDocument: true, tool }))
  const selfDeclared = stack.use(await openAssistantSite({ hasDocument: false, tool }))
  const move = stack.move()
  return {
    service,
    provider,
    ada,
    readAudit,
    verified,
    selfDeclared,
    [Symbol.asyncDispose]: () => move.disposeAsync(),
  }
})

async function openWindow() {
  const context = await (
    await openSharedBrowser()
  ).newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: true,
  })
  context.setDefaultTimeout(BROWSER_TIMEOUT_MS)
  const page = await context.newPage()
  return { context, page, [Symbol.asyncDispose]: () => context.close() }
}

/** Logs in at the sign-in provider. */
async function logInAtProvider(page: Page, login: string): Promise<void> {
  await page.getByLabel('Login').fill(login)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Enters the address of the server at the assistant's site, which sends the browser to Hansard. */
async function beginAt(page: Page, site: AssistantSite): Promise<void> {
  await page.goto(site.url)
  await page.getByLabel('Server address').fill(`${opened().service.url}/mcp`)
  await saveScreenshots(page, 'assistant-1-address')
  await page.getByRole('button', { name: 'Connect' }).click()
}

async function signInWithPassword(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('the first sign-in creates an account and opens the requested page; signing out also ends the session at the provider', async () => {
  const { service, provider, readAudit } = opened()
  await using window = await openWindow()
  const { page } = window
  const button = page.getByRole('button', { name: 'Sign in with Corp ID' })
  provider.mode = 'down'
  await page.goto(`${service.url}/meetings?q=plan`)
  await button.click()
  await page.getByText('The sign-in provider is not responding correctly').waitFor()
  provider.mode = 'working'
  await assertAccessible(page, '/sign-in with a provider')
  await button.click()
  await logInAtProvider(page, 'bob')
  await page.waitForURL(`${service.url}/meetings?q=plan`)
  const [created] = await readAudit('user created')
  assert.partialDeepStrictEqual(created, {
    actor: 'sign-in provider',
    objectName: 'Bob',
    detail: 'Bob <bob@corp.example>, member',
  })

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
  await button.click()
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.waitForURL(`${service.url}/sign-in?problem=provider_refused`)
  await page.getByRole('alert').waitFor()
  await assertAccessible(page, '/sign-in with a problem')
})

test('a user links an account at the provider on the account page', async () => {
  const { service } = opened()
  await using window = await openWindow()
  const { page } = window
  await page.goto(`${service.url}/account?tab=sign-in`)
  await signInWithPassword(page)
  await page.getByRole('button', { name: 'Link Corp ID' }).click()
  await logInAtProvider(page, 'ada-at-work')
  await page.getByRole('button', { name: `Unlink ${ADMIN.email}` }).waitFor()
  await page.goto(`${service.url}/account?tab=sign-in&problem=linked_to_another`)
  await page.getByRole('alert').filter({ hasText: 'another' }).waitFor()
})

test('from the address of the server to an answer about a meeting, and back to no access', async () => {
  const { verified, service } = opened()
  await using window = await openWindow()
  const { page } = window
  await beginAt(page, verified)
  await signInWithPassword(page)
  await page.getByRole('heading', { name: 'Connect Helper?' }).waitFor()
  await page.getByText(`${new URL(verified.url).host} publishes this name`).waitFor()
  assert.equal(await page.getByRole('radio', { name: 'Read', exact: true }).isChecked(), true)
  await assertAccessible(page, 'assistant-2-consent')
  await assertFitsPhone(page, 'assistant-2-consent')
  await page.getByRole('radio', { name: 'Selected projects' }).check()
  await page.getByRole('checkbox', { name: 'api' }).check()
  await page.getByRole('radio', { name: 'Read and write' }).check()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Connected. I asked:').waitFor()
  assert.match(await page.locator('pre').innerText(), /release/i)
  await saveScreenshots(page, 'assistant-3-answer')

  await page.goto(`${service.url}/account?tab=tokens`)
  await page.getByText(`verified: ${new URL(verified.url).host}`).waitFor()
  await page.getByText('only api').waitFor()
  await saveScreenshots(page, 'assistant-4-connected')
  assert.match(await verified.callTool('list_projects', {}), /"api"/)
  await page.getByRole('button', { name: 'Disconnect Helper' }).click()
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('No connected assistants.').waitFor()
  await assert.rejects(verified.callTool('list_projects', {}))
})

test('the sign-in provider leads to the question, where a self-declared assistant is marked', async () => {
  const { selfDeclared } = opened()
  await using window = await openWindow()
  const { page } = window
  await beginAt(page, selfDeclared)
  await page.getByRole('button', { name: 'Sign in with Corp ID' }).click()
  await logInAtProvider(page, 'bob')
  await page.getByText('Nobody has checked this name.').waitFor()
  await assertAccessible(page, 'assistant-self-declared')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Not connected: Error: access_denied').waitFor()
})

test('a passkey leads to the question, and a person can change the account there', async () => {
  const { selfDeclared, service } = opened()
  await using window = await openWindow()
  const { context, page } = window
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${service.url}/account?tab=sign-in`)
  await signInWithPassword(page)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
  await context.clearCookies()
  await beginAt(page, selfDeclared)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('You are signed in as Ada').waitFor()
  await page.getByRole('button', { name: 'Use another account' }).click()
  await signInWithPassword(page)
  await page.getByText('You are signed in as Ada').waitFor()
})

test('a page that one person was shown connects nothing for another, and a forged link leads nowhere', async () => {
  const { selfDeclared, service, ada } = opened()
  await using window = await openWindow()
  const { context, page } = window
  await beginAt(page, selfDeclared)
  await signInWithPassword(page)
  await page.getByRole('heading', { name: 'Connect Helper?' }).waitFor()
  const link = page.url()
  // Another tab signs in anew.
  const [name = '', value = ''] = ada.cookie?.split('=') ?? []
  await context.addCookies([{ name, value, url: service.url }])
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'did not come from a page' }).waitFor()
  assert.equal(page.url(), link)

  const forged = new URLSearchParams({
    client_id: 'client_unknown',
    redirect_uri: selfDeclared.url,
  })
  await page.goto(`${service.url}/oauth/authorize?${forged.toString()}`)
  await page.getByText('This assistant is not registered here').waitFor()
  await assertAccessible(page, 'assistant-unknown')
})
