import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertNoHorizontalScroll,
  openConsoleAs,
  openPageAndSettle,
  visitPage,
} from '../support/browser/console-pages.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openStagedService } from '../support/service/open-staged-service.ts'
import { eventually } from '../support/time/eventually.ts'

const opened = openForFile(async () => {
  const staged = await openStagedService({ HANSARD_RECAP: 'on' })
  return { ...staged, address: (path: string) => `${staged.service.url}${path}` }
})

/** The window of the tests that open their own meeting's page. */
const consoleWindow = openForFile(async () =>
  openConsoleAs(await openSharedBrowser(), opened().ada),
)

async function start(person: HttpClient, room: string, title: string): Promise<string> {
  const { body } = await person.post('/web/meetings/start', { url: `stage://${room}`, title })
  return String(body['meetingId'])
}

const caption = (i: number, speaker: string, text: string) => ({
  kind: 'caption' as const,
  captionId: `c${i}`,
  speaker,
  text,
  version: 1,
  isFinal: true,
})
const HOST_ENDED = { kind: 'over' as const, because: 'host_ended' as const }

const PLANNING: Array<[speaker: string, text: string]> = [
  ['Ana Ribeiro', 'Let us look at the search page and at the release of next week.'],
  ['Ben Carter', 'The search page is slow, because it asks the database for every letter.'],
  ['Chika Mori', 'I can measure it on the large customer, where it takes four seconds.'],
  ['Ana Ribeiro', 'Ben will fix the search page by Wednesday.'],
  ['Ben Carter', 'We decided to postpone the release of the search page to Friday.'],
  ['Dora Weiss', 'Who tells the customers about the release?'],
  ['Ana Ribeiro', 'I will write to the customers about the release today.'],
  ['Chika Mori', 'The next point is the budget of the offices in the second quarter.'],
  ['Dora Weiss', 'The budget of the offices is too small for three more desks.'],
]

const PICTURE_SIZES = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
]

/** Saves pictures of a page at three widths if requested. */
async function savePictures(page: Page, name: string): Promise<void> {
  if (process.env['TEST_PICTURES'] === undefined) return
  const before = page.viewportSize()
  for (const size of PICTURE_SIZES) {
    await page.setViewportSize(size)
    await assertNoHorizontalScroll(page, name)
    await saveScreenshots(page, `${name}-${size.width}`)
  }
  if (before !== null) await page.setViewportSize(before)
}

/** Records a page's notifications, because a headless browser shows none. */
const RECORD_NOTIFICATIONS = `
  window.notifications = []
  window.Notification = class extends EventTarget {
    static permission = 'default'
    static async requestPermission() {
      window.Notification.permission = localStorage.getItem('test-permission') ?? 'granted'
      return window.Notification.permission
    }
    constructor(heading, { body, tag }) {
      super()
      window.notifications.push(heading + ' | ' + body)
    }
    close() {}
  }`

