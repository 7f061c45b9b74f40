import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
import type { Screen } from '../../stage/meeting/page-protocol.ts'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  CAST,
  FAST,
  askToJoinMeet,
  admitGuests,
  newMeetUrl,
  openSharedStageBrowser,
  type StageBrowser,
} from './stage-browser.ts'

let stageBrowser: StageBrowser
before(async () => {
  stageBrowser = await openSharedStageBrowser()
})

function open(knobs: KnobSettings = {}) {
  const address = newMeetUrl()
  return {
    address,
    meeting: stageBrowser.stage.open(address, { cast: CAST, knobs: { ...FAST, ...knobs } }),
  }
}

/** The text that identifies each screen, and the selectors that must match on it. */
const MARKS: Array<{ screen: Screen; says: string[]; has?: string[]; lacks?: string[] }> = [
  {
    screen: 'lobby',
    says: ['Asking to be let in', "You'll join the call when someone lets you in"],
    // None of these proves that the guest was admitted.
    has: [
      'button[aria-label="Leave call"]',
      '[data-participant-id] button[aria-label="Backgrounds and effects"]',
      'button:has-text("Return to home screen")',
    ],
    lacks: ['button[aria-label^="Chat with everyone"]', 'button[aria-label^="People"]'],
  },
  {
    screen: 'host-absent',
    says: [
      'Waiting for the host to join',
      'Please wait until a meeting host brings you into the call',
    ],
  },
  { screen: 'denied', says: ['Someone in the call denied your request to join'] },
  { screen: 'no-answer', says: ['No one responded to your request to join the call'] },
  {
    screen: 'removed',
    says: [],
    has: [`.roSPhc:text-is("You've been removed from the meeting")`, 'button:has-text("Rejoin")'],
  },
  {
    screen: 'ended',
    says: [],
    has: ['.roSPhc:text-is("Your host ended the meeting for everyone")'],
  },
]

test('Google Meet shows the markers of every screen outside the call', async () => {
  const { address, meeting } = open()
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await askToJoinMeet(page)
  await meeting.waitFor('knocked')
  for (const { screen, says, has = [], lacks = [] } of MARKS) {
    if (screen === 'removed' || screen === 'ended') meeting.admit()
    meeting.showScreen(screen)
    for (const words of says) await page.getByText(words).waitFor()
    for (const selector of has) await page.locator(selector).waitFor()
    for (const selector of lacks) assert.equal(await page.locator(selector).count(), 0, selector)
  }
  assert.deepEqual(visitor.pageErrors, [])
})

test('Google Meet shows every marker of a call, and none of the lobby or of an alert', async () => {
  const { address, meeting } = open()
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await page.locator('[aria-label="Turn off microphone"]').click()
  await page.locator('[aria-label="Turn on microphone"]').waitFor()
  assert.ok((await page.locator('audio').count()) > 0, 'audio elements before the knock')
  await askToJoinMeet(page, 'Notes Bot')
  await admitGuests(meeting)
  for (const selector of [
    'div[role="region"][aria-label="Call controls"] button[jsname="CQylAd"][aria-label="Leave call"]',
    'button[aria-label="Chat with everyone"]',
    'button[aria-label="People - 3 joined"]',
    'button[jsname="r8qRAd"][aria-label="Turn on captions"][aria-pressed="false"]',
    'main [data-participant-id="spaces/stage/devices/1"] span.notranslate:text-is("Ana Ribeiro")',
    'main [data-self-name]',
    '[data-avatar-count="3"][aria-label*="participant"]',
    '.u6vdEc',
  ]) {
    await page.locator(selector).waitFor()
  }
  assert.notEqual(await page.locator('[aria-live]').first().textContent(), '')
  for (const words of ['Asking to be let in', 'lets you in', "You're the only one here"]) {
    assert.equal(await page.getByText(words).count(), 0, words)
  }
  assert.equal(await page.locator('[role="alert"]').count(), 0)

  meeting.leave('ana', 'ben')
  await page.getByText("You're the only one here").waitFor()
  await page.locator('button[aria-label="People - 1 joined"]').waitFor()
  meeting.setConnectionLost(true)
  await page.getByText('Reconnecting').waitFor()
  meeting.setConnectionLost(false)
  await page.getByText('Reconnecting').waitFor({ state: 'detached' })

  await page.getByLabel('Leave call').click()
  await page.locator('body > div[role="heading"]:text-is("You left the meeting")').waitFor()
  await meeting.waitFor('left')

  // A participant who was admitted once can rejoin without a new request.
  await page.getByRole('button', { name: 'Rejoin' }).click()
  await askToJoinMeet(page)
  await page.locator('button[aria-label="Chat with everyone"]').waitFor()
  assert.deepEqual(visitor.pageErrors, [])
})

test('the menus of Google Meet open the layout and the caption language, and its panels stay in the page', async () => {
  const { address, meeting } = open()
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await askToJoinMeet(page)
  await admitGuests(meeting)
  const more = page.locator('button[jsname="NakZHc"][aria-label="More options"]')
  await more.click()
  await page.locator('li:has-text("Change layout")').click()
  for (const name of ['Sidebar', 'Spotlight', 'Tiled']) {
    await page.locator(`label:has-text("${name}")`).click()
  }
  await page.locator('[aria-modal="true"] button[aria-label="Close"]').click()
  await more.click()
  await page.locator('li:has-text("Settings")').click()
  await page.locator('button[aria-label="Captions"][jsname="z4Tpl"]').click()
  await page.locator('[role="dialog"] li[data-value="de-DE"]').click()
  await page.locator('button[aria-label="Close dialog"]').click()
  const guest = await meeting.waitFor('entered')
  assert.equal(await eventually(() => guest.language), 'de-DE')

  const list = page.locator(`[aria-label='Participants']`)
  assert.equal(await list.count(), 0)
  await page.locator('button[aria-label^="People"]').click()
  await page.locator('div:text-is("People")').waitFor()
  const names = list.locator('[role=listitem][aria-label]')
  const labels = () => names.evaluateAll((items) => items.map((item) => item.ariaLabel))
  assert.deepEqual(await labels(), ['Ana Ribeiro', 'Ben Carter', 'Notes Bot'])
  await page.locator('button[aria-label^="People"]').click()
  await list.waitFor({ state: 'hidden' })
  meeting.join('chloe')
  await page.locator('button[aria-label="People - 4 joined"]').waitFor()
  assert.ok((await labels()).includes('Chloé Martin'))

  await page.locator('button[aria-label="Chat with everyone"]').click()
  await page.locator('textarea[aria-label="Send a message"]').fill('good morning')
  await page.keyboard.press('Enter')
  await page.getByText('good morning').waitFor()
  const { messages } = guest
  await eventually(() => (messages.length > 0 ? messages : null))
  assert.deepEqual(messages, ['good morning'])
})
