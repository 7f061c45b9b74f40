import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { STANDARD_CHECKS } from '../../src/operations/doctor/checks.ts'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  openPageAndSettle,
  signInAs,
  visitPage,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import { openModelServer, type ModelServer } from '../support/tasks/model-server.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startService, type TestService } from '../support/service/start-service.ts'

const TABS = [
  'overview',
  'people',
  'provisioning',
  'projects',
  'bot-accounts',
  'connections',
  'models',
  'mail',
  'audit',
].map((tab) => `/system?tab=${tab}`)
const HOSTILE = `<img src=x onerror="window.__pwned=1"><script>window.__pwned=1</script>`
const SIGNED_IN = JSON.stringify({
  cookies: [{ name: 'SID', value: 'secret', domain: '.google.com', expires: 4_000_000_000 }],
})

let browser: Browser
let service: TestService
let models: ModelServer
let ada: HttpClient
before(async () => {
  browser = await openSharedBrowser()
  models = await openModelServer(() => ({ words: ['OK'] }))
  service = await startService({
    HANSARD_MIN_FREE_DISK_MB: '999999999',
    HANSARD_AI_MODEL: 'openai-compatible/small',
    HANSARD_AI_BASE_URL: models.url,
  })
  ada = await service.adminClient()
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await models[Symbol.asyncDispose]()
})

/** The administrator's window of all tests. Only the page changes in it. */
const adminWindow = openForFile(async () => openConsoleAs(browser, ada))
/** The window of other people. */
const otherWindow = openForFile(() => openIsolatedWindow(browser, service.url))

async function invite(name: string, email: string, role: 'admin' | 'member' = 'member') {
  return (await invitePerson(service, ada, { name, email, role })).client
}

test('an administrator opens the system page by keyboard and sees failed checks with their fix', async () => {
  const { page, pageErrors } = adminWindow()
  await openPageAndSettle(page, `${service.url}/`)
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.waitForURL(/\/system$/)
  await page.getByText(`1 of ${STANDARD_CHECKS.length} checks failed.`).waitFor()
  const disk = page.getByRole('listitem').filter({ hasText: '999999999 MB are needed' })
  await disk.getByRole('img', { name: 'failed' }).waitFor()
  assert.match((await page.locator('.checks > li').first().textContent()) ?? '', /999999999 MB/)
  await disk.getByText('free some space on the disk').waitFor()
  await page.getByText('the service is running at').waitFor()
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText(`1 of ${STANDARD_CHECKS.length} checks failed.`).waitFor()
  await page.getByText('No backups yet.').waitFor()
  await page.getByText(process.versions.node, { exact: true }).waitFor()
  await page.getByText('This node', { exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: '/metrics' }).getAttribute('href'), '/metrics')
  assert.deepEqual(pageErrors, [])
})

