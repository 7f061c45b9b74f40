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

for (const client of ['full', 'light'] as const) {
  test(`a classic link leads through the launcher to the ${client} Microsoft Teams`, async () => {
    const thread = encodeURIComponent(`19:meeting_${client}@thread.v2`)
    const address = `https://teams.microsoft.com/l/meetup-join/${thread}/0?context=${CONTEXT}`
    const { meeting } = open({ client }, address)
    await using visitor = await stageBrowser.openPage(address)
    assert.equal(new URL(visitor.page.url()).pathname, '/dl/launcher/launcher.html')
    await askToJoinTeams(visitor.page)
    await meeting.waitFor('knocked')
  })
}

test('a consumer link leads to a separate meeting', async () => {
  const { address, meeting } = open({}, 'https://teams.live.com/meet/9012345678901?p=secret')
  await using visitor = await stageBrowser.openPage(address)
  await askToJoinTeams(visitor.page)
  await meeting.waitFor('knocked')
})

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

test('Microsoft Teams redirects to a sign-in on another host', async () => {
  const { address } = open({ opening: 'sign-in' })
  await using visitor = await stageBrowser.openPage(address)
  await visitor.page.locator('button[data-tid="joinOnWeb"]').click()
  await visitor.page.waitForURL(/^https:\/\/login\.microsoftonline\.com\//)
  await visitor.page.locator('input[name="loginfmt"][type="email"]').waitFor()
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

test('the light Microsoft Teams asks about devices twice, and its join button needs a second click', async () => {
  const { address, meeting } = open({ client: 'light', asksPermission: true })
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

test('a signed-in Microsoft Teams user enters no name', async () => {
  const { address, meeting } = open({ isSignedIn: true, door: 'call' })
  await using visitor = await stageBrowser.openPage(address)
  await visitor.page.locator('button[data-tid="joinOnWeb"]').click()
  await visitor.page.locator('#prejoin-join-button').click()
  assert.equal((await meeting.waitFor('entered')).participant.name, 'Hansard Account')
})

test('Microsoft Teams can stay on its splash screen', async () => {
  const { address } = open({ opening: 'splash' })
  await using visitor = await stageBrowser.openPage(address)
  await visitor.page.locator('button[data-tid="joinOnWeb"]').click()
  await visitor.page.locator('#loading-screen').waitFor()
})

test('the Microsoft Teams switches expose their state, the earlier ones only in checked', async () => {
  const now = open()
  await using current = await stageBrowser.openPage(now.address)
  await current.page.locator('button[data-tid="joinOnWeb"]').click()
  await current.page.locator('[data-tid="toggle-mute"][aria-checked="true"]').click()
  await current.page.locator('[data-tid="toggle-mute"][aria-checked="false"]').waitFor()
  const then = open({ generation: 'earlier' })
  await using earlier = await stageBrowser.openPage(then.address)
  await earlier.page.locator('button[data-tid="joinOnWeb"]').click()
  const toggle = earlier.page.locator('[data-tid="toggle-video"]')
  assert.equal(await toggle.getAttribute('aria-checked'), null)
  await toggle.click()
  assert.equal(await toggle.isChecked(), false)
})

test('cancelling in the Microsoft Teams lobby withdraws the request to join', async () => {
  const { address, meeting } = open()
  await using visitor = await stageBrowser.openPage(address)
  await askToJoinTeams(visitor.page)
  await visitor.page.locator('[data-tid="lobby-screen"] [data-tid="prejoin-cancel-button"]').click()
  await meeting.waitFor('left')
  meeting.admit()
  await visitor.page.getByText('Did you leave by mistake?').waitFor()
})

test('a harmless Microsoft Teams notice has the role alert', async () => {
  const { address, meeting } = open({ notice: 'recorded' })
  await using visitor = await stageBrowser.openPage(address)
  await askToJoinTeams(visitor.page)
  await admitGuests(meeting)
  await visitor.page.locator('[role="alert"]:has-text("Recording has started.")').waitFor()
  await visitor.page.locator('#hangup-button').waitFor()
})

for (const [locale, join, leave] of [
  ['de', 'Jetzt teilnehmen', 'Verlassen'],
  ['it', 'Partecipa ora', 'Abbandona'],
  ['hu', 'Csatlakozás most', 'Kilépés'],
] as const) {
  test(`Microsoft Teams in ${locale} has no English button, and the same ids`, async () => {
    const { address, meeting } = open({ locale })
    await using visitor = await stageBrowser.openPage(address)
    const { page } = visitor
    await askToJoinTeams(page)
    assert.equal(await page.getByText('Join now').count(), 0)
    await admitGuests(meeting)
    await page.locator(`#hangup-button[aria-label="${leave}"]`).waitFor()
    assert.equal(await page.locator('button[aria-label="Leave"]').count(), 0)
    assert.notEqual(join, 'Join now')
  })
}
