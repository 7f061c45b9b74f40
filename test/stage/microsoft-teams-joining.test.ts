import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
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

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c330'
const CONTEXT = encodeURIComponent(JSON.stringify({ Tid: `${GUID}1`, Oid: `${GUID}2` }))

function open(knobs: KnobSettings = {}, address = newTeamsUrl()) {
  return {
    address,
    meeting: stageBrowser.stage.open(address, { cast: CAST, knobs: { ...FAST, ...knobs } }),
  }
}

test('an unknown Microsoft Teams number shows the bad-code screen', async () => {
  await using visitor = await stageBrowser.openPage(
    'https://teams.microsoft.com/meet/7777777777777?p=x',
  )
  await visitor.page.locator('button[data-tid="joinOnWeb"]').click()
  await visitor.page
    .locator('#calling-retry-screen-description')
    .getByText("We couldn't find a meeting matching this ID and passcode.")
    .waitFor()
})

test('a wrong captcha answer shows the Microsoft Teams retry screen', async () => {
  const { address } = open({ door: 'captcha' })
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await askToJoinTeams(page)
  await page.getByText("Verify you're a real person").waitFor()
  await page.locator('[role="dialog"] input').fill('nonsense')
  await page.locator('[role="dialog"] button').click()
  await page
    .locator('[data-tid="calling-retry-screen"] [data-tid="calling-retry-rejoinbutton"]')
    .waitFor()
})

test('the light Microsoft Teams can switch to the full client while joining', async () => {
  const { address, meeting } = open({ client: 'light', turnsFull: true, speed: 10 })
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  const seen: string[] = []
  page.on('framenavigated', (frame) => seen.push(frame.url()))
  await page.locator('button[data-tid="joinOnWeb"]').click()
  await page.waitForURL(/lightExperience=false/)
  assert.ok(seen.some((url) => url.includes('lightExperience=true')))
  await page.locator('input[data-tid="prejoin-display-name-input"]').fill('Notes Bot')
  await page.locator('#prejoin-join-button').click()
  await page.getByText('Someone will let you in soon').waitFor()
  await meeting.waitFor('knocked')
})

function classicLink(thread: string): string {
  const room = encodeURIComponent(`19:meeting_${thread}@thread.v2`)
  return `https://teams.microsoft.com/l/meetup-join/${room}/0?context=${CONTEXT}`
}

test('a classic link leads through the launcher to the full Microsoft Teams, whose switches expose their state', async () => {
  const { address, meeting } = open({}, classicLink('full'))
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  assert.equal(new URL(page.url()).pathname, '/dl/launcher/launcher.html')
  await page.locator('button[data-tid="joinOnWeb"]').click()
  await page.locator('[data-tid="toggle-mute"][aria-checked="true"]').click()
  await page.locator('[data-tid="toggle-mute"][aria-checked="false"]').waitFor()
  await page.locator('input[data-tid="prejoin-display-name-input"]').fill('Notes Bot')
  await page.locator('#prejoin-join-button').click()
  await meeting.waitFor('knocked')
})

test('the switches of the earlier Microsoft Teams expose their state only in checked', async () => {
  const { address } = open({ generation: 'earlier' })
  await using visitor = await stageBrowser.openPage(address)
  await visitor.page.locator('button[data-tid="joinOnWeb"]').click()
  const toggle = visitor.page.locator('[data-tid="toggle-video"]')
  assert.equal(await toggle.getAttribute('aria-checked'), null)
  await toggle.click()
  assert.equal(await toggle.isChecked(), false)
})

test('a classic link leads to the light Microsoft Teams, which asks about devices twice and needs a second click', async () => {
  const { address, meeting } = open({ client: 'light', asksPermission: true }, classicLink('light'))
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await page.locator('button[data-tid="joinOnWeb"]').click()
  const goOn = page.locator('[data-focus-target="gum-continue"]')
  await page.getByText("Are you sure you don't want audio or video?").waitFor()
  await goOn.click()
  await page.locator('input[placeholder="Type your name"]').fill('Notes Bot')
  const join = page.locator('button#prejoin-join-button[data-tid="prejoin-join-button"]')
  await join.click()
  await goOn.click()
  assert.equal(
    meeting.pages.all.some(({ actions }) => actions.has('knocked')),
    false,
  )
  await join.click()
  await meeting.waitFor('knocked')
})

test('a consumer link leads to a separate meeting, whose harmless notice has the role alert', async () => {
  const link = 'https://teams.live.com/meet/9012345678901?p=secret'
  const { address, meeting } = open({ notice: 'recorded' }, link)
  await using visitor = await stageBrowser.openPage(address)
  await askToJoinTeams(visitor.page)
  await admitGuests(meeting)
  await visitor.page.locator('[role="alert"]:has-text("Recording has started.")').waitFor()
  await visitor.page.locator('#hangup-button').waitFor()
})
