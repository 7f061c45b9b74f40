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

test('the language in the address overrides the locale, unless the knob disables it', async () => {
  const german = open({ locale: 'de' })
  await using first = await stageBrowser.openPage(`${german.address}?hl=en`)
  await first.page.locator('button span:text-is("Ask to join")').waitFor()
  const deaf = open({ locale: 'de', obeysAddressLocale: false })
  await using second = await stageBrowser.openPage(`${deaf.address}?hl=en`)
  await second.page.locator('button span:text-is("Teilnahme erbitten")').waitFor()
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

test('Google Meet redirects a guest whom it refuses', async () => {
  const { address } = open({ opening: 'blocked', speed: 1_000 })
  await using visitor = await stageBrowser.openPage(address)
  await visitor.page.waitForURL('https://workspace.google.com/products/meet/')
})

test('the Google Meet page before the call has a covering dialog, an invisible name field and a consent that the request waits for', async () => {
  const { address, meeting } = open({
    asksPermission: true,
    hasGhosts: true,
    notice: 'transcribed',
    words: { askToJoin: 'Ask to join anyway' },
    door: 'splash',
  })
  await using visitor = await stageBrowser.openPage(address)
  const { page } = visitor
  await page.getByText('Do you want people to see and hear you in the meeting?').waitFor()
  const isCovered = await page.locator('button[jsname="Qx7uuf"]').evaluate((button) => {
    const { x, y } = button.getBoundingClientRect()
    return button.ownerDocument.elementFromPoint(x + 1, y + 1) !== button
  })
  assert.ok(isCovered)
  await page.getByRole('button', { name: 'Continue without microphone and camera' }).click()

  const inputs = page.locator('input[jsname][type="text"]')
  await inputs.last().fill('Notes Bot')
  assert.equal(await inputs.first().isVisible(), false)
  await page.locator('button span:text-is("Ask to join anyway")').click()

  const dialog = page.locator('div[aria-modal="true"][role="dialog"]')
  await dialog.getByText('This video call is being transcribed').waitFor()
  assert.deepEqual([...(await meeting.waitFor('opened')).actions], ['opened'])
  await dialog.locator('button[data-mdc-dialog-action="ok"]').click()
  await meeting.waitFor('knocked')
  await page.locator('#loading').waitFor({ state: 'attached' })
  assert.equal(await page.locator('body').innerText(), '')
})
