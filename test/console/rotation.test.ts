import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Client } from 'pg'
import type { Page } from 'playwright-core'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone, openPageAndSettle, signInAs } from '../support/browser/console-pages.ts'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { INVITED_PASSWORD, invitePerson } from '../support/service/invite-person.ts'
import { startService } from '../support/service/start-service.ts'

const opened = openForFile(async () => {
  const service = await startService()
  return Object.assign(service, { ada: await service.adminClient() })
})

/** Creates an account, which sees only its own tokens. */
async function addMember(name: string): Promise<HttpClient> {
  const service = opened()
  return (await invitePerson(service, service.ada, { name })).client
}

/** The window of all tests, each of which signs in as another person. */
const consoleWindow = openForFile(async () => {
  const { url } = opened()
  const window = await openIsolatedWindow(await openSharedBrowser(), url)
  await window.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  return window
})

async function openTokensAs(person: HttpClient): Promise<Page> {
  const { page } = consoleWindow()
  await signInAs(consoleWindow(), person)
  await openPageAndSettle(page, `${person.url}/account?tab=tokens`)
  return page
}

/** Opens the token list of a new member, with one token named "backend". */
async function openTokens(name: string) {
  const member = await addMember(name)
  const { id } = await member.createToken({ name: 'backend' })
  return { page: await openTokensAs(member), member, id }
}

async function makeSessionsOld(): Promise<void> {
  const database = new Client({ connectionString: opened().databaseUrl })
  await database.connect()
  await database.query("update session set created_at = created_at - interval '1 hour'")
  await database.end()
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('the next signing secret is created, copied and activated', async () => {
  const { page } = await openTokens('grace')
  await button(page, 'Rotate secret of backend').click()
  await page.getByRole('dialog').getByText('two steps').waitFor()
  await page.getByRole('dialog').getByText('The API key of this token stays the same').waitFor()
  await assertAccessible(page, 'rotation-start')
  await assertFitsPhone(page, 'rotation')
  await button(page, 'Create next secret').click()

  const secret = await page.getByLabel('Next signing secret', { exact: true }).inputValue()
  assert.match(secret, /^ss_[0-9A-Za-z]{43}$/)
  assert.equal(await button(page, 'Activate').isDisabled(), true)
  assert.equal(await button(page, 'Activate later').isDisabled(), true)
  await page.keyboard.press('Escape')
  await assertAccessible(page, 'rotation-next')
  await assertFitsPhone(page, 'next-secret')
  await button(page, 'Copy next signing secret').click()
  assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), secret)
  await button(page, 'Activate').click()

  await page.getByText('old secret expires').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(secret))
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a pending rotation can be canceled or activated later', async () => {
  const { page } = await openTokens('bob')
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
  await assertAccessible(page, 'rotation-done')
  await assertFitsPhone(page, 'pending-rotation')
  await button(page, 'Cancel rotation').click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('next secret created').waitFor({ state: 'detached' })

  await createNext()
  await button(page, 'Rotate secret of backend').click()
  await button(page, 'Activate').click()
  await page.getByText('old secret expires').waitFor()
})

test('the dialog shows an error when another session has canceled the rotation', async () => {
  const { page, member, id } = await openTokens('carol')
  const path = `/web/tokens/${id}/next-secret`
  await member.post(path)
  await page.reload()
  await button(page, 'Rotate secret of backend').click()
  await page.getByRole('dialog').getByText('The next secret was created').waitFor()
  assert.equal((await member.delete(path)).status, 200)
  await button(page, 'Activate').click()
  await page.getByRole('alert').getByText('This token has no pending signing secret').waitFor()
})

test('a member sees the tokens that they created, and an admin sees all', async () => {
  const { ada } = opened()
  await ada.createToken({ name: 'nightly' })
  const erin = await addMember('erin')
  await erin.createToken({ name: 'laptop' })
  for (const [client, others] of [
    [erin, 0],
    [ada, 1],
  ] as const) {
    const page = await openTokensAs(client)
    await button(page, 'Revoke laptop').waitFor()
    await button(page, 'Rotate secret of laptop').waitFor()
    assert.equal(await button(page, 'Rotate secret of nightly').count(), others)
  }
})

test('the form for a token asks for the password when the session is old, and keeps what was typed', async () => {
  const { page } = await openTokens('iris')
  await page.getByRole('table').waitFor()
  await makeSessionsOld()
  await button(page, 'New token').click()
  await page.getByLabel('Token name').fill('nightly')
  await button(page, 'Create token').click()
  const password = page.getByLabel('Password', { exact: true })
  await password.waitFor()
  await assertAccessible(page, 'token-password')
  await assertFitsPhone(page, 'token-password')
  await password.fill('not the password')
  await button(page, 'Create token').click()
  await page.getByText('The email address or password is wrong').waitFor()
  await password.fill(INVITED_PASSWORD)
  await button(page, 'Create token').click()
  await page.getByRole('dialog', { name: 'Token “nightly” created' }).waitFor()
})
