import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { openConsoleAs, openPageAndSettle, visitPage } from '../support/browser/console-pages.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openStagedService } from '../support/service/open-staged-service.ts'

const NOW = Date.now()

/** The value of a browser's time field: noon, some days ahead. */
function noonIn(days: number): string {
  return `${new Date(NOW + days * 86_400_000).toISOString().slice(0, 10)}T12:00`
}

test('a meeting is scheduled from the form, moved to another time and stopped before it begins', async () => {
  await using staged = await openStagedService()
  const { service, ada } = staged
  await using consoleWindow = await openConsoleAs(await openSharedBrowser(), ada)
  const { page } = consoleWindow
  await openPageAndSettle(page, `${service.url}/meetings`)
  await page.getByLabel('Meeting link').fill('stage://review')
  await page.getByLabel('Join at').fill(noonIn(200))
  await assertAccessible(page, 'schedule-form')
  const schedule = page.getByRole('button', { name: 'Schedule', exact: true })
  await schedule.click()
  await page.getByText('Must be at most 90 days ahead').waitFor()
  await page.getByLabel('Join at').fill(noonIn(2))
  await schedule.click()
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.getByRole('button', { name: 'Change time' }).waitFor()
  await page.getByText('Scheduled', { exact: true }).waitFor()
  await page.getByText('This meeting has not started').waitFor()
  assert.equal(await page.getByRole('region', { name: 'Transcript and search' }).count(), 0)
  assert.equal(await page.getByLabel('Ask about this meeting').count(), 0)
  assert.equal(await page.getByText('0 participants').count(), 0)
  await assertAccessible(page, 'scheduled-meeting')
  const meetingId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const joinTime = async () => {
    const { body } = await ada.get(`/web/meetings/${meetingId}`)
    return (body['meeting'] as Record<string, string>)['joinAt']
  }
  /** The browser decides which time zone is local. */
  const toUtc = (local: string) => page.evaluate(`new Date('${local}').toISOString()`)
  assert.equal(await joinTime(), await toUtc(noonIn(2)))

  await page.getByRole('button', { name: 'Change time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the time' })
  const field = dialog.getByLabel('Join at')
  assert.equal(await field.inputValue(), noonIn(2))
  await field.fill(noonIn(3))
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await joinTime(), await toUtc(noonIn(3)))

  await visitPage(page, `${service.url}/meetings?status=scheduled`)
  await page
    .getByRole('row', { name: /Staged meeting/ })
    .getByText(/^Joins in \d+ days$/)
    .waitFor()
  await page.getByRole('link', { name: 'Staged meeting' }).click()
  await page.getByRole('button', { name: 'Cancel meeting' }).click()
  const cancelling = page.getByRole('dialog', { name: 'Cancel “Staged meeting”?' })
  await cancelling.getByText('Hansard will not join this meeting.').waitFor()
  await cancelling.getByRole('button', { name: 'Cancel meeting' }).click()
  await page.getByText('Ended', { exact: true }).waitFor()
  assert.deepEqual(consoleWindow.pageErrors, [])
})
