import { strict as assert } from 'node:assert'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser/open-browser.ts'
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
  browser = await openBrowser()
})
after(() => browser.close())

test('an open page goes on after a restart of the service without losing or doubling a line', async () => {
  await using database = await createTestDatabase()
  const env = {
    DATABASE_URL: database.url,
    HANSARD_DATA: mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'data-')),
    HANSARD_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  let service = await startService(env)
  // One address for the page, whatever port the service has: its old one may be taken while it is away.
  await using way = await openHttpProxy(() => service.url)
  const ada = Object.assign(new HttpClient(way.url), await service.adminClient(), { url: way.url })
  const { body } = await ada.post('/web/meetings/start', { url: 'practice://standup?speed=4' })
  const meetingId = body['meetingId'] as string
  await using seen = await openConsoleAs(browser, ada)
  const { page } = seen
  await openPageAndSettle(page, `${way.url}/meetings/${meetingId}`)
  await page.locator('#line-3').waitFor()

  await service[Symbol.asyncDispose]()
  await page.getByText('The connection to Hansard is lost').waitFor()
  service = await startService(env)
  try {
    await page.getByText('The connection to Hansard is lost').waitFor({ state: 'detached' })
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
