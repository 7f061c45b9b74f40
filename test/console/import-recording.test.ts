import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createWav, openToneEndpoint, readFixture } from '../recordings/support/tones.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone, openConsoleAs, visitPage } from '../support/browser/console-pages.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { startService } from '../support/service/start-service.ts'

test('a recording is sent from the import dialog, its progress is shown, and it can be cancelled or removed', async () => {
  await using endpoint = await openToneEndpoint()
  await using service = await startService({ HANSARD_SPEECH_URL: endpoint.url })
  const ada = await service.adminClient()
  await using consoleWindow = await openConsoleAs(await openSharedBrowser(), ada)
  const { page } = consoleWindow
  // Each utterance is tried again for a while, so the recording stays open.
  endpoint.fail(400)
  await visitPage(page, `${service.url}/meetings`)
  await page.getByRole('button', { name: 'Import files' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import transcripts or recordings' })
  await dialog.locator('input[type=file]').setInputFiles([
    { name: 'planning.m4a', mimeType: 'audio/mp4', buffer: readFixture('two.m4a') },
    { name: 'silence.wav', mimeType: 'audio/wav', buffer: createWav(2, []) },
    { name: 'film.mp4', mimeType: 'video/mp4', buffer: readFixture('silent-film.mp4') },
  ])
  await dialog.getByLabel('Language').fill('de')
  await assertAccessible(page, 'meetings-import-recordings')
  await assertFitsPhone(page, 'meetings-import-recordings')
  await saveScreenshots(page, 'meetings-import-recordings')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByText('2 files imported, 1 not imported').waitFor()
  await dialog.getByText('The file has no sound.').waitFor()
  await dialog.locator('button', { hasText: 'Close' }).click()

  const list = page.getByRole('region', { name: 'Recordings' })
  const planning = list.getByRole('listitem').filter({ hasText: 'planning.m4a' })
  await planning.waitFor()
  assert.equal(await planning.getByRole('progressbar').count(), 1)
  await list.getByText('No speech was found in this recording.').waitFor()
  await assertAccessible(page, 'meetings-recordings')
  await saveScreenshots(page, 'meetings-recordings')
  await list.getByRole('button', { name: 'Remove film.mp4' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await list.getByText('film.mp4').waitFor({ state: 'detached' })

  await list.getByRole('button', { name: 'Cancel planning.m4a' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the recording' }).click()
  await planning.waitFor({ state: 'detached' })
  endpoint.fail(null)
  const { body } = await ada.get('/web/recordings')
  assert.equal((body['recordings'] as unknown[]).length, 1)
})
