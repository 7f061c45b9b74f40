import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  readTranscriptLines,
  openPageAndSettle,
  visitPage,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { eventually } from '../support/time/eventually.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openStagedService } from '../support/service/open-staged-service.ts'

const opened = openForFile(() => openStagedService())
/** The window of the tests that open their own meeting's page. */
const consoleWindow = openForFile(async () =>
  openConsoleAs(await openSharedBrowser(), opened().ada),
)

async function start(person: HttpClient, body: Record<string, unknown>): Promise<string> {
  const answer = await person.post('/web/meetings/start', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body['meetingId'] as string
}

async function storedLines(person: HttpClient, meetingId: string) {
  const { body } = await person.get(`/web/meetings/${meetingId}/transcript`)
  return (body['segments'] as Array<{ segmentNumber: number; text: string }>).map(
    ({ segmentNumber: number, text }) => ({ number, text }),
  )
}

/** The distances of the transcript's scroll position from its end and top. */
function scrollPosition(page: Page): Promise<{ below: number; top: number }> {
  return page.evaluate(`(() => {
    const box = document.querySelector('.transcript')
    return { below: box.scrollHeight - box.scrollTop - box.clientHeight, top: box.scrollTop }
  })()`)
}

/** A final caption that becomes one transcript line. */
const line = (i: number) => ({
  kind: 'caption' as const,
  captionId: `c${i}`,
  speaker: i % 2 === 0 ? 'Ana Ribeiro' : 'Ben Carter',
  text: `Point ${i} is about item ${i * 7}, and about what follows from it for all of us.`,
  version: 1,
  isFinal: true,
})

test('scrolling up pauses auto-scroll until the reader jumps to live, and the transcript is complete at the end', async () => {
  const { service, stage, ada } = opened()
  const { page } = consoleWindow()
  const meetingId = await start(ada, { url: 'stage://standup', title: 'Stand-up' })
  // The scripted platform emits only what the test says, so a slow page can't miss a line.
  const room = stage.room('standup')
  room.emit({ kind: 'admitted' }, ...Array.from({ length: 40 }, (_, i) => line(i)))
  await visitPage(page, `${service.url}/meetings/${meetingId}`)
  await page.locator('#line-40').waitFor({ state: 'attached' })
  await eventually(async () => ((await scrollPosition(page)).below < 60 ? true : null))
  // Without a line under the pointer or the focus, `b` bookmarks the newest one.
  await page.keyboard.press('b')
  await page.locator('#line-40 .line-bookmark').waitFor()
  await page.locator('.transcript').hover()
  await page.mouse.wheel(0, -400)
  await page.getByRole('button', { name: /ump to live/ }).waitFor()
  const { top } = await scrollPosition(page)
  room.emit(line(40), line(41))
  await page.getByRole('button', { name: /new lines? · jump to live/ }).waitFor()
  assert.equal((await scrollPosition(page)).top, top)
  await page.getByRole('button', { name: /jump to live/ }).click()
  await eventually(async () => ((await scrollPosition(page)).below < 60 ? true : null))
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

/** A screenshot of a page with this text, like one of a bot. */
async function takeScreenshot(words: string): Promise<Buffer> {
  const browser = await openSharedBrowser()
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  await page.setContent(`<main style="font: 24px sans-serif; padding: 4rem">${words}</main>`)
  const picture = await page.screenshot({ type: 'jpeg' })
  await page.close()
  return picture
}

test('a failed join shows the screenshot, the page summary and the next step', async () => {
  const { service, stage, ada } = opened()
  const title = '<img src=x onerror="window.__pwned=1">'
  const survey = {
    address: 'https://meet.google.com/abc-defg-hij?authuser=1',
    title: `Meet ${title}`,
    language: 'en',
    headings: ['You can’t join this video call'],
    buttons: ['Return to home screen', title],
  }
  const screenshot = await takeScreenshot('You can’t join this video call')
  const marks = ['words “denied your request”']
  stage
    .room('shut')
    .emit(
      { kind: 'lobby' },
      { kind: 'evidence', evidence: { state: 'denied', marks, survey, screenshot } },
      { kind: 'over', because: 'sign_in_required' },
    )
  const id = await start(ada, { url: 'stage://shut', title: 'Board' })
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}?tab=people`)
  await page.getByRole('note').getByText('Only people who are signed in can join').waitFor()
  await page.getByRole('note').getByText('ask the host to allow guests').waitFor()
  await page.getByRole('link', { name: 'View screenshots' }).click()
  const picture = page.getByRole('img', { name: /^Meeting page/ })
  await picture.waitFor()
  await eventually(async () => ((await widthOf(picture)) === 640 ? true : null))
  const list = page.getByRole('list', { name: 'Screenshots' })
  for (const words of ['detected as “denied”', 'You can’t join', 'Return to home', 'abc-defg-hij'])
    await list.getByText(words).first().waitFor()
  // Without a tab in the URL, a failed meeting's page opens with the screenshots.
  await openPageAndSettle(page, `${service.url}/meetings/${id}`)
  await picture.waitFor()
  await assertAccessible(page, '/meetings/failed join')
  await assertFitsPhone(page, 'a failed join')
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

function widthOf(picture: Locator): Promise<number> {
  return picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
}

test('an invalid meeting link shows an error before the meeting is started', async () => {
  const { service } = opened()
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings`)
  const field = page.getByLabel('Meeting link')
  await field.fill('https://example.webex.com/meet/ada')
  await page.getByText('Webex meetings are not supported').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled(), true)
  await field.fill('https://meet.google.com/')
  await page.getByText('does not name a meeting').waitFor()
  const { ada } = opened()
  await start(ada, { url: 'stage://taken' })
  const standup = await start(ada, { url: 'practice://standup' })
  await field.fill('stage://taken')
  await page.getByText('1 bot already in this meeting').waitFor()
  // Each practice meeting is separate.
  await field.fill('practice://standup')
  await page.getByRole('status').getByText('Practice standup', { exact: false }).waitFor()
  assert.equal(await page.getByText('already in this meeting').count(), 0)
  await ada.post('/web/meetings/stop', { meetingId: standup })
  await field.fill('practice://denied?speed=50')
  await page.getByRole('status').getByText('Practice denied').waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.waitForURL(/\/meetings\/meeting_/)
  await visitPage(page, `${service.url}/meetings?status=error`)
  // The page before it may still show the meeting.
  const list = page.getByRole('region', { name: 'All meetings' })
  await list.getByRole('link', { name: 'Practice denied' }).waitFor()
  await visitPage(page, `${service.url}/meetings?q=nothing+like+it`)
  await page.getByText('No meetings match these filters').waitFor()
})