test('a meeting shows how far the bot is on its way in until there are captions, in the tab title too', async () => {
  const { stage, ada, address } = opened()
  const { page } = consoleWindow()
  const meetingId = await start(ada, 'steps', 'Weekly')
  const room = stage.room('steps')
  await visitPage(page, address(`/meetings/${meetingId}`))
  const current = page.getByRole('listitem').and(page.locator('[aria-current=step]'))
  await current.getByText('Opening the meeting').waitFor()
  assert.equal(await page.title(), 'Joining · Weekly · Hansard')
  room.emit({ kind: 'lobby' })
  await current.getByText('Waiting for the host').waitFor()
  await page.getByRole('note').getByText('Ask the host to admit').waitFor()
  await current.getByText(/^\d+:\d\d$/).waitFor()
  await eventually(async () =>
    (await page.title()) === 'Waiting in the lobby · Weekly · Hansard' ? true : null,
  )
  await assertAccessible(page, 'joining')
  await savePictures(page, 'meeting-lobby')
  room.emit({ kind: 'admitted' })
  await current.getByText('Captions on').waitFor()
  assert.equal(await page.locator('.transcript').count(), 0)
  await eventually(async () => ((await page.title()) === '● Live · Weekly · Hansard' ? true : null))
  room.emit(caption(1, 'Ana Ribeiro', 'Good morning.'))
  await page.locator('#line-1').waitFor()
  assert.equal(await current.count(), 0)
  room.emit(HOST_ENDED)
  await page.getByText('Ended', { exact: true }).waitFor()
  assert.equal(await page.title(), 'Weekly · Hansard')
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('notifications are sent only on request: for the lobby, a failure and the end, from any open page', async () => {
  const { stage, ada, address } = opened()
  await using ownWindow = await openConsoleAs(await openSharedBrowser(), ada)
  const { page } = ownWindow
  await page.addInitScript(RECORD_NOTIFICATIONS)
  const sent = () => page.evaluate<string[]>('window.notifications')
  const meetingId = await start(ada, 'notify', 'Weekly')
  const silentId = await start(ada, 'not asked', 'Other')
  const room = stage.room('notify')
  await openPageAndSettle(page, address(`/meetings/${meetingId}`))
  assert.equal(await page.evaluate('Notification.permission'), 'default')
  const button = page.getByRole('button', { name: 'Notify me' })

  await page.evaluate("localStorage.setItem('test-permission', 'denied')")
  await button.click()
  await page.getByRole('status').getByText('Your browser blocks notifications').waitFor()
  assert.equal(await button.getAttribute('aria-pressed'), 'false')
  await page.evaluate("localStorage.removeItem('test-permission')")
  await button.click()
  await page.getByRole('status').getByText('Keep a Hansard tab open').waitFor()
  assert.equal(await button.getAttribute('aria-pressed'), 'true')

  room.emit({ kind: 'lobby' })
  stage.room('not asked').emit({ kind: 'lobby' })
  await eventually(async () => ((await sent()).length === 1 ? true : null))
  await page.getByRole('main').getByRole('link', { name: 'Meetings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Meetings' }).waitFor()
  room.emit({ kind: 'admitted' }, HOST_ENDED)
  await eventually(async () => ((await sent()).length === 2 ? true : null))
  assert.deepEqual(await sent(), [
    'Waiting in the lobby: Weekly | Ask the host to admit the bot.',
    'The meeting ended: Weekly | The host ended the meeting.',
  ])
  // The browser forgets an ended meeting.
  assert.equal(await page.evaluate("localStorage.getItem('hansard-notifications')"), null)
  await ada.post('/web/meetings/stop', { meetingId: silentId })
  assert.deepEqual(ownWindow.pageErrors, [])
})

test('on a phone the newest line of a live meeting is in view, and nothing is in front of it', async () => {
  const { stage, ada, address } = opened()
  const { page } = consoleWindow()
  await page.setViewportSize({ width: 390, height: 844 })
  const meetingId = await start(ada, 'phone', 'Planning of the next release')
  const room = stage.room('phone')
  room.emit(
    { kind: 'admitted' },
    ...Array.from({ length: 40 }, (_, i) =>
      caption(i, i % 2 === 0 ? 'Ana Ribeiro' : 'Ben Carter', `Point ${i} is about item ${i * 7}.`),
    ),
  )
  await visitPage(page, address(`/meetings/${meetingId}`))
  await page.locator('#line-40').waitFor()
  const isInFront = (id: string) =>
    page.evaluate<boolean>(`(() => {
      const text = document.querySelector('#${id} .line-text')
      const { left, bottom } = text.getBoundingClientRect()
      return text.contains(document.elementFromPoint(left + 5, bottom - 3))
    })()`)
  await eventually(async () => ((await isInFront('line-40')) ? true : null))
  room.emit(caption(40, 'Ana Ribeiro', 'And this is the newest line of all.'))
  await page.locator('#line-41').waitFor()
  await eventually(async () => ((await isInFront('line-41')) ? true : null))
  await savePictures(page, 'meeting-live')
  await page.setViewportSize({ width: 1280, height: 800 })
  room.emit(HOST_ENDED)
})

test('with thirty speakers the tabs stay near the top, and the bar of talk time tells the exact values', async () => {
  const { stage, ada, address } = opened()
  const { page } = consoleWindow()
  const meetingId = await start(ada, 'crowd', 'All hands')
  const names = Array.from({ length: 30 }, (_, i) => `Guest ${String.fromCodePoint(65 + i)}${i}`)
  const people = names.map((name, i) => ({ id: `p${i}`, name }))
  stage
    .room('crowd')
    .emit(
      { kind: 'admitted' },
      { kind: 'people', people },
      ...names.map((name, i) =>
        caption(i, name, `${name} says this: ${'and a further word '.repeat(31 - i)}`),
      ),
    )
  await visitPage(page, address(`/meetings/${meetingId}`))
  const talkTime = page.getByRole('region', { name: 'Talk time' })
  await talkTime.getByText('25 others').waitFor()
  const top = (await page.getByRole('tab', { name: 'Participants' }).boundingBox())?.y ?? Infinity
  assert.ok(top < 600, `the tabs start at ${top}`)
  const parts = talkTime.getByRole('list', { name: 'Share of each speaker' }).getByRole('button')
  assert.equal(await parts.count(), 6)
  await parts.first().focus()
  await talkTime.getByText(/^Guest A0: 6\.\d% of the words, about .* s, \d+ words$/).waitFor()
  await page.keyboard.press('Tab')
  await talkTime.getByText(/^Guest B1: /).waitFor()
  await parts.last().hover()
  await talkTime.getByText(/^25 others: /).waitFor()
  await talkTime.getByText('Show all 30 speakers').click()
  const all = talkTime.getByRole('list', { name: 'All speakers' })
  assert.equal(await all.getByRole('listitem').count(), 30)

  // A speaker has the same colour in the transcript, in talk time and in the list of participants.
  await page.getByRole('tab', { name: 'Participants' }).click()
  await page.locator('[aria-label=Participants] .speaker').first().waitFor()
  const hues = await page.evaluate<string[]>(`[
    document.querySelector('#line-1 .speaker'),
    document.querySelector('.talk-legend .speaker'),
    document.querySelector('[aria-label=Participants] .speaker'),
  ].map((name) => name.textContent + ' ' + [...name.classList].find((c) => c.startsWith('hue-')))`)
  assert.equal(new Set(hues).size, 1, hues.join(', '))
  await assertAccessible(page, 'thirty speakers')
  await savePictures(page, 'meeting-thirty-speakers')
  stage.room('crowd').emit(HOST_ENDED)
})

test('a finished meeting opens on its recap, then the transcript; developer pages are behind one tab', async () => {
  const { stage, ada, address } = opened()
  const meetingId = await start(ada, 'planning', 'Planning')
  stage
    .room('planning')
    .emit(
      { kind: 'admitted' },
      { kind: 'people', people: [{ id: 'p1', name: 'Ana Ribeiro' }] },
      ...PLANNING.map(([speaker, text], i) => caption(i, speaker, text)),
      HOST_ENDED,
    )
  await eventually(async () => {
    const { status } = await ada.get(`/web/meetings/${meetingId}/recap`)
    return status === 200 ? true : null
  })
  const { page } = consoleWindow()
  await visitPage(page, address(`/meetings/${meetingId}`))
  await page.getByRole('region', { name: 'Decisions' }).getByText('postpone').waitFor()
  const headings = await page.getByRole('main').getByRole('heading').allTextContents()
  assert.deepEqual(headings.slice(0, 8), [
    'Planning',
    'Recap',
    'Summary',
    'Decisions',
    'Action items',
    'Open questions',
    'Topics',
    'Transcript',
  ])
  // The recap existed before the page was opened, so it is not announced.
  assert.equal(await page.getByText('The recap is ready.').count(), 0)
  await assertAccessible(page, 'finished meeting')
  await savePictures(page, 'meeting-finished')

  await page
    .getByRole('region', { name: 'Decisions' })
    .getByRole('link', { name: /^Ben Carter \d\d:\d\d: / })
    .press('Enter')
  const line = page.locator('#line-5.target')
  await line.waitFor()
  const isInView = await page.evaluate(`(() => {
    const { top, bottom } = document.querySelector('#line-5').getBoundingClientRect()
    return top > 0 && bottom < window.innerHeight
  })()`)
  assert.equal(isInView, true)
  await page.locator('#line-5 .line-time:focus').waitFor()
  // Copied text has names, but not the avatars' initials.
  const copied = await page.evaluate<string>(`(() => {
    getSelection().selectAllChildren(document.querySelector('.transcript'))
    return getSelection().toString()
  })()`)
  assert.match(copied, /Ana Ribeiro/)
  assert.doesNotMatch(copied, /\bAR\b/)

  const tabs = page.getByRole('complementary', { name: 'About this meeting' })
  assert.deepEqual(await tabs.getByRole('tab').allTextContents(), [
    'Insights',
    'Participants',
    'Notes',
    'Document',
    'Developer',
  ])
  await tabs.getByRole('tab', { name: 'Developer' }).click()
  await tabs.getByRole('tab', { name: 'Details', selected: true }).waitFor()
  await visitPage(page, address(`/meetings/${meetingId}?tab=events`))
  await tabs.getByRole('tab', { name: 'Developer', selected: true }).waitFor()
  await tabs.getByRole('tab', { name: 'Events', selected: true }).waitFor()
  await tabs.getByText('segment_finalized').first().waitFor()
  await savePictures(page, 'meeting-events')
  // A link to a line opens the page at that line.
  await openPageAndSettle(page, address(`/meetings/${meetingId}#line-9`))
  await page.locator('#line-9.target').waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})
