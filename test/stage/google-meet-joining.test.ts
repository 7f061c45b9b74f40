import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
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

test('an unknown Google Meet code shows the bad-code screen', async () => {
  await using visitor = await stageBrowser.openPage('https://meet.google.com/zzz-zzzz-zzz')
  await visitor.page.getByText('Check your meeting code').waitFor()
})

test('Google Meet redirects to a sign-in on another host', async () => {
  const { address } = open({ opening: 'sign-in' })
  await using visitor = await stageBrowser.openPage(address)
  await visitor.page.waitForURL(/^https:\/\/accounts\.google\.com\//)
  await visitor.page.locator('h1:text-is("Sign in")').waitFor()
})

test('the Google Meet captcha frame is visible, and the frame of every page is not', async () => {
  const frame = 'iframe[src*="recaptcha"]'
  const plain = open()
  await using first = await stageBrowser.openPage(plain.address)
  await first.page.locator('input[type="text"]').waitFor()
  assert.equal(await first.page.locator(frame).isVisible(), false)
  const guarded = open({ opening: 'captcha' })
  await using second = await stageBrowser.openPage(guarded.address)
  await second.page.locator(frame).waitFor()
  const box = await second.page.locator(frame).boundingBox()
  assert.ok(box && box.width >= 120 && box.height >= 40)
})

test('Google Meet blocks a guest after the request to join, counts down and redirects', async () => {
  const slow = open({ door: 'blocked', speed: 1 })
  await using reader = await stageBrowser.openPage(slow.address)
  await askToJoinMeet(reader.page)
  await reader.page.getByText("You can't join this video call").waitFor()
  await reader.page.getByText('unless invited or admitted by the host').waitFor()
  await reader.page.getByText('Returning to home screen').waitFor()
  const fast = open({ opening: 'blocked', speed: 1_000 })
  await using hasty = await stageBrowser.openPage(fast.address)
  await hasty.page.waitForURL('https://workspace.google.com/products/meet/')
})

test('Google Meet can redirect a guest without a message', async () => {
  const { address } = open({ door: 'away' })
  await using visitor = await stageBrowser.openPage(address)
  await askToJoinMeet(visitor.page)
  await visitor.page.waitForURL(/^https:\/\/workspace\.google\.com\/products\/meet\//)
})

test('the camera and microphone dialog covers the pre-join page until it is answered', async () => {
  const { address, meeting } = open({ asksPermission: true, door: 'call' })
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await page.getByText('Do you want people to see and hear you in the meeting?').waitFor()
  const isCovered = await page.locator('button[jsname="Qx7uuf"]').evaluate((button) => {
    const { x, y } = button.getBoundingClientRect()
    return button.ownerDocument.elementFromPoint(x + 1, y + 1) !== button
  })
  assert.ok(isCovered)
  await page.getByRole('button', { name: 'Continue without microphone and camera' }).click()
  await askToJoinMeet(page)
  await meeting.waitFor('entered')
})

test('a signed-in Google Meet user joins directly and enters no name', async () => {
  const { address, meeting } = open({ isSignedIn: true, door: 'call' })
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await page.locator('.awLEm:text-is("Hansard Account")').waitFor()
  assert.equal(await page.locator('input[type="text"]').count(), 0)
  await page.locator('button span:text-is("Join now")').click()
  assert.equal((await meeting.waitFor('entered')).participant.name, 'Hansard Account')
})

test('Google Meet can have an invisible copy of its name field', async () => {
  const { address, meeting } = open({ hasGhosts: true, door: 'splash' })
  await using visitor = await stageBrowser.openPage(address)
  const inputs = visitor.page.locator('input[jsname][type="text"]')
  await inputs.last().fill('Notes Bot')
  assert.equal(await inputs.first().isVisible(), false)
  await visitor.page.locator('button[jsname="Qx7uuf"]').click()
  await meeting.waitFor('knocked')
  await visitor.page.locator('#loading').waitFor({ state: 'attached' })
  assert.equal(await visitor.page.locator('body').innerText(), '')
})

for (const [notice, words] of [
  ['recorded', 'This video call is being recorded'],
  ['transcribed', 'This video call is being transcribed'],
  ['notes', 'Gemini is taking notes'],
] as const) {
  test(`the Google Meet join request waits for consent to a call that is ${notice}`, async () => {
    const { address, meeting } = open({ notice, words: { askToJoin: 'Ask to join anyway' } })
    await using visitor = await stageBrowser.openPage(address)
    const { page } = visitor
    await page.locator('input[aria-label="Your name"]').fill('Notes Bot')
    await page.locator('button span:text-is("Ask to join anyway")').click()
    const dialog = page.locator('div[aria-modal="true"][role="dialog"]')
    await dialog.getByText(words).waitFor()
    assert.deepEqual([...(await meeting.waitFor('opened')).actions], ['opened'])
    await dialog.locator('button[data-mdc-dialog-action="ok"]').click()
    await meeting.waitFor('knocked')
  })
}

for (const [locale, join, captions, chat] of [
  ['de', 'Teilnahme erbitten', 'Untertitel', 'Mit allen chatten'],
  ['it', 'Chiedi di partecipare', 'Sottotitoli', 'Chatta con tutti'],
  ['hu', 'Csatlakozás kérése', 'Feliratok', 'Csevegés mindenkivel'],
] as const) {
  test(`Google Meet in ${locale} has no English label, and the same icons`, async () => {
    const { address, meeting } = open({ locale })
    await using visitor = await stageBrowser.openPage(address)
    const { page } = visitor
    await page.locator(`button span:text-is("${join}")`).waitFor()
    await askToJoinMeet(page)
    await admitGuests(meeting)
    await page.locator('.google-symbols:text-is("closed_caption_off")').click()
    await page.locator(`div[role="region"][tabindex="0"][aria-label="${captions}"]`).waitFor()
    await page.locator(`button[aria-label="${chat}"]`).waitFor()
    for (const label of ['Captions', 'Leave call', 'Chat with everyone', 'Call controls']) {
      assert.equal(await page.locator(`[aria-label="${label}"]`).count(), 0, label)
    }
  })
}

test('the language in the address overrides the locale, unless the knob disables it', async () => {
  const german = open({ locale: 'de' })
  await using first = await stageBrowser.openPage(`${german.address}?hl=en`)
  await first.page.locator('button span:text-is("Ask to join")').waitFor()
  const deaf = open({ locale: 'de', obeysAddressLocale: false })
  await using second = await stageBrowser.openPage(`${deaf.address}?hl=en`)
  await second.page.locator('button span:text-is("Teilnahme erbitten")').waitFor()
})

test('the earlier Google Meet has other buttons and no participant count', async () => {
  const { address, meeting } = open({ generation: 'earlier', hasAudioElements: false })
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await page.locator('div[role="button"][aria-label^="Turn off microphone"]').first().click()
  assert.equal(await page.locator('audio').count(), 0)
  await askToJoinMeet(page)
  await admitGuests(meeting)
  await page.locator('button[aria-label="Show everyone"]').waitFor()
  assert.equal(await page.locator('button[aria-label^="People"]').count(), 0)
})

test('the Google Meet toolbar hides when the pointer does not move', async () => {
  const { address, meeting } = open({ toolbarHidesAfterMs: 3_000, speed: 10 })
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await askToJoinMeet(page)
  await admitGuests(meeting)
  const leave = page.getByLabel('Leave call')
  await leave.waitFor({ state: 'hidden' })
  let x = 0
  await eventually(async () => {
    await page.mouse.move(++x, 60)
    return (await leave.isVisible()) ? true : null
  })
})
