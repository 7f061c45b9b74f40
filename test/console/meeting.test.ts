import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { openBrowser } from '../support/browser/open-browser.ts'
import {
  assertAccessible,
  assertNoHorizontalScroll,
  readTranscriptLines,
  openPageAndSettle,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import { eventually } from '../support/time/eventually.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { startService } from '../support/service/start-service.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser.close())

async function start(person: HttpClient, wish: Record<string, unknown>): Promise<string> {
  const { status, body } = await person.post('/web/meetings/start', wish)
  assert.equal(status, 201, JSON.stringify(body))
  return body['meetingId'] as string
}

async function storedLines(person: HttpClient, meetingId: string) {
  const { body } = await person.get(`/web/meetings/${meetingId}/transcript`)
  return (body['segments'] as Array<{ segmentNumber: number; text: string }>).map(
    ({ segmentNumber: number, text }) => ({ number, text }),
  )
}

/** How far the transcript is from its end, and from its top. */
function placeOf(page: Page): Promise<{ below: number; top: number }> {
  return page.evaluate(`(() => {
    const box = document.querySelector('.transcript')
    return { below: box.scrollHeight - box.scrollTop - box.clientHeight, top: box.scrollTop }
  })()`)
}

test('one click on the home page leads to a live practice meeting, which can be stopped by name', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  await using seen = await openConsoleAs(browser, ada)
  const { page } = seen
  await openPageAndSettle(page, `${service.url}/`)
  await page.getByRole('button', { name: 'Start a practice meeting' }).click()
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.getByText('Good morning', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop “Practice stand-up”?' })
  await dialog.getByRole('button', { name: 'Stop and leave' }).click()
  await page.getByText('Ended', { exact: true }).waitFor()
  assert.deepEqual(seen.blockedRequests, [])
  assert.deepEqual(seen.pageErrors, [])
})

/** Somebody says something that fills a line of the page. */
const line = (i: number) => ({
  kind: 'caption' as const,
  captionId: `c${i}`,
  speaker: i % 2 === 0 ? 'Ana Ribeiro' : 'Ben Carter',
  text: `Point ${i} is about item ${i * 7}, and about what follows from it for all of us.`,
  version: 1,
  isFinal: true,
})

test('a reader who scrolls up is left alone until they jump back, and reads the meeting to its end', async () => {
  const stage = createScriptedPlatform()
  await using service = await startService({}, { platforms: [stage] })
  const ada = await service.adminClient()
  await using seen = await openConsoleAs(browser, ada)
  const { page } = seen
  const meetingId = await start(ada, { url: 'stage://standup', title: 'Stand-up' })
  // Nothing goes on by itself: however slow the page is, the next line waits for it.
  const room = stage.room('standup')
  room.emit({ kind: 'admitted' }, ...Array.from({ length: 40 }, (_, i) => line(i)))
  await openPageAndSettle(page, `${service.url}/meetings/${meetingId}`)
  await page.locator('#line-40').waitFor({ state: 'attached' })
  await eventually(async () => ((await placeOf(page)).below < 60 ? true : null))
  await page.locator('.transcript').hover()
  await page.mouse.wheel(0, -400)
  await page.getByRole('button', { name: /ump to live/ }).waitFor()
  const { top } = await placeOf(page)
  room.emit(line(40), line(41))
  await page.getByRole('button', { name: /new lines? · jump to live/ }).waitFor()
  assert.equal((await placeOf(page)).top, top)
  await page.getByRole('button', { name: /jump to live/ }).click()
  await eventually(async () => ((await placeOf(page)).below < 60 ? true : null))
  room.emit({ kind: 'over', because: 'host_ended' })
  await page.getByText('Ended', { exact: true }).waitFor()
  const stored = await storedLines(ada, meetingId)
  await page.locator(`#line-${stored.length}`).waitFor({ state: 'attached' })
  assert.deepEqual(await readTranscriptLines(page), stored)
  await page.getByText('Talk time').waitFor()

  const download = page.waitForEvent('download')
  await page.keyboard.press('e')
  await page.getByRole('menuitem', { name: /\.srt/ }).click()
  assert.equal((await download).suggestedFilename(), 'Stand-up.srt')
  await page.getByRole('tab', { name: 'Document' }).click()
  await page.locator('.markdown').getByText('Ana Ribeiro').first().waitFor()
  await page.goto(`${service.url}/meetings/${meetingId}#line-3`)
  await page.locator('#line-3.target').waitFor()
})

