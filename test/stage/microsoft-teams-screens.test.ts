import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
import type { Screen } from '../../stage/meeting/page-protocol.ts'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  CAST,
  FAST,
  askToJoinTeams,
  admitGuests,
  openSharedStageBrowser,
  newTeamsUrl,
  type StageBrowser,
} from './stage-browser.ts'

let stageBrowser: StageBrowser
before(async () => {
  stageBrowser = await openSharedStageBrowser()
})

function open(knobs: KnobSettings = {}) {
  const address = newTeamsUrl()
  return {
    address,
    meeting: stageBrowser.stage.open(address, { cast: CAST, knobs: { ...FAST, ...knobs } }),
  }
}

const TITLE = 'h1#calling-retry-screen-title'
const MARKS: Array<{ screen: Screen; has: string[]; lacks?: string[] }> = [
  {
    screen: 'lobby',
    has: [
      '[data-tid="lobby-screen"] h1:text-is("Someone will let you in soon")',
      '[data-tid="lobby-screen"]:has-text("Someone in the meeting should let you in soon")',
      '[data-tid="prejoin-cancel-button"]',
    ],
    lacks: ['#hangup-button', '#prejoin-join-button'],
  },
  {
    screen: 'host-absent',
    has: [`text=When the meeting starts, we'll let people know you're waiting`],
  },
  {
    screen: 'denied',
    has: [
      `${TITLE}:text-is("Sorry, but you were denied access to the meeting")`,
      '[data-tid="calling-retry-cancelbutton"]',
    ],
  },
  { screen: 'no-answer', has: [`${TITLE}:has-text("we couldn't connect you")`] },
  {
    screen: 'blocked',
    has: ['text=We need to verify your info before you can join', 'text=Sign in to Teams to join'],
  },
  { screen: 'removed', has: [`${TITLE}:text-is("You've been removed from this meeting")`] },
  { screen: 'ended', has: ['text=The meeting has ended', 'button:text-is("Rejoin")'] },
]

test('Microsoft Teams shows the markers of every screen outside the call', async () => {
  const { address, meeting } = open()
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await askToJoinTeams(page)
  await meeting.waitFor('knocked')
  for (const { screen, has, lacks = [] } of MARKS) {
    if (screen === 'removed' || screen === 'ended') meeting.admit()
    meeting.showScreen(screen)
    for (const selector of has) await page.locator(selector).waitFor()
    for (const selector of lacks) assert.equal(await page.locator(selector).count(), 0, selector)
  }
  assert.deepEqual(visitor.pageErrors, [])
})

for (const client of ['full', 'light'] as const) {
  test(`the ${client} Microsoft Teams shows every marker of a call`, async () => {
    const { address, meeting } = open({ client })
    await using visitor = await stageBrowser.openPage(address)
    const { page } = visitor
    await page.locator('button:text-is("Continue on this browser")').waitFor()
    await askToJoinTeams(page)
    const path = client === 'light' ? '/light-meetings/launch' : '/v2/'
    assert.equal(new URL(page.url()).pathname, path)
    if (client === 'light') await page.getByText('Someone will let you in shortly').waitFor()
    await admitGuests(meeting)
    for (const selector of [
      '#hangup-button',
      'button[data-tid="hangup-main-btn"][aria-label="Leave"]',
      '#callingButtons-showMoreBtn[aria-expanded="false"]',
      '[data-tid="call-duration"]',
      'button#raisehands-button:text-is("Raise")',
      'button:text-is("React")',
      'div[data-tid="stage-layout"] div[role="menuitem"] [data-stream-type="Video"][data-tid="Ana Ribeiro"]',
      '[data-tid="roster-button-tile"]:text-is("3")',
    ]) {
      await page.locator(selector).waitFor()
    }
    await page.locator('#view-mode-button, #custom-view-button').click()
    await page.locator('#SpeakerView-button, #custom-view-button-SpeakerViewButton').click()
    assert.equal(await page.getByText('Join now').count(), 0)
    assert.equal(await page.locator('[role="alert"]').count(), 0)
    meeting.leave('ana', 'ben')
    await page.getByText('Waiting for others to join').waitFor()
    meeting.setConnectionLost(true)
    await page.getByText('Reconnecting').waitFor()
    await page.locator('#hangup-button').click()
    await page.getByText('Did you leave by mistake?').waitFor()
    await meeting.waitFor('left')
    assert.deepEqual(visitor.pageErrors, [])
  })
}

test('the Microsoft Teams panes list participants and chat messages', async () => {
  const { address, meeting } = open()
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await askToJoinTeams(page)
  await admitGuests(meeting)
  await page.locator('#roster-button').click()
  await page.locator('#roster-button[aria-pressed="true"]').waitFor()
  const people = page.locator(
    `div[aria-label="Attendees"][role="tree"] [data-cid='roster-participant'][aria-label]`,
  )
  assert.deepEqual(await people.locator('[id^="roster-avatar-img-"]').allTextContents(), [
    'Ana Ribeiro',
    'Ben Carter',
    'Notes Bot (Unverified)',
  ])
  await page.locator('[data-tid="ts-roster-organizer-status"]').waitFor()
  assert.equal(await page.locator('#roster-title-section-2').textContent(), '(3)')

  await page.locator('#chat-button').click()
  meeting.chat('ben', 'the link is in the invitation')
  const item = page.locator('[data-tid="chat-pane-item"] [data-tid="chat-pane-message"]')
  await item.locator('[data-tid="message-author-name"]:text-is("Ben Carter")').waitFor()
  await page.locator('[aria-label="Type a message"]').fill('thank you')
  await page.keyboard.press('Enter')
  const { messages } = await meeting.waitFor('entered')
  await eventually(() => (messages.length > 0 ? messages : null))
  assert.deepEqual(messages, ['thank you'])
})