test('a meeting page shows live how late speech is recognized, and marks the time in which nothing was recorded', async () => {
  const { service, stage, ada } = opened()
  const meetingId = await start(ada, { url: 'stage://gap' })
  const room = stage.room('gap')
  const say = (captionId: string, text: string) =>
    room.emit({ kind: 'caption', captionId, speaker: 'Ana', text, version: 1, isFinal: true })
  room.emit({ kind: 'admitted' })
  say('c1', 'Before the gap.')
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${meetingId}`)
  await page.getByText('Before the gap.').waitFor()
  const about = page.getByRole('note', { name: 'About this transcript' })
  room.emit({ kind: 'speech delay', behindMs: 12_000 })
  await about.getByText('Speech recognition is behind by 12 s.').waitFor()
  room.emit({ kind: 'speech delay', behindMs: 0 })
  await about.getByText('Speech recognition was behind by up to 12 s.').waitFor()
  room.emit({ kind: 'captions lost', detail: 'gone' })
  await page.getByText('Not recording since then: captions were lost').waitFor()
  room.emit({ kind: 'captions back' })
  const mark = page.getByText(/^\d+ s not recorded: captions were lost$/)
  await mark.waitFor()
  say('c2', 'After the gap.')
  await page.locator('#line-2').waitFor()
  const readOrder = () =>
    page.evaluate(`[...document.querySelectorAll('.transcript .line[id], .transcript .gap-mark')]
      .map((element) => element.id || 'gap')`)
  assert.deepEqual(await readOrder(), ['line-1', 'gap', 'line-2'])
  // The line after a gap names its speaker again.
  assert.equal(await page.locator('#line-2 .speaker').count(), 1)
  room.emit({ kind: 'over', because: 'host_ended' })
  await page.getByText('Ended', { exact: true }).waitFor()
  await openPageAndSettle(page, `${service.url}/meetings/${meetingId}`)
  await mark.waitFor()
  assert.deepEqual(await readOrder(), ['line-1', 'gap', 'line-2'])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('the chat tab loads later messages page by page, then only new ones, and nothing of a chat that is not stored', async () => {
  const { service, stage, ada } = opened()
  const { page } = consoleWindow()
  const reads: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.endsWith('/chat')) reads.push(search)
  })
  const message = (i: number) => ({ messageId: `m${i}`, author: 'Ana Ribeiro', text: `Note ${i}` })
  const room = stage.room('chatty')
  const meetingId = await start(ada, { url: 'stage://chatty', chat: { store: true } })
  const messages = Array.from({ length: 1_004 }, (_, i) => message(i + 1))
  room.emit({ kind: 'admitted' }, { kind: 'chat', messages })
  await eventually(async () => {
    const { body } = await ada.get(`/web/meetings/${meetingId}/chat?limit=1`)
    return body['total'] === 1_004 ? true : null
  })
  await visitPage(page, `${service.url}/meetings/${meetingId}?tab=chat`)
  // Locators by role and text are slow with a thousand items.
  const items = page.getByRole('list', { name: 'Chat messages' }).locator('li')
  const waitForItem = async (number: number) => {
    await items.nth(number - 1).waitFor()
    assert.match(await items.nth(number - 1).innerText(), new RegExp(`\\bNote ${number}$`))
    assert.equal(await items.count(), number)
  }
  await waitForItem(1_000)
  const loadLater = page.getByRole('button', { name: 'Load later messages' })
  await loadLater.scrollIntoViewIfNeeded()
  await saveScreenshots(page, 'chat')
  await loadLater.click()
  await waitForItem(1_004)
  await loadLater.waitFor({ state: 'detached' })
  room.emit({ kind: 'chat', messages: [message(1_005)] })
  await waitForItem(1_005)
  assert.deepEqual(reads.slice(0, 3), ['?after=0', '?after=1000', '?after=1004'])
  assert.ok(reads.slice(2).every((search) => search.startsWith('?after=100')))
  room.emit({ kind: 'chat', messages: [message(1_006)] }, { kind: 'over', because: 'host_ended' })
  await waitForItem(1_006)

  // The first meeting's page may read its chat once more, because the meeting ended.
  const other = await start(ada, { url: 'stage://quiet' })
  const readsOfOther: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(`/${other}/chat`)) readsOfOther.push(request.url())
  })
  await visitPage(page, `${service.url}/meetings/${other}?tab=chat`)
  await page.getByText('The chat of this meeting is not stored.').waitFor()
  assert.deepEqual(readsOfOther, [])
})

test('the page of a meeting says that speech was recognized, and where words are missing', async () => {
  const { service, stage, ada } = opened()
  const meetingId = await start(ada, { url: 'stage://heard' })
  const utterance = { kind: 'caption', speaker: 'Ana', isFinal: true, isFromSpeech: true } as const
  stage
    .room('heard')
    .emit(
      { kind: 'admitted' },
      { kind: 'caption problem', code: 'speech_used', detail: 'Google Meet shows no captions' },
      { ...utterance, captionId: 'a', text: 'Good morning everybody.' },
      { ...utterance, captionId: 'b', text: 'And then we go on.', isIncomplete: true },
    )
  await eventually(async () => ((await storedLines(ada, meetingId)).length === 2 ? true : null))
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${meetingId}`)
  await page.getByRole('note', { name: 'About this transcript' }).getByText('no captions').waitFor()
  const lines = page.locator('.line-text')
  assert.deepEqual(await lines.allTextContents(), [
    'Good morning everybody.',
    'words missingAnd then we go on.',
  ])
  await assertAccessible(page, 'recognized speech')
  await saveScreenshots(page, 'recognized-speech')
})
