import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  openConsoleAs,
  openPageAndSettle,
} from '../support/browser/console-pages.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import {
  googleEvent,
  startAccountWorld,
  type AccountWorld,
} from '../support/calendar-accounts/account-world.ts'
import { createEventLog } from '../support/calendar-accounts/event-log.ts'
import { GOOGLE_APP, type GoogleEvent } from '../support/google-calendar/google-calendar-server.ts'
import { eventually } from '../support/time/eventually.ts'

let browser: Browser
let world: AccountWorld
before(async () => {
  browser = await openSharedBrowser()
  // Without a public address, the provider sends the browser back to this machine.
  world = await startAccountWorld({ HANSARD_PUBLIC_URL: '' })
})
after(async () => {
  await world[Symbol.asyncDispose]()
})

test('an admin sets up Google, and a person connects an account, chooses a calendar and reconnects with one click', async () => {
  const { admin, service, google, clock } = world
  await admin.delete('/web/calendar-apps/google')
  const subject = 'ada@gmail.example'
  const log = createEventLog<GoogleEvent>()
  google.calendars.set(subject, log)
  google.consent.subject = subject
  const link = { hangoutLink: 'https://meet.google.com/abc-defg-hij' }
  log.put('a', googleEvent({ clock, minutes: 90 }, 'Review <b>of</b> plans', link))
  log.put('b', googleEvent({ clock, minutes: 200 }, 'Dentist', { ...link, visibility: 'private' }))
  await using consoleWindow = await openConsoleAs(browser, admin, { alsoReaches: google.origin })
  const { page } = consoleWindow
  await openPageAndSettle(page, `${service.url}/system?tab=connections`)
  await page.getByText('/web/calendar-accounts/callback').waitFor()
  await page.getByRole('button', { name: 'Set up Google' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Client ID').fill(GOOGLE_APP.clientId)
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill(GOOGLE_APP.clientSecret)
  await assertAccessible(page, '/system calendar application form')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. People can connect their calendars.').waitFor()
  await assertAccessible(page, '/system calendar applications')
  await assertFitsPhone(page, '/system calendar applications')
  assert.ok(!(await page.content()).includes(GOOGLE_APP.clientSecret))

  await openPageAndSettle(page, `${service.url}/account?tab=calendars`)
  await page.getByRole('button', { name: 'Connect a calendar' }).click()
  await dialog.getByRole('button', { name: 'Connect Google' }).waitFor()
  await assertAccessible(page, '/account calendars connect')
  await dialog.getByRole('button', { name: 'Connect Google' }).click()
  // The browser was at Google and came back.
  await dialog.getByText('ada@gmail.example (main calendar)').waitFor()
  await assertAccessible(page, '/account calendars choose')
  await dialog.getByRole('button', { name: `Choose ${subject}` }).click()
  await dialog.getByText('Hansard would join 1 of 2 events.').waitFor()
  await dialog.getByText('The event is marked as private.').waitFor()
  await assertAccessible(page, '/account calendars rules')
  await dialog.getByRole('button', { name: 'Add calendar' }).click()
  await page.getByText('is connected.').waitFor()
  await page.getByText(`${subject} (Google)`).waitFor()
  assert.equal(new URL(page.url()).search, '?tab=calendars')
  await assertAccessible(page, '/account calendars with an account')
  await assertFitsPhone(page, '/account calendars with an account')

  google.consent.revoke(subject)
  clock.advance(30)
  await page.getByRole('button', { name: /^Refresh now/ }).click()
  await page.getByText('Access has ended').waitFor()
  await assertAccessible(page, '/account calendars with an account that has ended')
  await page.getByRole('button', { name: 'Reconnect Google' }).first().click()
  await page.getByText(`${subject} is connected again.`).waitFor()
  await eventually(async () => (await page.getByText('Can’t be read').count()) === 0 || null)

  await page
    .getByRole('button', { name: `Remove ${subject}` })
    .last()
    .click()
  await dialog.getByText('and forgets its calendar with the rules').waitFor()
  await dialog.getByRole('button', { name: 'Remove account' }).click()
  await page.getByText('No calendar is connected.').waitFor()
  assert.deepEqual(consoleWindow.pageErrors, [])
})

test('a person who refuses at the provider reads what happened', async () => {
  const { admin, service, google } = world
  google.consent.refuses = true
  await using consoleWindow = await openConsoleAs(browser, admin, { alsoReaches: google.origin })
  const { page } = consoleWindow
  await openPageAndSettle(page, `${service.url}/account?tab=calendars`)
  await page.getByRole('button', { name: 'Connect a calendar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Connect Google' }).click()
  await page.getByText('access was not given. Nothing has changed.').waitFor()
  google.consent.refuses = false
})
