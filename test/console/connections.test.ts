import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  openConsoleAs,
  openPageAndSettle,
} from '../support/browser/console-pages.ts'
import { startGoogleWorld } from '../support/google/google-world.ts'
import { formatKeyFile, MEET_SCOPE } from '../support/google/workspace.ts'
import {
  ORGANIZER,
  PROJECT,
  startConnectionWorld,
  type ConnectionWorld,
} from '../support/microsoft/connection-world.ts'
import { addTranscript, CLIENT_ID, CLIENT_SECRET, TENANT_ID } from '../support/microsoft/tenant.ts'

let browser: Browser
let world: ConnectionWorld
before(async () => {
  browser = await openSharedBrowser()
  world = await startConnectionWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
})

test('an administrator connects Microsoft 365, sees what is missing, and reads the transcripts', async () => {
  const { admin, service, microsoft, organizer, clock } = world
  organizer.hasPolicy = false
  await using consoleWindow = await openConsoleAs(browser, admin)
  const { page } = consoleWindow
  await openPageAndSettle(page, `${service.url}/system?tab=connections`)
  await page.getByText('No connections yet.').waitFor()
  await page.getByRole('button', { name: 'Connect Microsoft 365' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Example <b>Ltd</b>')
  await dialog.getByLabel('Directory (tenant) ID').fill(TENANT_ID)
  await dialog.getByLabel('Application (client) ID').fill('wrong')
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill(CLIENT_SECRET)
  await dialog.getByLabel('Organizers').fill(`${ORGANIZER}\nnobody@example.com`)
  await dialog.getByLabel('Project').fill(PROJECT)
  await dialog.getByText('Everyone who can sign in will be able to read the meetings.').waitFor()
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.getByText('Must be the application (client) ID').waitFor()
  await assertAccessible(page, '/system connections form')
  await dialog.getByLabel('Application (client) ID').fill(CLIENT_ID)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Connected. Check it to see').waitFor()
  await page.getByText('nobody@example.com: The organization has no active user').waitFor()
  await page.getByText('Needs attention').waitFor()

  await page.getByRole('button', { name: /^Check: / }).click()
  await dialog.getByText('Something is missing.').waitFor()
  await dialog.getByText('No application access policy').waitFor()
  await assertAccessible(page, '/system connections check')
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

  organizer.hasPolicy = true
  addTranscript(microsoft.tenant, organizer, { createdAt: clock.now() })
  clock.advance(1)
  await page.getByRole('button', { name: /^Read now: / }).click()
  await page.getByText('1 read').waitFor()
  await page.getByRole('button', { name: /^Transcripts: / }).click()
  await dialog.getByText(ORGANIZER).waitFor()
  await assertAccessible(page, '/system connections transcripts')
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await assertAccessible(page, '/system connections')
  await assertFitsPhone(page, '/system connections')
  assert.ok(!(await page.content()).includes(CLIENT_SECRET))

  await page.getByRole('button', { name: /^Pause / }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('button', { name: 'Remove connection' }).click()
  await page.getByText('No connections yet.').waitFor()
  assert.deepEqual(consoleWindow.pageErrors, [])
})

test('an administrator connects Google Workspace with the file of a key, and sees which scope is missing', async () => {
  await using own = await startGoogleWorld()
  const { admin, service, google } = own
  google.workspace.delegatedScopes = [MEET_SCOPE]
  await using consoleWindow = await openConsoleAs(browser, admin)
  const { page } = consoleWindow
  await openPageAndSettle(page, `${service.url}/system?tab=connections`)
  await page.getByRole('button', { name: 'Connect Google Workspace' }).click()
  const dialog = page.getByRole('dialog')
  const addFile = (content: string) =>
    dialog.locator('input[type=file]').setInputFiles({
      name: 'key.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    })
  await dialog.getByLabel('Name').fill('Example Ltd')
  await dialog.getByLabel('Organizers').fill(ORGANIZER)
  await dialog.getByLabel('Project').fill(PROJECT)
  await addFile('{}')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.getByText('Must be the JSON file of a service account’s key').waitFor()
  await assertAccessible(page, '/system connections Google form')
  await addFile(formatKeyFile())
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Connected. Check it to see').waitFor()
  await page.getByRole('button', { name: /^Check: / }).click()
  await dialog.getByText('does not grant the scope calendar.events.readonly').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

  await page.getByRole('button', { name: /^Edit: / }).click()
  await dialog.getByLabel('Read titles and private events').uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: /^Check: / }).click()
  await dialog.getByText('Everything that was tried works.').waitFor()
  assert.deepEqual(consoleWindow.pageErrors, [])
})
