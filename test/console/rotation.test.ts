import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { findAccessibilityViolations, openConsoleAs } from '../support/browser/console-pages.ts'
import { startService, type TestService } from '../support/service/start-service.ts'

let browser: Browser
before(async () => {
  browser = await openSharedBrowser()
})

/** Opens the token list in a signed-in browser, with one token named "backend". */
async function openTokens(service: TestService, width?: number) {
  const ada = await service.adminClient()
  const { id } = await ada.createToken({ name: 'backend' })
  const consoleWindow = await openConsoleAs(browser, ada, width === undefined ? {} : { width })
  await consoleWindow.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: service.url,
  })
  await consoleWindow.page.goto(`${service.url}/account?tab=tokens`)
  return { ...consoleWindow, ada, id }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function assertAccessible(page: Page): Promise<void> {
  assert.deepEqual(await findAccessibilityViolations(page), [])
}

test('the next signing secret is created, copied and activated', async () => {
  await using service = await startService()
  await using consoleWindow = await openTokens(service)
  const { page } = consoleWindow
  await button(page, 'Rotate secret of backend').click()
  await page.getByRole('dialog').getByText('two steps').waitFor()
  await page.getByRole('dialog').getByText('The API key of this token stays the same').waitFor()
  await assertAccessible(page)
  await button(page, 'Create next secret').click()

  const secret = await page.getByLabel('Next signing secret', { exact: true }).inputValue()
  assert.match(secret, /^ss_[0-9A-Za-z]{43}$/)
  assert.equal(await button(page, 'Activate').isDisabled(), true)
  assert.equal(await button(page, 'Activate later').isDisabled(), true)
  await page.keyboard.press('Escape')
  await assertAccessible(page)
  await button(page, 'Copy next signing secret').click()
  assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), secret)
  await button(page, 'Activate').click()

  await page.getByText('old secret expires').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(secret))
  assert.deepEqual(consoleWindow.blockedRequests, [])
  assert.deepEqual(consoleWindow.pageErrors, [])
})

test('a pending rotation can be canceled or activated later', async () => {
  await using service = await startService()
  await using consoleWindow = await openTokens(service)
  const { page } = consoleWindow
  const dialog = page.getByRole('dialog')
  const createNext = async () => {
    await button(page, 'Rotate secret of backend').click()
    await button(page, 'Create next secret').click()
    await page.getByLabel('I have stored it').check()
    await button(page, 'Activate later').click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('next secret created').waitFor()
  }
  await createNext()
  await page.reload()
  await button(page, 'Rotate secret of backend').click()
  await dialog.getByText('The next secret was created').waitFor()
  await assertAccessible(page)
  await button(page, 'Cancel rotation').click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('next secret created').waitFor({ state: 'detached' })

  await createNext()
  await button(page, 'Rotate secret of backend').click()
  await button(page, 'Activate').click()
  await page.getByText('old secret expires').waitFor()
})

test('the dialog shows an error when another session has canceled the rotation', async () => {
  await using service = await startService()
  await using consoleWindow = await openTokens(service)
  const { page, ada, id } = consoleWindow
  const path = `/web/tokens/${id}/next-secret`
  await ada.post(path)
  await page.reload()
  await button(page, 'Rotate secret of backend').click()
  await page.getByRole('dialog').getByText('The next secret was created').waitFor()
  assert.equal((await ada.delete(path)).status, 200)
  await button(page, 'Activate').click()
  await page.getByRole('alert').getByText('This token has no pending signing secret').waitFor()
})

test('a member sees the tokens that they created, and an admin sees all', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  await ada.createToken({ name: 'backend' })
  const { body } = await ada.post('/web/invitations', { role: 'member' })
  const bob = service.anonymousClient()
  const code = String(body['link']).split('#')[1]
  const person = { name: 'Bob', email: 'bob@example.com', password: 'bobs own secret' }
  await bob.post('/web/invitation/accept', { code, ...person })
  await bob.createToken({ name: 'laptop' })
  for (const [client, expected] of [
    [bob, ['laptop']],
    [ada, ['backend', 'laptop']],
  ] as const) {
    await using consoleWindow = await openConsoleAs(browser, client)
    const { page } = consoleWindow
    await page.goto(`${service.url}/account?tab=tokens`)
    await button(page, 'Revoke laptop').waitFor()
    const names = await page.getByRole('button', { name: /^Revoke / }).allInnerTexts()
    assert.equal(names.length, expected.length)
    for (const name of expected)
      assert.equal(await button(page, `Rotate secret of ${name}`).count(), 1)
    await assertAccessible(page)
  }
})

test('the rotation dialogs fit a phone of 360 pixels', async () => {
  await using service = await startService()
  await using consoleWindow = await openTokens(service, 360)
  const { page } = consoleWindow
  const assertFits = async () => {
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    assert.ok(width <= 360, `${width} pixels wide`)
  }
  await button(page, 'Rotate secret of backend').click()
  await button(page, 'Create next secret').waitFor()
  await assertFits()
  await button(page, 'Create next secret').click()
  await page.getByLabel('I have stored it').check()
  await assertFits()
  await button(page, 'Activate later').click()
  await page.getByText('next secret created').waitFor()
  await button(page, 'Rotate secret of backend').click()
  await button(page, 'Cancel rotation').waitFor()
  await assertFits()
})
