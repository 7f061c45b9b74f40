import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { isProcessAlive } from '../../src/db/embedded/postmaster.ts'
import { startWorkerProcess } from '../../src/speech/workers/worker-process.ts'
import { eventually } from '../support/time/eventually.ts'
import { createManualTimers } from '../support/time/manual-timers.ts'
import { FAKE_PEAKS } from './support/fake-peaks.ts'
import { openFakePool, speak, type HeardSession } from './support/fake-pool.ts'

/** Only ends a test that would otherwise hang. */
const LIMIT_MS = 60_000

const textsOf = ({ utterances }: HeardSession) => utterances.map(({ text }) => text)

test('the utterances of several voices arrive with their times, and nothing is busy afterwards', async () => {
  using fake = openFakePool()
  await using session = fake.openSession()
  assert.equal(session.isBusy(), false)
  speak(session, 'ada', 10_000, 1_000)
  speak(session, 'bob', 10_500, 2_000)
  speak(session, 'ada', 12_000, 1_001)
  assert.equal(session.isBusy(), true)
  await session.finish()
  assert.equal(session.isBusy(), false)
  assert.deepEqual(textsOf(session).toSorted(), ['heard 1000', 'heard 1001', 'heard 2000'])
  const first = session.utterances.find(({ text }) => text === 'heard 2000')
  assert.deepEqual(first, {
    voice: 'bob',
    text: 'heard 2000',
    startedAt: 10_500,
    endedAt: 10_500 + 32 * 32,
    incompleteReason: null,
  })
  assert.deepEqual(session.losses, [])
})

test('silence starts no process and keeps nothing busy', async () => {
  using fake = openFakePool()
  await using session = fake.openSession()
  for (let second = 0; second < 60; second += 1)
    session.addSound({ voice: 'ada', startsAt: second * 1_000, samples: new Int16Array(16_000) })
  assert.equal(session.isBusy(), false)
  assert.deepEqual(fake.pool.pids(), [])
  await session.finish()
})

test('the sound that a killed process had not finished is recognized by the next one, once', async () => {
  using fake = openFakePool()
  await using session = fake.openSession()
  for (const [index, peak] of [500, FAKE_PEAKS.endsOnce, 501, 502].entries())
    speak(session, 'ada', index * 2_000, peak)
  speak(session, 'bob', 1_000, 700)
  await session.finish()
  assert.equal(fake.hasEndedOnce(), true)
  assert.deepEqual(
    textsOf(session).toSorted(),
    [500, 501, 502, 700, FAKE_PEAKS.endsOnce].map((peak) => `heard ${peak}`).toSorted(),
  )
  assert.deepEqual(session.losses, [])
})

test('sound on which processes end twice is skipped and reported; the next utterance is incomplete', async () => {
  using fake = openFakePool()
  await using session = fake.openSession()
  for (const [index, peak] of [500, FAKE_PEAKS.ends, 501, 502].entries())
    speak(session, 'ada', index * 2_000, peak)
  await session.finish()
  assert.deepEqual(textsOf(session), ['heard 500', 'heard 501', 'heard 502'])
  assert.deepEqual(
    session.utterances.map(({ incompleteReason }) => incompleteReason !== null),
    [false, true, false],
  )
  const lost = session.losses.at(-1)
  assert.ok(lost !== undefined && lost.lostMs >= 1_000 && lost.lostMs < 2_000, String(lost?.lostMs))
  assert.match(lost.reason, /skipped/)
})

test('a process that hangs is ended, and the other sounds are recognized', async () => {
  const timers = createManualTimers()
  using fake = openFakePool({ timers, limits: { answerMs: 60_000, perSoundMs: 1 } })
  await using session = fake.openSession()
  speak(session, 'ada', 0, FAKE_PEAKS.hangs)
  speak(session, 'bob', 0, 800)
  let hangs = 0
  await eventually(() => {
    // Even on a slow machine, only a hanging process misses its time limit.
    const isHanging = fake.countHangs() > hangs
    if (isHanging) hangs += 1
    timers.advance(isHanging ? 120_000 : 1)
    return session.utterances.length > 0 ? true : null
  })
  await session.finish()
  assert.deepEqual(textsOf(session), ['heard 800'])
  assert.match(session.losses.at(-1)?.reason ?? '', /skipped/)
})

test('a session with much sound does not delay another one on the same process', async () => {
  using fake = openFakePool()
  await using loud = fake.openSession({ waitingMs: 600_000 })
  await using other = fake.openSession()
  for (let index = 0; index < 40; index += 1) speak(loud, 'ada', index * 2_000, FAKE_PEAKS.slow)
  speak(other, 'bob', 0, 900)
  await other.finish()
  assert.deepEqual(textsOf(other), ['heard 900'])
  assert.ok(loud.utterances.length < 30, String(loud.utterances.length))
  assert.equal(loud.isBusy(), true)
})

