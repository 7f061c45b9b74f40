import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone } from '../support/browser/console-pages.ts'
import { BROWSER_TIMEOUT_MS } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openForFile } from '../support/open-for-file.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { openServiceWithProvider } from '../support/sign-in/corp-provider.ts'

// The provider is at 127.0.0.1, so for the browser these are two different sites.
const opened = openForFile(() => openServiceWithProvider({ HANSARD_HOST: 'localhost' }))

/** A window that can reach the provider too. */
async function openWindow() {
  const context = await (
    await openSharedBrowser()
  ).newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(BROWSER_TIMEOUT_MS)
  const page = await context.newPage()
  return { context, page, [Symbol.asyncDispose]: () => context.close() }
}

async function logIn(page: Page, login: string): Promise<void> {
  await page.getByLabel('Login').fill(login)
  await page.getByRole('button', { name: 'Continue' }).click()
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
  await logIn(page, 'bob')
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
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Link Corp ID' }).click()
  await logIn(page, 'ada-at-work')
  await page.getByRole('button', { name: `Unlink ${ADMIN.email}` }).waitFor()
  await page.goto(`${service.url}/account?tab=sign-in&problem=linked_to_another`)
  await page.getByRole('alert').filter({ hasText: 'another' }).waitFor()
})
