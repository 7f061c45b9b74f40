import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone, openConsoleAs, visitPage } from '../support/browser/console-pages.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openStagedService } from '../support/service/open-staged-service.ts'
import { eventually } from '../support/time/eventually.ts'

const opened = openForFile(() => openStagedService())
/** The window of the tests that open their own meeting's page. */
const consoleWindow = openForFile(async () =>
  openConsoleAs(await openSharedBrowser(), opened().ada),
)

const caption = (captionId: string, speaker: string, text: string) => ({
  kind: 'caption' as const,
  captionId,
  speaker,
  text,
  version: 1,
  isFinal: true,
})

async function startLive(room: string, title: string): Promise<string> {
  const { stage, ada } = opened()
  const { body } = await ada.post('/web/meetings/start', { url: `stage://${room}`, title })
  stage
    .room(room)
    .emit(
      { kind: 'admitted' },
      caption('c1', 'Ana Ribeiro', 'Good morning.'),
      caption('c2', 'Speaker 2', 'The walrus is ready.'),
      caption('c3', 'Ben', 'Fine.'),
    )
  return String(body['meetingId'])
}

async function end(room: string, meetingId: string): Promise<void> {
  const { stage, ada } = opened()
  stage.room(room).emit({ kind: 'over', because: 'host_ended' })
  await eventually(async () => {
    const { body } = await ada.get(`/web/meetings/${meetingId}`)
    return (body['meeting'] as { status: string }).status === 'ended' ? true : null
  })
}

async function openFromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const lines = (page: Page) => page.getByRole('region', { name: 'Transcript and search' })

test('a speaker of a live meeting is renamed by pressing the name, and new lines follow without a reload', async () => {
  const { stage, service } = opened()
  const id = await startLive('live', 'Live names')
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}`)
  await lines(page).getByText('The walrus is ready.').waitFor()
  await lines(page).getByText('Speaker 2').click()
  const dialog = page.getByRole('dialog', { name: 'Rename a speaker' })
  await dialog.getByLabel('New name').fill('Grace Hopper')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await dialog.waitFor({ state: 'detached' })
  await lines(page).getByText('Grace Hopper').waitFor()
  stage.room('live').emit(caption('c4', 'Speaker 2', 'And the penguin too.'))
  await lines(page).getByText('And the penguin too.').waitFor()
  await lines(page).getByText('Grace Hopper').nth(1).waitFor()
  assert.equal(await lines(page).getByText('Speaker 2').count(), 0)
  await end('live', id)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a meeting is renamed, two speakers become one, and the history undoes it', async () => {
  const { service } = opened()
  const id = await startLive('ended', 'Untidy title')
  await end('ended', id)
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}`)
  await openFromMenu(page, 'Rename…')
  const title = page.getByRole('dialog', { name: 'Rename meeting' })
  await title.getByLabel('Title').fill('Weekly planning')
  await title.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'Weekly planning' }).waitFor()

  await openFromMenu(page, 'Rename a speaker…')
  const speaker = page.getByRole('dialog', { name: 'Rename a speaker' })
  await speaker.getByLabel('Speaker').selectOption('Speaker 2')
  await speaker.getByLabel('New name').fill('Ben')
  await speaker.getByText('is already in this meeting').waitFor()
  await assertAccessible(page, 'rename-speaker')
  await saveScreenshots(page, 'rename-speaker')
  await speaker.getByRole('button', { name: 'Rename' }).click()
  await lines(page).getByText('Speaker 2').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Edited' }).click()
  const history = page.getByRole('dialog', { name: 'History' })
  await history.getByText('Speaker: Speaker 2 → Ben').waitFor()
  await history.getByText('Title: Untidy title → Weekly planning').waitFor()
  await assertAccessible(page, 'edit-history')
  await assertFitsPhone(page, 'edit-history')
  await saveScreenshots(page, 'edit-history')
  await history.getByRole('button', { name: 'Undo' }).first().click()
  await history.getByText('Speaker: Ben → Speaker 2').waitFor()
  await page.keyboard.press('Escape')
  await lines(page).getByText('Speaker 2').waitFor()
  await lines(page).getByText('Ben').waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a deleted meeting shows its report and leads back to the list, by keyboard', async () => {
  const { service, ada } = opened()
  const id = await startLive('gone', 'Soon gone')
  await end('gone', id)
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}`)
  await page.getByRole('button', { name: 'More', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter')
  const confirm = page.getByRole('dialog', { name: 'Delete “Soon gone”?' })
  await confirm.getByText('The transcript with 3 lines').waitFor()
  await assertAccessible(page, 'delete-meeting')
  await assertFitsPhone(page, 'delete-meeting')
  await saveScreenshots(page, 'delete-meeting')
  await confirm.getByRole('button', { name: 'Delete meeting' }).press('Enter')
  const report = page.getByRole('dialog', { name: 'Meeting deleted' })
  await report.getByText('3 lines of the transcript').waitFor()
  await report.getByText('1 document').waitFor()
  await saveScreenshots(page, 'meeting-deleted')
  await report.getByRole('button', { name: 'Back to meetings' }).press('Enter')
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  assert.equal((await ada.get(`/web/meetings/${id}`)).status, 404)
  assert.equal(await page.getByText('Soon gone').count(), 0)
  assert.deepEqual(consoleWindow().pageErrors, [])
})
