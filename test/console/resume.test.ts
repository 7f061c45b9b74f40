import { strict as assert } from 'node:assert'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import {
  readTranscriptLines,
  openPageAndSettle,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { openHttpProxy } from '../support/callbacks/listen-command.ts'
import { HttpClient } from '../support/http/http-client.ts'
import { startService } from '../support/service/start-service.ts'

let browser: Browser
before(async () => {
  browser = await openSharedBrowser()
})

test('an open meeting page reconnects after a restart without losing or duplicating a line', async () => {
  await using database = await createTestDatabase()
  const env = {
    DATABASE_URL: database.url,
    HANSARD_DATA: mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'data-')),
    HANSARD_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  let service = await startService(env)
  // The proxy gives the page one URL, because the restarted service may get another port.
  await using proxy = await openHttpProxy(() => service.url)
  const ada = Object.assign(new HttpClient(proxy.url), await service.adminClient(), {
    url: proxy.url,
  })
  const { body } = await ada.post('/web/meetings/start', { url: 'practice://standup?speed=4' })
  const meetingId = body['meetingId'] as string
  await using consoleWindow = await openConsoleAs(browser, ada)
  const { page } = consoleWindow
  await openPageAndSettle(page, `${proxy.url}/meetings/${meetingId}`)
  await page.locator('#line-3').waitFor()

  await service[Symbol.asyncDispose]()
  await page.getByText('Connection lost.').waitFor()
  service = await startService(env)
  try {
    await page.getByText('Connection lost.').waitFor({ state: 'detached' })
    await page.getByText('Ended', { exact: true }).waitFor({ timeout: 60_000 })
    const { body: transcript } = await ada.get(`/web/meetings/${meetingId}/transcript`)
    const stored = transcript['segments'] as Array<{ segmentNumber: number; text: string }>
    await page.locator(`#line-${stored.length}`).waitFor({ state: 'attached' })
    assert.deepEqual(
      await readTranscriptLines(page),
      stored.map(({ segmentNumber: number, text }) => ({ number, text })),
    )
  } finally {
    await service[Symbol.asyncDispose]()
  }
})
