import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { CHECKS } from '../../src/operations/doctor/checks.ts'
import { openBrowser } from '../support/browser/open-browser.ts'
import {
  assertAccessible,
  assertNoHorizontalScroll,
  openPageAndSettle,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import { openModelServer, type ModelServer } from '../support/tasks/model-server.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { startService, type TestService } from '../support/service/start-service.ts'

const TABS = ['overview', 'people', 'bot-accounts', 'models'].map((tab) => `/system?tab=${tab}`)
const HOSTILE = `<img src=x onerror="window.__pwned=1"><script>window.__pwned=1</script>`
const SIGNED_IN = JSON.stringify({
  cookies: [{ name: 'SID', value: 'secret', domain: '.google.com', expires: 4_000_000_000 }],
})

let browser: Browser
let service: TestService
let models: ModelServer
let ada: HttpClient
before(async () => {
  browser = await openBrowser()
  models = await openModelServer(() => ({ words: ['OK'] }))
  service = await startService({
    HANSARD_MIN_FREE_DISK_MB: '999999999',
    HANSARD_AI_MODEL: 'openai-compatible/small',
    HANSARD_AI_BASE_URL: models.url,
  })
  ada = await service.adminClient()
})
after(async () => {
  await browser.close()
  await service[Symbol.asyncDispose]()
  await models[Symbol.asyncDispose]()
})

async function invite(name: string, email: string): Promise<HttpClient> {
  const { body } = await ada.post('/web/invitations', { role: 'member' })
  const code = String(body['link']).split('#')[1]
  const person = service.anonymousClient()
  await person.post('/web/invitation/accept', { name, email, password: 'a long enough one', code })
  return person
}

test('an administrator sees by keyboard what doctor finds, and the command that mends it', async () => {
  await using seen = await openConsoleAs(browser, ada)
  const { page } = seen
  await openPageAndSettle(page, `${service.url}/`)
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.waitForURL(/\/system$/)
  await page.getByText(`1 of ${CHECKS.length} checks failed.`).waitFor()
  const disk = page.getByRole('listitem').filter({ hasText: '999999999 MB are needed' })
  await disk.getByRole('img', { name: 'failed' }).waitFor()
  await disk.getByText('free some space on the disk').waitFor()
  await page.getByText('the service is running at').waitFor()
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText(`1 of ${CHECKS.length} checks failed.`).waitFor()
  await page.getByText('No backup was made yet.').waitFor()
  await page.getByText(process.versions.node, { exact: true }).waitFor()
  await page.getByText('Answers you').waitFor()
  assert.equal(await page.getByRole('link', { name: '/metrics' }).getAttribute('href'), '/metrics')
  assert.deepEqual(seen.pageErrors, [])
})

test('a model is asked on a click, and a bot account is brought as a file and removed by name', async () => {
  await using seen = await openConsoleAs(browser, ada)
  const { page } = seen
  await openPageAndSettle(page, `${service.url}/system?tab=models`)
  assert.equal(models.requests.length, 0)
  await page.getByRole('button', { name: 'Ask it' }).click()
  await page.getByText('Yes: The model answers').waitFor()

  await page.getByRole('tab', { name: 'Bot accounts' }).click()
  await page.getByRole('button', { name: 'Add' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Notes bot')
  const bring = (text: string) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'state.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
  await bring('{}')
  await dialog.getByRole('button', { name: 'Add account' }).click()
  await dialog.getByText('It is not a storage state').waitFor()
  await bring(SIGNED_IN)
  await dialog.getByRole('button', { name: 'Add account' }).click()
  await page.getByText('signed in to Google Meet, until').waitFor()
  await page.getByRole('button', { name: 'Remove Notes bot' }).click()
  await page.getByRole('button', { name: 'Remove account' }).click()
  await page.getByText('None yet: bots come as guests.').waitFor()
  assert.deepEqual(seen.pageErrors, [])
})

test('who removes a person is told of the API tokens they made, and revokes them unless told otherwise', async () => {
  const makers = { Carol: 401, Dora: 200 }
  for (const [name, status] of Object.entries(makers)) {
    const person = await invite(name, `${name.toLowerCase()}@example.com`)
    const tokens = [await person.createToken(), await person.createToken()]
    await using seen = await openConsoleAs(browser, ada)
    const { page } = seen
    await openPageAndSettle(page, `${service.url}/system?tab=people`)
    await page.getByRole('button', { name: `Remove ${name}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('They made 2 API tokens that still work.').waitFor()
    const revokes = dialog.getByRole('checkbox', { name: 'Revoke the API tokens they made too' })
    assert.equal(await revokes.isChecked(), true)
    await assertAccessible(page, 'removing a person')
    if (status === 200) await revokes.uncheck()
    await dialog.getByRole('button', { name: 'Remove person' }).click()
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor({ state: 'detached' })
    for (const { apiKey } of tokens) {
      const answer = await service.anonymousClient().get('/api/v1/token', { 'x-api-key': apiKey })
      assert.equal(answer.status, status, name)
    }
    await openPageAndSettle(page, `${service.url}/account?tab=tokens`)
    if (status === 401) await page.getByRole('switch', { name: 'Show revoked tokens (2)' }).check()
    await page.getByText(`by ${name}`).first().waitFor()
    assert.equal(await page.getByText('on the command line').count(), 0)
    assert.deepEqual(seen.pageErrors, [])
  }
  await invite('Frida', 'frida@example.com')
  await using seen = await openConsoleAs(browser, ada)
  await openPageAndSettle(seen.page, `${service.url}/system?tab=people`)
  await seen.page.getByRole('button', { name: 'Remove Frida' }).click()
  const dialog = seen.page.getByRole('dialog')
  await dialog.getByText('They made no API token that still works.').waitFor()
  assert.equal(await dialog.getByRole('checkbox').count(), 0)
})

test('a member finds no way to the system in the menu and a clear page at its address', async () => {
  const bob = await invite('Bob', 'bob@example.com')
  await using seen = await openConsoleAs(browser, bob)
  await openPageAndSettle(seen.page, `${service.url}/system`)
  await seen.page.getByText('This page is for administrators').waitFor()
  assert.equal(await seen.page.getByRole('link', { name: 'System' }).count(), 0)
  assert.equal((await bob.get('/web/system/storage')).status, 403)
  await assertAccessible(seen.page, '/system as a member')
  assert.deepEqual(seen.pageErrors, [])
})

test('every tab is free of faults in both themes, fits a phone, and takes names as text', async () => {
  await invite(HOSTILE.slice(0, 100), 'evil@example.com')
  await ada.post('/web/invitations', { role: 'member' })
  const wish = { name: 'Notes bot', platform: 'google_meet', state: SIGNED_IN }
  await ada.post('/web/system/bot-accounts', wish)
  await using seen = await openConsoleAs(browser, ada)
  for (const path of TABS) {
    await seen.page.setViewportSize({ width: 1280, height: 800 })
    await openPageAndSettle(seen.page, `${service.url}${path}`)
    await assertAccessible(seen.page, path)
    await seen.page.setViewportSize({ width: 360, height: 800 })
    await assertNoHorizontalScroll(seen.page, path)
  }
  assert.equal(await seen.page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(seen.blockedRequests, [])
  assert.deepEqual(seen.pageErrors, [])
})
