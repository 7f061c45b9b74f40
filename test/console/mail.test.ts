import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  openConsoleAs,
  openPageAndSettle,
} from '../support/browser/console-pages.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { mailSettings, openMailServer } from '../support/mail/mail-server.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startService } from '../support/service/start-service.ts'

const GUESTS = 'Also to invited people without an account'
const REFUSAL = { refuse: 550, text: 'No such user <img src=x onerror="window.__pwned=1">' }

test('an administrator sees what was mailed to whom, and sends a test mail', async () => {
  await using server = await openMailServer({
    treat: (recipient) => (recipient.startsWith('gone') ? REFUSAL : 'accept'),
  })
  await using service = await startService(mailSettings(server))
  const ada = await service.adminClient()
  for (const email of ['eve@example.com', 'gone@example.com'])
    await ada.post('/web/invitations', { role: 'member', email })
  await using window = await openConsoleAs(await openSharedBrowser(), ada)
  const { page } = window
  await openPageAndSettle(page, `http://127.0.0.1:${service.port}/system?tab=mail`)
  await page.getByRole('button', { name: 'Send a test mail to myself' }).click()
  await page.getByText('A test mail to ada@example.com is on its way.').waitFor()
  const table = page.getByRole('table', { name: 'Mail' })
  await table.getByRole('row').filter({ hasText: 'ada@example.com' }).getByText('Sent').waitFor()
  const refused = table.getByRole('row').filter({ hasText: 'gone@example.com' })
  await refused.getByText('The mail server refused it.').waitFor()
  await refused.getByText('550 No such user <img').waitFor()
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  await assertAccessible(page, '/system?tab=mail with mail')
  await assertFitsPhone(page, '/system?tab=mail with mail')
})

test('a person chooses which recaps to get, and an editor to whom a project sends them', async () => {
  await using server = await openMailServer()
  await using service = await startService(mailSettings(server))
  const url = `http://127.0.0.1:${service.port}`
  const ada = await service.adminClient()
  await ada.post('/web/meetings/start', { url: 'practice://standup?speed=1000', project: 'plans' })
  const ben = await invitePerson(service, ada, { name: 'Ben' })
  await using window = await openConsoleAs(await openSharedBrowser(), ben.client)
  const { page } = window
  await openPageAndSettle(page, `${url}/account?tab=notifications`)
  await page.getByRole('radio', { name: 'Only of meetings where I took part' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()
  assert.equal((await ben.client.get('/web/notifications')).body['recapMail'], 'took_part')
  await page.getByRole('combobox', { name: 'Send me a digest' }).selectOption('weekly')
  await page.getByRole('combobox', { name: 'Day' }).selectOption('friday')
  await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('17:00')
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await zone.fill('Europe/Nowhere')
  await page.getByRole('button', { name: 'Save digest' }).click()
  await page.getByText('Must be an IANA time zone such as Europe/Berlin').waitFor()
  await zone.fill('europe/berlin')
  await page.getByRole('button', { name: 'Save digest' }).click()
  await page.getByText('Saved.').nth(1).waitFor()
  await page.getByRole('combobox', { name: 'Send me a brief' }).selectOption('30 minutes before')
  await page.getByRole('button', { name: 'Save brief' }).click()
  await page.getByText('Saved.').nth(2).waitFor()
  assert.deepEqual((await ben.client.get('/web/notifications')).body, {
    recapMail: 'took_part',
    digest: { frequency: 'weekly', weekday: 'friday', hour: 17, timeZone: 'Europe/Berlin' },
    feed: null,
    briefMinutes: 30,
  })
  await page.getByRole('button', { name: 'Create address' }).click()
  const address = page.getByRole('textbox', { name: 'Address of your feed' })
  const first = new URL(await address.inputValue()).pathname
  assert.equal((await fetch(`${url}${first}`)).status, 200)
  await page.getByRole('button', { name: 'Replace address of your feed' }).click()
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await page.getByRole('button', { name: 'Replace address of your feed' }).waitFor()
  const second = new URL(await address.inputValue()).pathname
  assert.equal((await fetch(`${url}${first}`)).status, 404)
  assert.equal((await fetch(`${url}${second}`)).status, 200)
  await assertAccessible(page, '/account?tab=notifications with mail')
  await assertFitsPhone(page, '/account?tab=notifications with mail')
  await openPageAndSettle(page, `${url}/account?tab=notifications`)
  await page.getByText('It is not shown again').waitFor()
  await page.getByRole('button', { name: 'Remove feed' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Create address' }).waitFor()
  assert.equal((await fetch(`${url}${second}`)).status, 404)
  await openPageAndSettle(page, `${url}/projects/plans`)
  await page.getByRole('button', { name: 'Change recaps' }).click()
  // Only owners decide about people without an account.
  assert.equal(await page.getByRole('checkbox', { name: GUESTS }).count(), 0)
  const field = page.getByRole('combobox', { name: 'Send recaps by mail to' })
  await field.selectOption('participants')
  await assertAccessible(page, 'recap settings with mail')
  await assertFitsPhone(page, 'recap settings with mail')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('By mail to: Participants with an account').waitFor()
  await using own = await openConsoleAs(await openSharedBrowser(), ada)
  await openPageAndSettle(own.page, `${url}/projects/plans`)
  await own.page.getByRole('button', { name: 'Change recaps' }).click()
  await own.page.getByRole('checkbox', { name: GUESTS }).check()
  await own.page.getByRole('combobox', { name: 'Links for these people expire' }).selectOption('30')
  await assertAccessible(own.page, 'recap settings with guests')
  await assertFitsPhone(own.page, 'recap settings with guests')
  await own.page.getByRole('button', { name: 'Save' }).click()
  await own.page.getByText(/with an account, and invited people without/).waitFor()
  const { body } = await ada.get('/web/projects/plans/recap-settings')
  assert.partialDeepStrictEqual(body, { mailsGuests: true, guestLinkDays: 30 })
})
