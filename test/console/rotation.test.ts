import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openIsolatedWindow } from '../support/browser/open-browser.ts'
import { findAccessibilityViolations } from '../support/browser/console-pages.ts'
import { startService, type TestService } from '../support/service/start-service.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser.close())

/** The list of tokens in a signed-in browser, with one token named "backend" in it. */
async function openTokens(service: TestService, width?: number) {
  const ada = await service.adminClient()
  const { id } = await ada.createToken({ name: 'backend' })
  const seen = await openIsolatedWindow(browser, service.url, width === undefined ? {} : { width })
  const [name = '', value = ''] = ada.cookie?.split('=') ?? []
  await seen.context.addCookies([{ name, value, url: service.url }])
  await seen.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: service.url,
  })
  await seen.page.goto(`${service.url}/account?tab=tokens`)
  return { ...seen, ada, id }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function assertAccessible(page: Page): Promise<void> {
  assert.deepEqual(await findAccessibilityViolations(page), [])
}

test('a person makes the next signing secret, copies it and activates it', async () => {
  await using service = await startService()
  await using seen = await openTokens(service)
  const { page } = seen
  await button(page, 'Rotate signing secret of backend').click()
  await page.getByRole('dialog').getByText('Two steps').waitFor()
  await assertAccessible(page)
  await button(page, 'Make next secret').click()

  const secret = await page.getByLabel('Next signing secret', { exact: true }).inputValue()
  assert.match(secret, /^ss_[0-9A-Za-z]{43}$/)
  assert.equal(await button(page, 'Activate').isDisabled(), true)
  assert.equal(await button(page, 'Activate later').isDisabled(), true)
  await page.keyboard.press('Escape')
  await assertAccessible(page)
  await button(page, 'Copy next signing secret').click()
  assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), secret)
  await button(page, 'Activate').click()

  await page.getByText('old secret ends').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(secret))
  assert.deepEqual(seen.blockedRequests, [])
  assert.deepEqual(seen.pageErrors, [])
})

test('a rotation can be left pending, and cancelled or activated later', async () => {
  await using service = await startService()
  await using seen = await openTokens(service)
  const { page } = seen
  const dialog = page.getByRole('dialog')
  const makeNext = async () => {
    await button(page, 'Rotate signing secret of backend').click()
    await button(page, 'Make next secret').click()
    await page.getByLabel('I have stored it').check()
    await button(page, 'Activate later').click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('next secret made').waitFor()
  }
  await makeNext()
  await page.reload()
  await button(page, 'Rotate signing secret of backend').click()
  await dialog.getByText('The next secret was made').waitFor()
  await assertAccessible(page)
  await button(page, 'Cancel rotation').click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('next secret made').waitFor({ state: 'detached' })

  await makeNext()
  await button(page, 'Rotate signing secret of backend').click()
  await button(page, 'Activate').click()
  await page.getByText('old secret ends').waitFor()
})

test('a rotation that somebody else has finished is explained in the dialog', async () => {
  await using service = await startService()
  await using seen = await openTokens(service)
  const { page, ada, id } = seen
  const path = `/web/tokens/${id}/next-secret`
  await ada.post(path)
  await page.reload()
  await button(page, 'Rotate signing secret of backend').click()
  await page.getByRole('dialog').getByText('The next secret was made').waitFor()
  assert.equal((await ada.delete(path)).status, 200)
  await button(page, 'Activate').click()
  await page.getByRole('alert').getByText('This token has no pending signing secret').waitFor()
})

test('the dialogs of a rotation fit a phone of 360 pixels', async () => {
  await using service = await startService()
  await using seen = await openTokens(service, 360)
  const { page } = seen
  const assertFits = async () => {
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    assert.ok(width <= 360, `${width} pixels wide`)
  }
  await button(page, 'Rotate signing secret of backend').click()
  await button(page, 'Make next secret').waitFor()
  await assertFits()
  await button(page, 'Make next secret').click()
  await page.getByLabel('I have stored it').check()
  await assertFits()
  await button(page, 'Activate later').click()
  await page.getByText('next secret made').waitFor()
  await button(page, 'Rotate signing secret of backend').click()
  await button(page, 'Cancel rotation').waitFor()
  await assertFits()
})
