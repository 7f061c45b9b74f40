import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { MeetingLink, PlatformEvent } from '../platform.ts'
import { createPracticePlatform } from './practice-platform.ts'
import { readScript, SCRIPT_NAMES } from './script-reading/script-library.ts'
import { type AbortableSleep, buildTimeline } from './timeline.ts'

const joinRequestFor = (link: MeetingLink) => ({
  link,
  displayName: 'Scribe',
  language: null,
  account: null,
  elapsedMs: 0,
  wasAdmittedBefore: false,
})
const LENGTHS = new Map<string, number>(
  SCRIPT_NAMES.map((name) => [name, buildTimeline(readScript(name)).length]),
)
const atOnce = createPracticePlatform({ sleep: async () => undefined })

type Options = {
  speed?: number
  abortAfter?: number
  sleep?: AbortableSleep
  aborter?: AbortController
}

/** Attends a script without waiting. Stops after `abortAfter` events, or where the script stops. */
async function attend(name: string, options: Options = {}): Promise<PlatformEvent[]> {
  const { speed = 1, abortAfter = Infinity, aborter = new AbortController() } = options
  const platform = options.sleep ? createPracticePlatform({ sleep: options.sleep }) : atOnce
  const link = platform.parseLink(`practice://${name}?speed=${speed}`)
  assert.ok(link)
  const stopAt = Math.min(abortAfter, LENGTHS.get(name) ?? 0)
  const seen: PlatformEvent[] = []
  if (stopAt === 0) aborter.abort()
  for await (const event of platform.attend(joinRequestFor(link), aborter.signal)) {
    seen.push(event)
    if (seen.length === stopAt) aborter.abort()
  }
  return seen
}

async function waitsOf(name: string, speed: number): Promise<number[]> {
  const waits: number[] = []
  const sleep = async (ms: number): Promise<void> => void waits.push(ms)
  await attend(name, { speed, sleep })
  return waits
}

test('a practice script gives the same events every time', async () => {
  for (const name of SCRIPT_NAMES) {
    const first = await attend(name)
    assert.equal(first.length, LENGTHS.get(name), name)
    assert.deepEqual(await attend(name, { speed: 1_000 }), first, name)
  }
})

test('the bot is a participant of a practice meeting until the end', async () => {
  const self = { id: 'self', name: 'Scribe', isSelf: true }
  const seen = await attend('everyone-leaves')
  const people = seen.flatMap((event) => (event.kind === 'people' ? [event.people] : []))
  assert.ok(people.every((list) => list.some(({ isSelf }) => isSelf)))
  assert.equal(people[0]?.length, 4)
  assert.deepEqual(people.at(-1), [self])
})

test('a practice meeting that the bot leaves at any event yields no more events', async () => {
  for (const name of SCRIPT_NAMES) {
    const length = LENGTHS.get(name) ?? 0
    const step = Math.ceil(length / 50)
    for (let count = 0; count < length; count += step) {
      assert.equal((await attend(name, { abortAfter: count })).length, count, name)
    }
  }
})

test('a practice meeting that the bot leaves during any wait ends without an error', async () => {
  for (let left = 1; left <= (await waitsOf('removed', 1)).length; left += 1) {
    const aborter = new AbortController()
    let waits = 0
    const sleep = async (): Promise<void> => {
      waits += 1
      if (waits === left) aborter.abort()
    }
    const seen = await attend('removed', { sleep, aborter })
    assert.equal(waits, left)
    assert.notEqual(seen.at(-1)?.kind, 'over')
  }
})

test('a practice script without an end lasts until the bot leaves', async () => {
  const aborter = new AbortController()
  const platform = atOnce
  const link = platform.parseLink('practice://lobby-timeout')
  assert.ok(link)
  const events = platform.attend(joinRequestFor(link), aborter.signal)[Symbol.asyncIterator]()
  assert.deepEqual(await events.next(), { value: { kind: 'lobby' }, done: false })
  let isDone = false
  const next = events.next().then((result) => {
    isDone = result.done === true
  })
  await new Promise(setImmediate)
  assert.equal(isDone, false)
  aborter.abort()
  await next
  assert.equal(isDone, true)
})

test('the speed of a practice meeting divides its waits', async () => {
  for (const speed of [0.1, 1, 7, 100, 1_000]) {
    const waits = await waitsOf('standup', speed)
    const totalMs = (buildTimeline(readScript('standup')).at(-1)?.atMs ?? 0) / speed
    const waitedMs = waits.reduce((sum, ms) => sum + ms, 0)
    assert.ok(waitedMs <= totalMs + 1e-6 && waitedMs > totalMs - 10, `${speed}: ${waitedMs}`)
    assert.ok(waits.every((ms) => ms >= 10 && Number.isInteger(ms)))
  }
})

test('a practice meeting continues while no bot is in it', async () => {
  const waits: number[] = []
  const sleep = async (ms: number): Promise<void> => void waits.push(ms)
  const platform = createPracticePlatform({ sleep })
  const link = platform.parseLink('practice://denied?speed=2')
  assert.ok(link)
  const visit = { ...joinRequestFor(link), elapsedMs: 1_000 }
  const seen = await Array.fromAsync(platform.attend(visit, new AbortController().signal))
  assert.deepEqual(
    seen.map((event) => event.kind),
    ['lobby', 'over'],
  )
  assert.deepEqual(waits, [2_000])
})

test('a practice meeting begins at the join time, and not at all when the bot leaves before', async () => {
  const link = atOnce.parseLink('practice://denied')
  assert.ok(link)
  for (const leaves of [false, true]) {
    const aborter = new AbortController()
    let isTime = false
    const joinTime = {
      at: new Date(),
      async wait() {
        await new Promise(setImmediate)
        if (leaves) aborter.abort()
        isTime = true
      },
    }
    const request = { ...joinRequestFor(link), joinTime }
    const seen: PlatformEvent[] = []
    for await (const event of atOnce.attend(request, aborter.signal)) {
      assert.ok(isTime)
      seen.push(event)
    }
    assert.deepEqual(
      seen.map(({ kind }) => kind),
      leaves ? [] : ['lobby', 'over'],
    )
  }
})

test('leaving a practice meeting stops its real timer', async () => {
  const aborter = new AbortController()
  const platform = createPracticePlatform()
  const link = platform.parseLink('practice://denied?speed=0.1')
  assert.ok(link)
  const events = platform.attend(joinRequestFor(link), aborter.signal)[Symbol.asyncIterator]()
  await events.next()
  const next = events.next()
  aborter.abort()
  assert.deepEqual(await next, { value: undefined, done: true })
})

test('the practice platform plays in real time by default', async () => {
  const platform = createPracticePlatform()
  const link = platform.parseLink('practice://denied?speed=1000')
  assert.ok(link)
  const seen = await Array.fromAsync(
    platform.attend(joinRequestFor(link), new AbortController().signal),
  )
  assert.deepEqual(
    seen.map((event) => event.kind),
    ['lobby', 'over'],
  )
})

test('a link of another platform is rejected as a practice meeting', () => {
  const platform = createPracticePlatform()
  const link = { url: 'https://meet.google.com/abc-defg-hij', room: 'x', label: 'x' }
  assert.throws(
    () => platform.attend(joinRequestFor(link), new AbortController().signal),
    /is not a practice meeting/,
  )
})
