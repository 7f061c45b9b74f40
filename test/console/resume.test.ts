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
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { startService } from '../support/service/start-service.ts'

let browser: Browser
before(async () => {
  browser = await openSharedBrowser()
})

const line = (i: number) => ({
  kind: 'caption' as const,
  captionId: `c${i}`,
  speaker: 'Ana Ribeiro',
  text: `Point ${i} is about item ${i * 7}.`,
  version: 1,
  isFinal: true,
})

test('an open meeting page reconnects after a restart without losing or duplicating a line', async () => {
  await using database = await createTestDatabase()
  const env = {
    DATABASE_URL: database.url,
    HANSARD_DATA: mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'data-')),
    HANSARD_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  const stage = createScriptedPlatform()
  const overrides = { platforms: [stage] }
  let service = await startService(env, overrides)
  // The proxy gives the page a stable URL, because the restarted service may get another port.
  await using proxy = await openHttpProxy(() => service.url)
  const ada = Object.assign(new HttpClient(proxy.url), await service.adminClient(), {
    url: proxy.url,
  })
  const { body } = await ada.post('/web/meetings/start', { url: 'stage://standup' })
  const meetingId = body['meetingId'] as string
  const room = stage.room('standup')
  room.emit({ kind: 'admitted' }, line(1), line(2), line(3))
  await using consoleWindow = await openConsoleAs(browser, ada)
  const { page } = consoleWindow
  await openPageAndSettle(page, `${proxy.url}/meetings/${meetingId}`)
  await page.locator('#line-3').waitFor()

  await service[Symbol.asyncDispose]()
  await page.getByText('Connection lost.').waitFor()
  room.emit({ kind: 'admitted' }, line(4), line(5), { kind: 'over', because: 'host_ended' })
  service = await startService(env, overrides)
  try {
    await page.getByText('Connection lost.').waitFor({ state: 'detached' })
    await page.getByText('Ended', { exact: true }).waitFor()
    const { body: transcript } = await ada.get(`/web/meetings/${meetingId}/transcript`)
    const stored = transcript['segments'] as Array<{ segmentNumber: number; text: string }>
    assert.equal(stored.length, 5)
    await page.locator(`#line-${stored.length}`).waitFor({ state: 'attached' })
    assert.deepEqual(
      await readTranscriptLines(page),
      stored.map(({ segmentNumber: number, text }) => ({ number, text })),
    )
  } finally {
    await service[Symbol.asyncDispose]()
  }
})
