import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import type { JoinRequest, Platform, PlatformEvent } from '../../../bots/platforms/platform.ts'
import { runBotEventLoop, type BotEventHandlers } from './bot-event-loop.ts'

const LINK = { url: 'practice://standup', room: 'r', label: 'l' }
const JOIN_REQUEST: JoinRequest = {
  link: LINK,
  displayName: 'Hansard',
  language: null,
  account: null,
  elapsedMs: 0,
  wasAdmittedBefore: false,
}

const NEVER = new AbortController().signal

type Run = Partial<Parameters<typeof runBotEventLoop>[0] & BotEventHandlers> & {
  stop?: AbortSignal
  release?: AbortSignal
}

/** Runs the loop on a platform that sends these events. Without a handler, events and due times change nothing. */
function runLoop(attend: Platform['attend'], run: Run) {
  const { stop = NEVER, release = NEVER, ...parts } = run
  const parseLink = () => LINK
  const title = 'Practice'
  const platform: Platform = { name: 'practice', title, linkExamples: [], parseLink, attend }
  const handlers: BotEventHandlers = {
    onPlatformEvent: () => Promise.resolve(null),
    tick: () => Promise.resolve(null),
    nextTickAt: () => Infinity,
    ...parts,
  }
  return runBotEventLoop(
    {
      platform,
      joinRequest: JOIN_REQUEST,
      now: () => new Date(),
      log: pino({ level: 'silent' }),
      ...parts,
    },
    stop,
    release,
    handlers,
  )
}

/** Runs the loop on a platform that sends one event and then fails. */
async function runFailingPlatform(stop: AbortController, onEvent: () => Promise<void>) {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  async function* attend(): AsyncGenerator<PlatformEvent> {
    yield { kind: 'lobby' }
    throw new Error('page crashed')
  }
  const onPlatformEvent = () => onEvent().then(() => null)
  const outcome = runLoop(attend, { stop: stop.signal, log, onPlatformEvent })
  return { outcome: await Promise.allSettled([outcome]), lines }
}

test('a platform failure that is known before the bot is stopped is logged', async () => {
  const stop = new AbortController()
  const { outcome, lines } = await runFailingPlatform(stop, async () => {
    await setImmediate()
    stop.abort()
  })
  assert.deepEqual(outcome, [{ status: 'fulfilled', value: { kind: 'over', reason: 'stopped' } }])
  assert.equal(lines.length, 1)
  assert.match(lines.join(''), /page crashed.*failed to close platform session/)
})

test('a platform failure ends the loop with its error and is not logged again', async () => {
  const { outcome, lines } = await runFailingPlatform(new AbortController(), () =>
    Promise.resolve(),
  )
  assert.equal(outcome[0]?.status, 'rejected')
  assert.match(String(outcome[0].reason), /page crashed/)
  assert.deepEqual(lines, [])
})

test('a due time knows whether platform events wait to be handled', async () => {
  const attend: Platform['attend'] = async function* (_, signal) {
    yield { kind: 'lobby' }
    yield { kind: 'admitted' }
    if (!signal.aborted) await once(signal, 'abort')
  }
  const ticks: boolean[] = []
  let handled = 0
  await runLoop(attend, {
    async onPlatformEvent() {
      // In the meantime the loop reads the next event into its queue.
      await setImmediate()
      handled += 1
      return null
    },
    tick(hasQueuedEvents) {
      ticks.push(hasQueuedEvents)
      return Promise.resolve(handled === 2 ? { kind: 'over', reason: 'lobby_timeout' } : null)
    },
    nextTickAt: () => (handled === 0 ? Infinity : 0),
  })
  assert.deepEqual(ticks, [true, false])
})

test('captions and chat messages that are queued when the bot is stopped are handled', async () => {
  const stop = new AbortController()
  const attend: Platform['attend'] = async function* () {
    yield { kind: 'admitted' }
    yield { kind: 'people', people: [] }
    yield { kind: 'caption', captionId: 'c1', speaker: 'Ada', text: 'Wait.' }
    yield { kind: 'chat', messages: [{ messageId: 'm1', author: 'Ada', text: 'pause' }] }
  }
  const handled: string[] = []
  const outcome = await runLoop(attend, {
    stop: stop.signal,
    onPlatformEvent({ kind }) {
      handled.push(kind)
      stop.abort()
      return Promise.resolve(null)
    },
  })
  assert.equal(outcome.kind, 'over')
  assert.deepEqual(handled, ['admitted', 'caption', 'chat'])
})

test('a released bot does not wait for a page that never closes after the grace period of the stop', async () => {
  const [release, grace] = [new AbortController(), new AbortController()]
  const attend: Platform['attend'] = async function* (_, signal) {
    yield { kind: 'admitted' }
    yield { kind: 'caption', captionId: 'c1', speaker: 'Ada', text: 'Wait.' }
    signal.addEventListener('abort', () => grace.abort(), { once: true })
    await new Promise(() => undefined)
  }
  const handled: string[] = []
  const outcome = await runLoop(attend, {
    release: release.signal,
    graceOver: grace.signal,
    platformCloseMs: Infinity,
    async onPlatformEvent({ kind }) {
      // In the meantime the loop reads the caption into its queue.
      await setImmediate()
      handled.push(kind)
      release.abort()
      return null
    },
  })
  assert.equal(outcome.kind, 'released')
  assert.deepEqual(handled, ['admitted', 'caption'])
})

test('the time that an event waits to be handled counts to the age of its words', async () => {
  const stop = new AbortController()
  let nowMs = 0
  const handled: PlatformEvent[] = []
  const attend: Platform['attend'] = async function* () {
    yield { kind: 'admitted' }
    const late = { startedMs: 2_000, changedMs: 1_000 }
    yield { kind: 'caption', captionId: 'c1', speaker: 'Ada', text: 'Wait.', late }
    yield { kind: 'speech lost', detail: 'late', startedMs: 900, endedMs: 400 }
    yield { kind: 'captions back' }
  }
  await runLoop(attend, {
    stop: stop.signal,
    now: () => new Date(nowMs),
    async onPlatformEvent(event) {
      handled.push(event)
      // In the meantime the loop reads the other events. A slow database takes six seconds.
      if (event.kind === 'admitted') for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      if (event.kind === 'admitted') nowMs = 6_000
      if (event.kind === 'captions back') stop.abort()
      return null
    },
  })
  assert.partialDeepStrictEqual(handled.slice(1), [
    { kind: 'caption', late: { startedMs: 8_000, changedMs: 7_000 } },
    { kind: 'speech lost', startedMs: 6_900, endedMs: 6_400 },
    { kind: 'captions back', sinceMs: 6_000 },
  ])
})
