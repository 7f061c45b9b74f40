import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { test } from 'node:test'
import { BrowserSlotLostError, type BrowserSlot } from '../../src/bots/browser/pool/browser-slot.ts'
import { isPidAlive } from '../../src/bots/browser/launch/profile.ts'
import { listBrowserProcesses, findBrowserProcess } from '../support/browser/browser-process.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'
import { createManualTimers } from '../support/time/manual-timers.ts'
import { NEVER_ABORTED, openTestPool, POOL_REQUEST } from './open-test-pool.ts'

async function whatWasLost({ lostSignal }: BrowserSlot): Promise<string> {
  if (!lostSignal.aborted) await once(lostSignal, 'abort')
  assert.ok(lostSignal.reason instanceof BrowserSlotLostError)
  return lostSignal.reason.reason
}

/** For tests that need no special settings. */
const openedPool = openForFile(() => openTestPool({ healthCheck: { processCheckMs: 20 } }))

const dead = (pid: number) => eventually(() => (isPidAlive(pid) ? null : true))

test('bots that start together share browsers, each in a separate context, and a dead browser loses only its own bots', async () => {
  await using pool = await openTestPool()
  const slots = await Promise.all([1, 2, 3].map(() => pool.acquire(POOL_REQUEST, NEVER_ABORTED)))
  const browsers = new Set(slots.map(({ context }) => context.browser()))
  assert.equal(browsers.size, 2)
  assert.equal(new Set(slots.map(({ context }) => context)).size, 3)
  const [first, second, third] = slots as [BrowserSlot, BrowserSlot, BrowserSlot]

  process.kill(await findBrowserProcess(first.context.browser()), 'SIGKILL')
  assert.equal(await whatWasLost(first), 'browser gone')
  assert.equal(await whatWasLost(second), 'browser gone')
  assert.equal(await third.page.evaluate('1 + 1'), 2)
  await first[Symbol.asyncDispose]()

  const next = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  assert.equal(next.context.browser(), third.context.browser())
  await third[Symbol.asyncDispose]()
  assert.equal(third.lostSignal.aborted, false)
  assert.equal(await next.page.evaluate('2 + 2'), 4)
})

test('a browser whose network service died loses all its slots, because its pages cannot recover', async () => {
  const pool = openedPool()
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  const old = await findBrowserProcess(slot.context.browser())
  process.kill(
    await findBrowserProcess(slot.context.browser(), 'network.mojom.NetworkService'),
    'SIGKILL',
  )
  assert.equal(await whatWasLost(slot), 'browser gone')
  await using next = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  assert.notEqual(await findBrowserProcess(next.context.browser()), old)
  await dead(old)
})

/** A thread that has meanwhile ended needs no lower priority. */
function priorityOf(thread: number): number {
  try {
    return getPriority(thread)
  } catch (error) {
    if (/ESRCH/.test(String(error))) return Infinity
    throw error
  }
}

test('all threads of a page get a lower priority than their browser', async () => {
  const pool = openedPool()
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  const browser = await findBrowserProcess(slot.context.browser())
  await eventually(async () => {
    const processes = await listBrowserProcesses(slot.context.browser())
    const renderers = processes.filter(({ type }) => type === 'renderer')
    const threads = renderers.flatMap(({ id }) => readdirSync(`/proc/${id}/task`).map(Number))
    const areLower = threads.every((thread) => priorityOf(thread) > getPriority(browser))
    return (threads.length > 0 && areLower) || null
  })
})

test('pages continue after the graphics process died', async () => {
  const pool = openedPool()
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  const graphics = await findBrowserProcess(slot.context.browser(), 'GPU')
  process.kill(graphics, 'SIGKILL')
  await dead(graphics)
  await eventually(
    async () =>
      (await listBrowserProcesses(slot.context.browser())).some(
        ({ type, id }) => type === 'GPU' && id !== graphics,
      ) || null,
  )
  assert.ok((await slot.page.screenshot()).length > 0)
  assert.equal(slot.lostSignal.aborted, false)
})