test('beyond its limit a session drops whole utterances, the oldest first, and says where', async () => {
  using fake = openFakePool()
  await using session = fake.openSession({ waitingMs: 10_000, unconfirmedMs: 500 })
  // Two people who speak at the same time, each with pauses.
  for (let index = 0; index < 12; index += 1) {
    speak(session, 'ada', index * 2_000, 1_000 + index)
    speak(session, 'bob', index * 2_000 + 300, 2_000 + index)
  }
  await session.finish()
  const { utterances, losses } = session
  const numbers = utterances.map(({ text }) => Number(text.slice('heard '.length)))
  assert.ok(numbers.includes(1_011) && numbers.includes(2_011))
  assert.ok(numbers.length < 24 && new Set(numbers).size === numbers.length)
  // Each utterance is complete, and has the time at which it was said.
  for (const [index, { voice, startedAt, endedAt }] of utterances.entries()) {
    assert.equal(endedAt - startedAt, 32 * 32, `${numbers[index]}`)
    const at = (numbers[index]! % 1_000) * 2_000 + (voice === 'bob' ? 300 : 0)
    assert.ok(Math.abs(startedAt - at) <= 32, `${numbers[index]} at ${startedAt}`)
  }
  const missing = [1_000, 2_000].flatMap((first) =>
    Array.from({ length: 12 }, (_, index) => first + index).filter(
      (number) => !numbers.includes(number),
    ),
  )
  const { lostMs, reason } = losses.at(-1) ?? { lostMs: 0, reason: '' }
  assert.ok(
    lostMs >= missing.length * 1_000 && lostMs <= missing.length * 2_000,
    `${lostMs} ms for ${missing.length} utterances`,
  )
  assert.match(reason, /could not keep up/)
  for (const number of missing) {
    const at = (number % 1_000) * 2_000
    assert.ok(
      losses.some(({ startedAt, endedAt }) => startedAt <= at + 500 && endedAt >= at + 1_000),
    )
  }
  assert.ok(utterances.some(({ incompleteReason }) => incompleteReason === reason))
})

test('a session that is behind says by how much, and recognizes everything after the end', async () => {
  using fake = openFakePool()
  await using session = fake.openSession()
  for (let index = 0; index < 10; index += 1) speak(session, 'ada', index * 2_000, 1_000 + index)
  assert.ok(fake.behindMs() >= 18_000, String(fake.behindMs()))
  await session.finish()
  assert.equal(session.utterances.length, 10)
  assert.deepEqual(session.losses, [])
  const [first = 0] = session.delays
  assert.ok(first >= 18_000, String(first))
  assert.equal(session.delays.at(-1), 0)
  assert.equal(fake.behindMs(), 0)
})

test('sessions are spread over the processes, and a process without a session ends', async () => {
  using fake = openFakePool({ mostWorkers: 2, limits: { idleMs: 1 } })
  {
    await using one = fake.openSession()
    await using other = fake.openSession()
    await using third = fake.openSession()
    for (const session of [one, other, third]) speak(session, 'ada', 0, 400)
    await Promise.all([one.finish(), other.finish(), third.finish()])
    assert.deepEqual([one, other, third].map(textsOf), [
      ['heard 400'],
      ['heard 400'],
      ['heard 400'],
    ])
    assert.equal(fake.pool.pids().length, 2)
  }
  await eventually(() => (fake.pool.pids().length > 0 ? null : true))
})

test('a machine that cannot load the engine loses the sound with a reason and stays usable', async () => {
  using fake = openFakePool({ mode: 'unusable' })
  await using session = fake.openSession()
  speak(session, 'ada', 0, 400)
  await session.finish()
  assert.deepEqual(textsOf(session), [])
  assert.match(session.losses.at(-1)?.reason ?? '', /cannot start on this machine: the weights are/)
})

test('a process ends when its service is killed', async () => {
  const service = fork(join(import.meta.dirname, 'support/killed-service.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [pid] = (await once(service, 'message', { signal: AbortSignal.timeout(LIMIT_MS) })) as [
    number,
  ]
  assert.equal(isProcessAlive(pid), true)
  service.kill('SIGKILL')
  await eventually(() => (isProcessAlive(pid) ? null : true))
})

test('a process answers every message, also one that arrives when it has just finished its work', async () => {
  let answers = 0
  await new Promise<void>((resolve, reject) => {
    const program = { entry: join(import.meta.dirname, 'support/fake-worker.ts'), args: [''] }
    const sendNext = () =>
      worker.send({
        type: 'sound',
        isRecording: false,
        session: 1,
        voice: 'ada',
        position: answers * 16,
        startsAt: answers,
        samples: new Int16Array(16),
      })
    const worker = startWorkerProcess(program, {
      onMessage(message) {
        if (message.type === 'heard') answers += 1
        if (answers < 1_000) sendNext()
        else worker.kill()
      },
      onEnd: (reason) => (answers === 1_000 ? resolve() : reject(new Error(reason))),
    })
  })
  assert.equal(answers, 1_000)
})

test('sound of live meetings is recognized before sound of recordings', async () => {
  const [live, recording] = [1, 2]
  const heard: number[] = []
  await new Promise<void>((resolve, reject) => {
    const program = { entry: join(import.meta.dirname, 'support/fake-worker.ts'), args: [''] }
    const worker = startWorkerProcess(program, {
      onMessage(message) {
        if (message.type === 'heard') heard.push(message.session)
        if (heard.length === 10) worker.kill()
      },
      onEnd: (reason) => (heard.length === 10 ? resolve() : reject(new Error(reason))),
    })
    for (const session of [live, recording])
      for (let index = 0; index < 5; index += 1)
        worker.send({
          type: 'sound',
          isRecording: session === recording,
          session,
          voice: 'ada',
          position: index * 16_000,
          startsAt: index * 1_000,
          samples: new Int16Array(16_000),
        })
  })
  assert.deepEqual(heard, [...Array(5).fill(live), ...Array(5).fill(recording)])
})

test('finish gives up after its time, reports the loss, and nothing is busy then', async () => {
  using fake = openFakePool()
  await using session = fake.openSession({ finishMs: 300 })
  speak(session, 'ada', 0, FAKE_PEAKS.hangs)
  await session.finish()
  assert.equal(session.isBusy(), false)
  const { reason, startedAt, endedAt } = session.losses.at(-1) ?? { reason: '' }
  assert.match(reason, /left before/)
  assert.deepEqual([startedAt, endedAt !== undefined && endedAt >= 1_000], [0, true])
})
