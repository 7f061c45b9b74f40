import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone, openConsoleAs, visitPage } from '../support/browser/console-pages.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startService } from '../support/service/start-service.ts'

const GOOD =
  'WEBVTT\n\n00:00:01.500 --> 00:00:04.000\n<v Ada>The walrus is well.\n\n00:00:05.000 --> 00:00:06.000\n<v Ben>Good.\n'
const BAD = 'WEBVTT\n\n00:00:05.000 --> 00:00:04.000\n<v Ada>Hello\n'

const opened = openForFile(async () => {
  const service = await startService({})
  return Object.assign(service, { ada: await service.adminClient() })
})
/** The window of all tests. */
const consoleWindow = openForFile(async () =>
  openConsoleAs(await openSharedBrowser(), opened().ada),
)

/** Drags a file over the page and, with `type` drop, drops it. */
async function dragFile(page: Page, type: string, name: string, bytes: Buffer): Promise<void> {
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], '${name}'))
    document.querySelector('main').dispatchEvent(
      new DragEvent('${type}', { bubbles: true, cancelable: true, dataTransfer: transfer }))
  })()`)
}

test('files are imported with the button, and each failure names line and reason', async () => {
  const { url } = opened()
  const { page } = consoleWindow()
  await visitPage(page, `${url}/meetings`)
  await page.getByRole('button', { name: 'Import files' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import transcripts or recordings' })
  await dialog.locator('input[type=file]').setInputFiles([
    {
      name: 'GMT20241115-083000_Recording.transcript.vtt',
      mimeType: 'text/vtt',
      buffer: Buffer.from(GOOD),
    },
    { name: 'broken.vtt', mimeType: 'text/vtt', buffer: Buffer.from(BAD) },
    {
      name: 'picture.png',
      mimeType: 'image/png',
      buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]),
    },
  ])
  await dialog.getByText('3 files').waitFor()
  await dialog.getByLabel('Project').fill('walruses')
  await assertAccessible(page, 'meetings-import')
  await assertFitsPhone(page, 'meetings-import')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.getByText('1 file imported, 2 not imported').waitFor()
  const results = await dialog.getByRole('list', { name: 'Results' }).innerText()
  assert.match(results, /Imported 2 segments \(WebVTT\)\./)
  assert.match(results, /Line 3: The cue ends \(00:00:04\.000\) before it starts/)
  assert.match(results, /picture\.png\n+This is not a text file/)
  await assertAccessible(page, 'meetings-import-results')
  await dialog.getByRole('link', { name: 'Open the meeting' }).click()
  await page.getByText('The walrus is well.').first().waitFor()
  await page.getByRole('tab', { name: 'Developer' }).click()
  await page
    .getByText('Imported from GMT20241115-083000_Recording.transcript.vtt (WebVTT)')
    .waitFor()
  await saveScreenshots(page, 'imported-meeting')
  await visitPage(page, `${url}/meetings?platform=imported`)
  await page.getByRole('table').getByText('Imported').first().waitFor()
})

test('files that are dropped anywhere on the page are imported after the project is chosen', async () => {
  const { url } = opened()
  const { page } = consoleWindow()
  await visitPage(page, `${url}/meetings`)
  const file = Buffer.from(`\ufeff${GOOD}`, 'utf16le')
  await dragFile(page, 'dragenter', 'dropped.vtt', file)
  await page.getByText('Drop transcripts or recordings to import them').waitFor()
  await saveScreenshots(page, 'meetings-drop')
  await dragFile(page, 'dragleave', 'dropped.vtt', file)
  await page
    .getByText('Drop transcripts or recordings to import them')
    .waitFor({ state: 'detached' })
  await dragFile(page, 'drop', 'dropped.vtt', file)
  const dialog = page.getByRole('dialog', { name: 'Import transcripts or recordings' })
  await dialog.getByText('dropped.vtt').waitFor()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.getByText('1 file imported').waitFor()
  await dialog.getByText('The file does not say when the meeting started').waitFor()
  await dialog.getByText('open the meeting and choose More → Change date.').waitFor()
  await dialog.getByRole('link', { name: 'Open the meeting' }).click()
  await page.getByRole('tab', { name: 'Participants' }).click()
  await page.getByRole('list', { name: 'Participants' }).waitFor()
  assert.equal(await page.getByText('The bot appears as').count(), 0)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Change date…' }).click()
  const change = page.getByRole('dialog', { name: 'Change date' })
  await change.getByLabel('Started').fill('2026-03-02T09:00')
  await change.getByRole('button', { name: 'Save' }).click()
  await change.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'History' }).click()
  await page
    .getByRole('dialog', { name: 'History' })
    .getByText(/^Date: .* → .*2 Mar/)
    .waitFor()
})

test('the title and the date of one file can be given before it is imported', async () => {
  const { ada, url } = opened()
  const { page } = consoleWindow()
  await visitPage(page, `${url}/meetings`)
  await page.getByRole('button', { name: 'Import files' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import transcripts or recordings' })
  const buffer = Buffer.from(GOOD)
  await dialog
    .locator('input[type=file]')
    .setInputFiles([{ name: 'a.vtt', mimeType: 'text/vtt', buffer }])
  await dialog.getByLabel('Title').fill('Walrus council')
  await dialog.getByLabel('Started').fill('2026-03-02T09:00')
  await assertAccessible(page, 'meetings-import-one')
  await assertFitsPhone(page, 'meetings-import-one')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.getByText('1 file imported').waitFor()
  const { body } = await ada.get('/web/meetings?q=council')
  const [meeting] = body['meetings'] as Array<{ title: string; startedAt: string }>
  assert.equal(meeting?.title, 'Walrus council')
  assert.match(meeting?.startedAt ?? '', /^2026-03-0[123]T/)
})