test('a crashed page loses only its own slot', async () => {
  const pool = openedPool()
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  await using neighbour = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  await slot.page.goto('data:text/html,hello')
  await neighbour.page.goto('data:text/html,hello')
  slot.page.goto('chrome://crash').catch((error: unknown) => assert.ok(error instanceof Error))
  assert.equal(await whatWasLost(slot), 'page crashed')
  assert.equal(await neighbour.page.evaluate('document.body.textContent'), 'hello')
})

test('a page that does not answer counts as hung unless it sends messages, and other pages are unaffected', async () => {
  const timers = createManualTimers()
  const healthCheck = { processCheckMs: 1e9, pingMs: 1_000, maxMissedPings: 3 }
  await using pool = await openTestPool({ timers, healthCheck })
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  await using neighbour = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  void slot.cdpSession.send('Runtime.evaluate', { expression: 'for (;;) {}' }).catch(String)
  // Advances the timers by one ping and gives the page time to answer.
  const beat = async () => {
    timers.advance(1_000)
    await neighbour.page.evaluate('1')
  }
  for (let i = 0; i < 10; i += 1) {
    slot.reportActivity()
    await beat()
  }
  assert.equal(slot.lostSignal.aborted, false)
  await eventually(async () => {
    await beat()
    return slot.lostSignal.aborted || null
  })
  assert.equal(await whatWasLost(slot), 'page hung')
  assert.equal(neighbour.lostSignal.aborted, false)
  await slot[Symbol.asyncDispose]()
  assert.equal(await neighbour.page.evaluate('3'), 3)
})

test('an empty browser stays open for a while, then closes and its profile is removed', async () => {
  const timers = createManualTimers()
  await using pool = await openTestPool({
    timers,
    healthCheck: { processCheckMs: 1e9 },
    sharingLimits: { idleMs: 5_000 },
  })
  const ours = () => readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`))
  // Browsers of earlier tests may still be removing theirs.
  const before = new Set(ours())
  const slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  const pid = await findBrowserProcess(slot.context.browser())
  const profiles = ours().filter((name) => !before.has(name))
  assert.equal(profiles.length, 1)
  await slot[Symbol.asyncDispose]()
  timers.advance(4_999)
  const next = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  assert.equal(await findBrowserProcess(next.context.browser()), pid)
  await next[Symbol.asyncDispose]()
  timers.advance(5_000)
  await dead(pid)
  await eventually(() => (ours().includes(profiles[0] ?? '') ? null : true))
})

test('a browser that has served its maximum of bots accepts no new ones and closes after the last', async () => {
  await using pool = await openTestPool({ sharingLimits: { maxSlotsPerLifetime: 2 } })
  const [first, second] = [
    await pool.acquire(POOL_REQUEST, NEVER_ABORTED),
    await pool.acquire(POOL_REQUEST, NEVER_ABORTED),
  ]
  const old = await findBrowserProcess(first.context.browser())
  await first[Symbol.asyncDispose]()
  await using third = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  assert.notEqual(await findBrowserProcess(third.context.browser()), old)
  assert.equal(isPidAlive(old), true)
  await second[Symbol.asyncDispose]()
  await dead(old)
})

test('a bot that is stopped while its browser starts leaves no slot in use', async () => {
  await using pool = await openTestPool({ settings: { botsPerBrowser: 1 } })
  const calledOff = new AbortController()
  const waiting = pool.acquire(POOL_REQUEST, calledOff.signal)
  calledOff.abort(new Error('called off'))
  await assert.rejects(waiting, /called off/)
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  assert.equal(await slot.page.evaluate('1'), 1)
})

test('a second close of the pool waits for the first', async () => {
  const pool = await openTestPool()
  const order: string[] = []
  await Promise.all(
    ['first', 'second'].map((name) => pool[Symbol.asyncDispose]().then(() => order.push(name))),
  )
  assert.deepEqual(order, ['first', 'second'])
})
