import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import {
  CAST,
  FAST,
  askToJoinMeet,
  admitGuests,
  newMeetUrl,
  openStageBrowser,
  type StageBrowser,
} from './stage-browser.ts'

let house: StageBrowser
before(async () => {
  house = await openStageBrowser()
})
after(() => house[Symbol.asyncDispose]())

/** A guest to whom both pictures have come, with all connections of the page. */
async function watch() {
  const address = newMeetUrl()
  const show = house.stage.open(address, { cast: CAST, knobs: { ...FAST, videos: 2 } })
  const visitor = await house.openPage(address)
  await askToJoinMeet(visitor.page)
  await admitGuests(show)
  await visitor.page.waitForFunction(`(() => {
    const videos = [...document.querySelectorAll('.picture video')]
    return videos.length === 2 && videos.every(({ readyState, videoWidth }) => readyState === 4 && videoWidth > 0)
  })()`)
  return visitor
}

test('pictures of people come in over a peer connection, filmed in the page itself', async () => {
  await using visitor = await watch()
  assert.deepEqual(visitor.pageErrors, [])
})

test('pictures can be filmed by a page that plays all cameras', async () => {
  const cameras = await house.openPage(
    'https://meet.google.com/stage/pages/other-hosts/cameras.html',
  )
  const answered = cameras.page.waitForRequest(/\/stage\/cameras\/\d+$/)
  await cameras.page.waitForFunction(`document.title === 'All cameras are on'`)
  await using visitor = await watch()
  await answered
  await cameras[Symbol.asyncDispose]()
  assert.deepEqual([...visitor.pageErrors, ...cameras.pageErrors], [])
})
