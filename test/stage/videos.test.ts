import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
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

/** A page that has received both videos, with all its peer connections. */
async function watch() {
  const address = newMeetUrl()
  const meeting = stageBrowser.stage.open(address, { cast: CAST, knobs: { ...FAST, videos: 2 } })
  const visitor = await stageBrowser.openPage(address)
  await askToJoinMeet(visitor.page)
  await admitGuests(meeting)
  await visitor.page.waitForFunction(`(() => {
    const videos = [...document.querySelectorAll('.picture video')]
    return videos.length === 2 && videos.every(({ readyState, videoWidth }) => readyState === 4 && videoWidth > 0)
  })()`)
  return visitor
}

test('videos arrive over a peer connection and are produced in the page', async () => {
  await using visitor = await watch()
  assert.deepEqual(visitor.pageErrors, [])
})

test('one cameras page can produce the videos', async () => {
  const cameras = await stageBrowser.openPage(
    'https://meet.google.com/stage/pages/other-hosts/cameras.html',
  )
  const answered = cameras.page.waitForRequest(/\/stage\/cameras\/\d+$/)
  await cameras.page.waitForFunction(`document.title === 'All cameras are on'`)
  await using visitor = await watch()
  await answered
  await cameras[Symbol.asyncDispose]()
  assert.deepEqual([...visitor.pageErrors, ...cameras.pageErrors], [])
})
