import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { loud, quiet, quietness, type QuietWishes } from '../../src/browser/quiet.ts'
import type { BrowserPool, Seat } from '../../src/browser/seat.ts'
import type { Show } from '../../stage/show/show.ts'
import { openStage, type Stage } from '../../stage/stage.ts'
import { CAST, FAST, knockAtMeet, letIn, meetAddress } from '../stage/house.ts'
import { eventually } from '../support/eventually.ts'
import { NEVER, onStage, openPool, WISHES } from './pool.ts'

const HIDES = ['.picture']

let stage: Stage
let pool: BrowserPool
before(async () => {
  stage = await openStage()
  pool = await openPool({ ...onStage(stage), settings: { botsPerBrowser: 8 } })
})
after(async () => {
  await pool[Symbol.asyncDispose]()
  await stage[Symbol.asyncDispose]()
})

/** Keeps every connection of the page, so that its counters can be read. */
const KEEP = `{
  const Native = RTCPeerConnection
  window.connections = []
  window.RTCPeerConnection = class extends Native {
    constructor(...given) { super(...given); window.connections.push(this) }
  }
}`
const COUNT = `Promise.all(connections.map((one) => one.getStats())).then((all) =>
  all.flatMap((stats) => [...stats.values()]).filter(({ type, kind }) => type === 'inbound-rtp' && kind === 'video')
    .reduce((sum, { framesDecoded }) => sum + framesDecoded, 0))`

type Guest = { seat: Seat; show: Show; decoded(): Promise<number> }

async function enter(prepare: (seat: Seat) => Promise<void>): Promise<Guest> {
  const address = meetAddress()
  const show = stage.open(address, { cast: CAST, knobs: { ...FAST, videos: 2 } })
  const seat = await pool.take(WISHES, NEVER)
  await seat.page.addInitScript(KEEP)
  await prepare(seat)
  await seat.page.goto(address)
  await knockAtMeet(seat.page)
  await letIn(show)
  await seat.page.keyboard.press('c')
  await show.until('captions on')
  return { seat, show, decoded: () => seat.page.evaluate<number>(COUNT) }
}

const isQuiet =
  (wishes: Partial<QuietWishes> = {}) =>
  (seat: Seat) =>
    quiet(seat, { hides: HIDES, ...wishes })

test('a quiet page takes no video and still shows what is said', async () => {
  const { seat, show, decoded } = await enter(isQuiet())
  await seat.page.waitForFunction(`connections.every(({ iceConnectionState, signalingState }) =>
    signalingState === 'stable' && ['connected', 'new'].includes(iceConnectionState))`)
  await show.say('ana', 'so two plus two', 'So 2 + 2 is 4.')
  await seat.page.getByText('So 2 + 2 is 4.').waitFor()
  assert.equal(await decoded(), 0)
  assert.equal(await seat.page.locator('.picture').count(), 0)
  assert.deepEqual(await quietness(seat), { hides: HIDES, isStill: true, takesVideo: false })
  await seat[Symbol.asyncDispose]()
})

test('a page that may take video shows it, hidden and without animation while it is still', async () => {
  const { seat, decoded } = await enter(isQuiet({ takesVideo: true }))
  await eventually(async () => ((await decoded()) > 0 ? true : null))
  const look = `(() => {
    const tile = document.querySelector('.picture')
    return [getComputedStyle(tile).visibility, getComputedStyle(tile.querySelector('.light')).animationName]
  })()`
  assert.deepEqual(await seat.page.evaluate(look), ['hidden', 'none'])
  await loud(seat)
  assert.deepEqual(await seat.page.evaluate(look), ['visible', 'glow'])
  assert.equal((await quietness(seat))?.isStill, false)
  await seat[Symbol.asyncDispose]()
})

test('a page that was made loud before it was opened is as its makers meant it', async () => {
  const { seat, decoded } = await enter(async (seat) => {
    await quiet(seat, { hides: HIDES })
    await loud(seat)
  })
  await eventually(async () => ((await decoded()) > 0 ? true : null))
  await seat[Symbol.asyncDispose]()
})

test('a still page gets frames twice a second, and may call them off', async () => {
  await using seat = await pool.take(WISHES, NEVER)
  await seat.page.goto('data:text/html,hello')
  await quiet(seat, { hides: [] })
  const gaps = await seat.page.evaluate<number[]>(`new Promise((resolve) => {
    const at = []
    cancelAnimationFrame(requestAnimationFrame(() => resolve(['called off and called'])))
    const frame = (now) => {
      at.push(now)
      if (at.length < 4) requestAnimationFrame(frame)
      else resolve(at.slice(1).map((time, i) => time - at[i]))
    }
    requestAnimationFrame(frame)
  })`)
  assert.equal(gaps.length, 3)
  // A timer of the page may come a hair early by its own clock.
  assert.ok(
    gaps.every((gap) => gap > 480),
    String(gaps),
  )
  await loud(seat)
  const next = 'new Promise((resolve) => requestAnimationFrame(() => resolve(1)))'
  assert.equal(await seat.page.evaluate(next), 1)
})

test('a connection that fails without video is answered by taking it again', async () => {
  await using seat = await pool.take(WISHES, NEVER)
  await quiet(seat, { hides: [] })
  await seat.page.goto('data:text/html,hello')
  const directions = await seat.page.evaluate<string[]>(`(async () => {
    const connection = new RTCPeerConnection()
    const transceiver = connection.addTransceiver('video')
    await connection.createOffer()
    const before = transceiver.direction
    Object.defineProperty(connection, 'connectionState', { value: 'failed' })
    connection.dispatchEvent(new Event('connectionstatechange'))
    return [before, transceiver.direction]
  })()`)
  assert.deepEqual(directions, ['sendonly', 'sendrecv'])
  assert.equal((await quietness(seat))?.takesVideo, true)
})
