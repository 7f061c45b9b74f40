import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { startAccessWorld, type AccessWorld } from '../support/access/access-world.ts'
import {
  assertAccessible,
  assertFitsPhone,
  openConsoleAs,
  visitPage,
} from '../support/browser/console-pages.ts'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { openForFile } from '../support/open-for-file.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'

let world: AccessWorld
let admin: { url: string; cookie: string }
before(async () => {
  world = await startAccessWorld()
  const { session } = await world.addUser('admin')
  admin = { url: world.url, cookie: session['cookie'] ?? '' }
})
after(() => world[Symbol.asyncDispose]())

const adminWindow = openForFile(async () => openConsoleAs(await openSharedBrowser(), admin))
/** The window of people without an account. */
const strangerWindow = openForFile(async () =>
  openIsolatedWindow(await openSharedBrowser(), world.url),
)

test('an owner shares a meeting by a link with a password, a stranger reads it, and it can be revoked', async () => {
  const { meeting } = await world.plant('sales', 'harbour')
  const { page } = adminWindow()
  await visitPage(page, `${world.url}/meetings/${meeting}`)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share by link' })
  await dialog.getByText('No links yet.').waitFor()
  await dialog.getByLabel('Expires').selectOption('7')
  await dialog.getByLabel('Password').fill('three unrelated words')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const url = await dialog.getByLabel('New link').inputValue()
  await dialog.getByText('Active · with password').waitFor()
  await assertFitsPhone(page, 'share-dialog')

  const { page: stranger } = strangerWindow()
  await stranger.goto(url)
  await assertAccessible(stranger, 'shared-password')
  await stranger.getByLabel('Password').fill('a wrong password')
  await stranger.getByRole('button', { name: 'Open' }).click()
  await stranger.getByRole('alert').getByText('not the password').waitFor()
  await stranger.getByLabel('Password').fill('three unrelated words')
  await stranger.getByRole('button', { name: 'Open' }).click()
  await stranger.getByRole('heading', { name: 'About harbour', level: 1 }).waitFor()
  await stranger.getByText('We talked about harbour today').waitFor()
  await stranger.getByText('It was about harbour').waitFor()
  await assertFitsPhone(stranger, 'shared-meeting')
  assert.deepEqual(await strangerWindow().context.cookies(), [])

  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByRole('button', { name: 'Revoke link' }).click()
  await dialog.getByText('Revoked · with password').waitFor()
  await dialog.getByText('opened 1 time').waitFor()
  assert.equal((await stranger.goto(url))?.status(), 404)
  await stranger.getByRole('heading', { name: 'This link does not work' }).waitFor()
  await saveScreenshots(stranger, 'shared-not-found')
  assert.deepEqual(strangerWindow().blockedRequests, [])
  assert.deepEqual(adminWindow().pageErrors, [])
})

test('an owner shares a document from its page', async () => {
  await world.plant('sales', 'lighthouse')
  const { page } = adminWindow()
  await visitPage(page, `${world.url}/projects/sales/notes/lighthouse.md`)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share by link' })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const url = await dialog.getByLabel('New link').inputValue()
  const { page: stranger } = strangerWindow()
  await stranger.goto(url)
  await stranger.getByText('A note about lighthouse here').waitFor()
  await assertAccessible(stranger, 'shared-document')
  assert.deepEqual(strangerWindow().blockedRequests, [])
  assert.deepEqual(strangerWindow().pageErrors, [])
  assert.deepEqual(adminWindow().pageErrors, [])
})
