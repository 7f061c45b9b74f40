import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import {
  disableLowPower,
  enableLowPower,
  readPagePowerSettings,
  type LowPowerOptions,
} from '../../src/bots/browser/page/low-power.ts'
import { stopNetworkEvents } from '../../src/bots/browser/playwright-internals.ts'
import type { BrowserPool, BrowserSlot } from '../../src/bots/browser/pool/browser-slot.ts'
import type { StagedMeeting } from '../../stage/meeting/staged-meeting.ts'
import { openStage, type Stage } from '../../stage/stage.ts'
import { CAST, FAST, askToJoinMeet, admitGuests, newMeetUrl } from '../stage/stage-browser.ts'
import { eventually } from '../support/time/eventually.ts'
import { NEVER_ABORTED, stageNetworkOptions, openTestPool, POOL_REQUEST } from './open-test-pool.ts'

const HIDES = ['.picture']

let stage: Stage
let pool: BrowserPool
before(async () => {
  stage = await openStage()
  pool = await openTestPool({ ...stageNetworkOptions(stage), settings: { botsPerBrowser: 8 } })
})
after(async () => {
  await pool[Symbol.asyncDispose]()
  await stage[Symbol.asyncDispose]()
})

/** Records every connection of the page, so that its statistics can be read. */
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

type Guest = { slot: BrowserSlot; show: StagedMeeting; decoded(): Promise<number> }

async function enter(prepare: (slot: BrowserSlot) => Promise<void>): Promise<Guest> {
  const address = newMeetUrl()
  const show = stage.open(address, { cast: CAST, knobs: { ...FAST, videos: 2 } })
  const slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  await slot.page.addInitScript(KEEP)
  await prepare(slot)
  await slot.page.goto(address)
  await askToJoinMeet(slot.page)
  await admitGuests(show)
  await slot.page.keyboard.press('c')
  await show.waitFor('captions on')
  return { slot, show, decoded: () => slot.page.evaluate<number>(COUNT) }
}

const isQuiet =
  (wishes: Partial<LowPowerOptions> = {}) =>
  (slot: BrowserSlot) =>
    enableLowPower(slot, { hiddenSelectors: HIDES, ...wishes })

test('a low-power page receives no video and still shows captions', async () => {
  const { slot, show, decoded } = await enter(isQuiet())
  await slot.page.waitForFunction(`connections.every(({ iceConnectionState, signalingState }) =>
    signalingState === 'stable' && ['connected', 'new'].includes(iceConnectionState))`)
  await show.say('ana', 'so two plus two', 'So 2 + 2 is 4.')
  await slot.page.getByText('So 2 + 2 is 4.').waitFor()
  assert.equal(await decoded(), 0)
  assert.equal(await slot.page.locator('.picture').count(), 0)
  assert.deepEqual(await readPagePowerSettings(slot), {
    hiddenSelectors: HIDES,
    pausesAnimation: true,
    receivesVideo: false,
  })
  await slot[Symbol.asyncDispose]()
})

test('a low-power page that may receive video hides it and pauses animations', async () => {
  const { slot, decoded } = await enter(isQuiet({ receivesVideo: true }))
  await eventually(async () => ((await decoded()) > 0 ? true : null))
  const look = `(() => {
    const tile = document.querySelector('.picture')
    return [getComputedStyle(tile).visibility, getComputedStyle(tile.querySelector('.light')).animationName]
  })()`
  assert.deepEqual(await slot.page.evaluate(look), ['hidden', 'none'])
  await disableLowPower(slot)
  assert.deepEqual(await slot.page.evaluate(look), ['visible', 'glow'])
  assert.equal((await readPagePowerSettings(slot))?.pausesAnimation, false)
  await slot[Symbol.asyncDispose]()
})

test('a page with low power disabled before it opens behaves normally', async () => {
  const { slot, decoded } = await enter(async (slot) => {
    await enableLowPower(slot, { hiddenSelectors: HIDES })
    await disableLowPower(slot)
  })
  await eventually(async () => ((await decoded()) > 0 ? true : null))
  await slot[Symbol.asyncDispose]()
})

test('a low-power page gets two animation frames per second and can cancel them', async () => {
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  await slot.page.goto('data:text/html,hello')
  await enableLowPower(slot, { hiddenSelectors: [] })
  const gaps = await slot.page.evaluate<number[]>(`new Promise((resolve) => {
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
  // By the page's clock, a timer of the page may fire slightly early.
  assert.ok(
    gaps.every((gap) => gap > 480),
    String(gaps),
  )
  await disableLowPower(slot)
  const next = 'new Promise((resolve) => requestAnimationFrame(() => resolve(1)))'
  assert.equal(await slot.page.evaluate(next), 1)
})

test('a connection that fails without video gets video the next time', async () => {
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  await enableLowPower(slot, { hiddenSelectors: [] })
  await slot.page.goto('data:text/html,hello')
  const directions = await slot.page.evaluate<string[]>(`(async () => {
    const connection = new RTCPeerConnection()
    const transceiver = connection.addTransceiver('video')
    await connection.createOffer()
    const before = transceiver.direction
    Object.defineProperty(connection, 'connectionState', { value: 'failed' })
    connection.dispatchEvent(new Event('connectionstatechange'))
    return [before, transceiver.direction]
  })()`)
  assert.deepEqual(directions, ['sendonly', 'sendrecv'])
  assert.equal((await readPagePowerSettings(slot))?.receivesVideo, true)
})

test('a page whose network events are stopped still reaches the network, without a report to Playwright', async () => {
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  const requested: string[] = []
  slot.page.on('request', (request) => void requested.push(new URL(request.url()).search))
  await slot.page.goto(newMeetUrl())
  const load = (search: string) =>
    slot.page.evaluate<number>(`fetch('/${search}').then(({ status }) => status)`)
  assert.equal(await load('?reported'), 200)
  assert.ok(stopNetworkEvents(slot.page, assert.ifError) > 0)
  assert.equal(await load('?silent'), 200)
  assert.ok(requested.includes('?reported'))
  assert.ok(!requested.includes('?silent'))
})
