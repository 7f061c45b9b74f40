import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openRecapService } from '../recap/recap-client.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone, openConsoleAs, visitPage } from '../support/browser/console-pages.ts'
import { chooseOption, pressOn, tabTo, typeInto } from '../support/browser/keyboard.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'

/** Speech of every language is recognized by an endpoint, which these tests never call. */
const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await openRecapService({ HANSARD_SPEECH_URL: 'http://127.0.0.1:9/v1' }))
  const ada = service.program.admin
  const { page, pageErrors } = stack.use(await openConsoleAs(await openSharedBrowser(), ada))
  const moved = stack.move()
  const { url } = ada
  return {
    service,
    page,
    pageErrors,
    ada,
    url,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
})

test('by keyboard, people choose when a bot recognizes speech before they start a meeting', async () => {
  const { page, pageErrors, ada, url } = opened()
  await visitPage(page, `${url}/meetings`)
  await pressOn(page.getByRole('button', { name: 'More options' }))
  const field = page.getByLabel('Recognize speech')
  await tabTo(field)
  assert.equal(
    await field.locator('option:checked').textContent(),
    'Where the meeting has no captions',
  )
  await chooseOption(field, 'Always, instead of captions')
  await assertAccessible(page, 'start-meeting-speech')
  await assertFitsPhone(page, 'start-meeting-speech')
  await pressOn(page.getByRole('button', { name: 'Start a practice meeting' }))
  await page.waitForURL(/\/meetings\/meeting_/)
  const id = page.url().split('/').at(-1)
  const { body } = await ada.get(`/web/meetings/${id}`)
  assert.equal(body['speech'] ?? (body['meeting'] as { speech?: string }).speech, 'always')
  await ada.post('/web/meetings/stop', { meetingId: id })
  assert.deepEqual(pageErrors, [])
})

test('by keyboard, an editor changes the vocabulary of a project, also on a phone', async () => {
  const { service, page, pageErrors, ada, url } = opened()
  await service.seedEndedMeeting([['Ada', 'Good morning.']])
  const path = '/web/projects/api/vocabulary'
  // The project is found with its first document.
  await eventually(async () => ((await ada.get(path)).status === 200 ? true : null))
  await visitPage(page, `${url}/projects/api`)
  const change = page.getByRole('button', { name: 'Change vocabulary' })
  await pressOn(change)
  const dialog = page.getByRole('dialog', { name: 'Vocabulary of this project' })
  const field = dialog.getByLabel('Names and terms')
  await typeInto(field, 'Nextcloud\nPriya Raghunathan\n\n<img src=x onerror=window.__pwned=1>')
  await assertAccessible(page, 'vocabulary-dialog')
  await pressOn(dialog.getByRole('button', { name: 'Save' }))
  await page.getByText('Bots that join from now on use this vocabulary.').waitFor()
  await page.getByText('Nextcloud, Priya Raghunathan').waitFor()
  await pressOn(change)
  await field.waitFor()
  // Somebody else adds an entry while the dialog is open.
  await ada.request('PATCH', path, { add: ['Zabbix'] }, {})
  await typeInto(field, 'Nextcloud\nGrafana')
  await pressOn(dialog.getByRole('button', { name: 'Save' }))
  await page.getByText('Grafana, Nextcloud, Zabbix').waitFor()
  await pressOn(change)
  await typeInto(field, '42')
  await pressOn(dialog.getByRole('button', { name: 'Save' }))
  await dialog.getByText('Must have a letter').first().waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await assertFitsPhone(page, 'project-vocabulary')
  assert.deepEqual(pageErrors, [])
})

test('a console without speech recognition does not offer it', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  await using window = await openConsoleAs(await openSharedBrowser(), ada)
  await visitPage(window.page, `${service.url}/meetings`)
  await window.page.getByRole('button', { name: 'More options' }).click()
  await window.page.getByLabel('Title', { exact: true }).waitFor()
  assert.equal(await window.page.getByLabel('Recognize speech').count(), 0)
})
