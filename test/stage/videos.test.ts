import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { CAST, FAST, knockAtMeet, letIn, meetAddress, openHouse, type House } from './house.ts'

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house[Symbol.asyncDispose]())

/** A guest to whom both pictures have come, with all connections of the page. */
async function watch() {
  const address = meetAddress()
  const show = house.stage.open(address, { cast: CAST, knobs: { ...FAST, videos: 2 } })
  const visitor = await house.visit(address)
  await knockAtMeet(visitor.page)
  await letIn(show)
  await visitor.page.waitForFunction(`(() => {
    const videos = [...document.querySelectorAll('.picture video')]
    return videos.length === 2 && videos.every(({ readyState, videoWidth }) => readyState === 4 && videoWidth > 0)
  })()`)
  return visitor
}

test('pictures of people come in over a peer connection, filmed in the page itself', async () => {
  await using visitor = await watch()
  assert.deepEqual(visitor.complaints, [])
})

test('pictures can be filmed by a page that plays all cameras', async () => {
  const cameras = await house.visit('https://meet.google.com/stage/pages/elsewhere/cameras.html')
  const answered = cameras.page.waitForRequest(/\/stage\/cameras\/\d+$/)
  await cameras.page.waitForFunction(`document.title === 'All cameras are on'`)
  await using visitor = await watch()
  await answered
  await cameras[Symbol.asyncDispose]()
  assert.deepEqual([...visitor.complaints, ...cameras.complaints], [])
})