test('a model is tested on demand, and a bot account is uploaded and removed', async () => {
  const { page, pageErrors } = adminWindow()
  await visitPage(page, `${service.url}/system?tab=models`)
  assert.equal(models.requests.length, 0)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText(/^Success: /).waitFor()

  await page.getByRole('tab', { name: 'Bot accounts' }).click()
  await page.getByRole('button', { name: 'Add account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Notes bot')
  const upload = (text: string) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'state.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
  await upload('{}')
  await dialog.getByRole('button', { name: 'Add account' }).click()
  await dialog.getByText('It is not a Playwright storage state').waitFor()
  await upload(SIGNED_IN)
  await dialog.getByRole('button', { name: 'Add account' }).click()
  await page.getByText('signed in to Google Meet, until').waitFor()
  await page.getByRole('button', { name: 'Remove Notes bot' }).click()
  await page.getByRole('button', { name: 'Remove account' }).click()
  await page.getByText('No bot accounts yet. Bots join as guests.').waitFor()
  assert.deepEqual(pageErrors, [])
})

test('removing a person ends their personal tokens, and their service tokens unless the box is unchecked', async () => {
  const { page, pageErrors } = adminWindow()
  const dialog = page.getByRole('dialog')
  const people = { Carol: 401, Dora: 200 }
  for (const [name, status] of Object.entries(people)) {
    const person = await invite(name, `${name.toLowerCase()}@example.com`, 'admin')
    const personal = await person.createToken()
    const ofService = await person.createToken({ name: 'nightly', kind: 'service' })
    await openPageAndSettle(page, `${service.url}/system?tab=people`)
    await page.getByRole('button', { name: `Remove ${name}` }).click()
    await dialog.getByText('Their 1 personal API token will stop working.').waitFor()
    const revokes = dialog.getByRole('checkbox', { name: 'Also revoke 1 service token' })
    assert.equal(await revokes.isChecked(), true)
    if (status === 200) await revokes.uncheck()
    else await assertAccessible(page, 'removing a person')
    await dialog.getByRole('button', { name: 'Remove person' }).click()
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor({ state: 'detached' })
    const statusOf = async ({ apiKey }: { apiKey: string }) =>
      (await service.anonymousClient().get('/api/v1/token', { 'x-api-key': apiKey })).status
    assert.deepEqual([await statusOf(personal), await statusOf(ofService)], [401, status], name)
    await openPageAndSettle(page, `${service.url}/account?tab=tokens`)
    await page.getByRole('switch', { name: /^Show revoked tokens/ }).check()
    await page.getByText(`by ${name}`).first().waitFor()
    assert.equal(await page.getByText('on the command line').count(), 0)
    assert.deepEqual(pageErrors, [])
  }
  await invite('Frida', 'frida@example.com')
  await openPageAndSettle(page, `${service.url}/system?tab=people`)
  await page.getByRole('button', { name: 'Remove Frida' }).click()
  await dialog.getByText('They have no personal API tokens.').waitFor()
  assert.equal(await dialog.getByRole('checkbox').count(), 0)
})

test('an administrator changes a role, hands out a reset link, and finds both in the audit log', async () => {
  const grace = await invite('Grace', 'grace@example.com')
  const { page, pageErrors } = adminWindow()
  await openPageAndSettle(page, `${service.url}/system?tab=people`)
  await page.getByRole('button', { name: 'Edit Grace' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('ada@example.com')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('A user with this email address already exists').waitFor()
  await dialog.getByLabel('Email').fill('hopper@example.com')
  await dialog.getByRole('radio', { name: /^Administrator/ }).check()
  await assertAccessible(page, 'editing a person')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Grace hopper@example\.com Administrator/ }).waitFor()
  const ofService = await grace.createToken({ name: 'nightly', kind: 'service' })
  await page.getByRole('button', { name: 'Edit Grace' }).click()
  await dialog.getByRole('button', { name: 'Create reset link' }).click()
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
  await assertAccessible(page, 'a reset link')
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('tab', { name: 'Audit' }).click()
  await page.getByLabel('Action').selectOption({ label: 'Role changed' })
  const entry = 'Ada ada@example.com Role changed Grace hopper@example.com member → admin'
  await page.getByRole('row', { name: entry }).waitFor()
  await page.getByLabel('Who').selectOption({ label: 'Command line' })
  await page.getByText('No entries match these filters.').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  assert.equal((await download).suggestedFilename(), 'audit.csv')

  const graces = otherWindow()
  await openPageAndSettle(graces.page, link)
  await graces.page.getByText('For Grace (hopper@example.com).').waitFor()
  assert.equal(new URL(graces.page.url()).hash, '')
  await assertAccessible(graces.page, '/reset')
  await graces.page.getByLabel('New password').fill('grace sets her own one')
  await graces.page.getByRole('button', { name: 'Set password and sign in' }).click()
  await graces.page.getByRole('link', { name: 'System' }).waitFor()

  await openPageAndSettle(page, `${service.url}/system?tab=people`)
  await page.getByRole('button', { name: 'Edit Grace' }).click()
  assert.equal(await dialog.getByRole('checkbox').count(), 0)
  await dialog.getByRole('radio', { name: /^Member/ }).check()
  assert.ok(await dialog.getByLabel('Also revoke 1 service token').isChecked())
  await assertAccessible(page, 'demoting an administrator')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Grace hopper@example\.com Member/ }).waitFor()
  const headers = { 'x-api-key': ofService.apiKey }
  assert.equal((await service.anonymousClient().get('/api/v1/token', headers)).status, 401)
  assert.deepEqual([...pageErrors, ...graces.pageErrors], [])
})

test('a member has no System menu entry and sees a notice on the system page', async () => {
  const bob = await invite('Bob', 'bob@example.com')
  const { page, pageErrors } = otherWindow()
  await signInAs(otherWindow(), bob)
  await openPageAndSettle(page, `${service.url}/system`)
  await page.getByText('Only administrators can open this page').waitFor()
  assert.equal(await page.getByRole('link', { name: 'System' }).count(), 0)
  assert.equal((await bob.get('/web/system/storage')).status, 403)
  await assertAccessible(page, '/system as a member')
  assert.deepEqual(pageErrors, [])
})

test('every system tab has no accessibility violations, fits a phone and shows names as text', async () => {
  await invite(HOSTILE.slice(0, 100), 'evil@example.com')
  await ada.post('/web/invitations', { role: 'member' })
  const account = { name: 'Notes bot', platform: 'google_meet', state: SIGNED_IN }
  await ada.post('/web/system/bot-accounts', account)
  const { page, pageErrors, blockedRequests } = adminWindow()
  for (const path of TABS) {
    await visitPage(page, `${service.url}${path}`)
    await assertAccessible(page, path)
    await assertFitsPhone(page, path)
  }
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(blockedRequests, [])
  assert.deepEqual(pageErrors, [])
})

test('an administrator installs speech recognition and reads why that failed', async () => {
  const { page, pageErrors } = adminWindow()
  await visitPage(page, `${service.url}/system`)
  const card = page.getByRole('region', { name: 'Speech recognition' })
  await card.getByText('Not installed').waitFor()
  await card.getByText('Sound is never written to disk').waitFor()
  await card.getByRole('button', { name: 'Install', exact: true }).click()
  await card.getByText('Failed: Tests fetch no packages. Replace fetchSpeechPackage').waitFor()
  assert.deepEqual(pageErrors, [])
})