test('a failed join says what happened and who must do what', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  await using seen = await openConsoleAs(browser, ada)
  const { page } = seen
  const denied = await start(ada, { url: 'practice://denied?speed=50', title: 'Board' })
  await openPageAndSettle(page, `${service.url}/meetings/${denied}`)
  await page.getByText('Failed', { exact: true }).waitFor()
  await page.getByRole('note').getByText('refused to let the bot in').waitFor()
  await page.getByRole('note').getByText('Tell the host that the bot is wanted').waitFor()
  const waiting = await start(ada, { url: 'practice://lobby-timeout', title: 'Customer' })
  await openPageAndSettle(page, `${service.url}/meetings/${waiting}`)
  await page.getByRole('note').getByText('ask the host to admit').waitFor()
})

/** What a page showed, as a bot would have taken it. */
async function photograph(words: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  await page.setContent(`<main style="font: 24px sans-serif; padding: 4rem">${words}</main>`)
  const picture = await page.screenshot({ type: 'jpeg' })
  await page.close()
  return picture
}

test('a failed join shows the picture of what the bot saw, the page in words, and who must do what', async () => {
  const stage = createScriptedPlatform()
  await using service = await startService({}, { platforms: [stage] })
  const ada = await service.adminClient()
  const title = '<img src=x onerror="window.__pwned=1">'
  const survey = {
    address: 'https://meet.google.com/abc-defg-hij?authuser=1',
    title: `Meet ${title}`,
    language: 'en',
    headings: ['You can’t join this video call'],
    buttons: ['Return to home screen', title],
  }
  const screenshot = await photograph('You can’t join this video call')
  const marks = ['words “denied your request”']
  stage
    .room('shut')
    .emit(
      { kind: 'lobby' },
      { kind: 'evidence', evidence: { state: 'denied', marks, survey, screenshot } },
      { kind: 'over', because: 'sign_in_required' },
    )
  const id = await start(ada, { url: 'stage://shut', title: 'Board' })
  await using seen = await openConsoleAs(browser, ada)
  const { page } = seen
  await openPageAndSettle(page, `${service.url}/meetings/${id}?tab=people`)
  await page.getByRole('note').getByText('lets only signed-in people in').waitFor()
  await page.getByRole('note').getByText('The host can allow guests, or an administrator').waitFor()
  await page.getByRole('link', { name: 'See what the bot saw' }).click()
  const picture = page.getByRole('img', { name: /^The page of the meeting/ })
  await picture.waitFor()
  await eventually(async () => ((await widthOf(picture)) === 640 ? true : null))
  const list = page.getByRole('list', { name: 'What the bot saw' })
  for (const words of ['taken for “denied”', 'You can’t join', 'Return to home', 'abc-defg-hij'])
    await list.getByText(words).first().waitFor()
  // Without a wish the page of a failed meeting begins with it.
  await openPageAndSettle(page, `${service.url}/meetings/${id}`)
  await picture.waitFor()
  await assertAccessible(page, '/meetings/failed join')
  await page.setViewportSize({ width: 360, height: 800 })
  await assertNoHorizontalScroll(page, 'a failed join')
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(seen.blockedRequests, [])
  assert.deepEqual(seen.pageErrors, [])
})

function widthOf(picture: Locator): Promise<number> {
  return picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
}

test('a link that leads to no meeting is explained before anybody presses start', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  await using seen = await openConsoleAs(browser, ada)
  const { page } = seen
  await openPageAndSettle(page, `${service.url}/meetings`)
  const field = page.getByLabel('Meeting link')
  await field.fill('https://example.zoom.us/j/123456789')
  await page.getByText('Zoom meetings are not supported').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled(), true)
  await field.fill('https://meet.google.com/')
  await page.getByText('does not name a meeting').waitFor()
  await field.fill('practice://denied?speed=50')
  await page.getByRole('status').getByText('Practice denied').waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.goto(`${service.url}/meetings?status=error`)
  await page.getByRole('link', { name: 'Practice denied' }).waitFor()
  await page.goto(`${service.url}/meetings?q=nothing+like+it`)
  await page.getByText('No meeting fits these filters.').waitFor()
})
