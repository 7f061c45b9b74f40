import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { admitGuests, CAST, FAST, newMeetUrl, openSharedStageBrowser } from './stage-browser.ts'
import { askToJoinMeet, askToJoinTeams } from './stage-browser.ts'

// The bots of test/platforms use every other screen and knob of the pages.

test('an address without a meeting shows the bad-code screen', async () => {
  const { openPage } = await openSharedStageBrowser()
  await using visitor = await openPage('https://meet.google.com/zzz-zzzz-zzz')
  const { page } = visitor
  await page.getByText('Check your meeting code').waitFor()
  await page.goto('https://teams.microsoft.com/meet/7777777777777?p=x')
  await page.locator('button[data-tid="joinOnWeb"]').click()
  await page.getByText("We couldn't find a meeting matching this ID and passcode.").waitFor()
})

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c330'
const CONTEXT = encodeURIComponent(JSON.stringify({ Tid: `${GUID}1`, Oid: `${GUID}2` }))
const THREAD = encodeURIComponent('19:meeting_full@thread.v2')

for (const [kind, address] of [
  ['classic', `https://teams.microsoft.com/l/meetup-join/${THREAD}/0?context=${CONTEXT}`],
  ['consumer', 'https://teams.live.com/meet/9012345678901?p=secret'],
] as const) {
  test(`a ${kind} link leads into a meeting of Microsoft Teams, whose harmless notice has the role alert`, async () => {
    const { stage, openPage } = await openSharedStageBrowser()
    const meeting = stage.open(address, { cast: CAST, knobs: { ...FAST, notice: 'recorded' } })
    await using visitor = await openPage(address)
    await askToJoinTeams(visitor.page)
    await admitGuests(meeting)
    await visitor.page.locator('[role="alert"]:has-text("Recording has started.")').waitFor()
    await visitor.page.locator('#hangup-button').waitFor()
  })
}

test('videos arrive over a peer connection, and one cameras page can produce them', async () => {
  const { stage, openPage } = await openSharedStageBrowser()
  const cameras = await openPage('https://meet.google.com/stage/pages/other-hosts/cameras.html')
  const answered = cameras.page.waitForRequest(/\/stage\/cameras\/\d+$/)
  await cameras.page.waitForFunction(`document.title === 'All cameras are on'`)
  const address = newMeetUrl()
  const meeting = stage.open(address, { cast: CAST, knobs: { ...FAST, videos: 2 } })
  await using visitor = await openPage(address)
  await askToJoinMeet(visitor.page)
  await admitGuests(meeting)
  await visitor.page.waitForFunction(`(() => {
    const videos = [...document.querySelectorAll('.picture video')]
    return videos.length === 2 && videos.every(({ readyState, videoWidth }) => readyState === 4 && videoWidth > 0)
  })()`)
  await answered
  await cameras[Symbol.asyncDispose]()
  assert.deepEqual([...visitor.pageErrors, ...cameras.pageErrors], [])
})
