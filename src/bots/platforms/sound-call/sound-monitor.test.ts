import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSoundMonitor } from './sound-monitor.ts'

function openMonitor({ wasAdmittedBefore = false } = {}) {
  const reports: string[] = []
  const state = { failed: false, connected: false, offered: true }
  const monitor = createSoundMonitor({
    sources: {
      areAllFailed: () => state.failed,
      isAnyConnected: () => state.connected,
      isAnyOffered: () => state.offered,
    },
    wasAdmittedBefore,
    describeProblem: () => 'no way',
    timeouts: { captionsMs: 100, captionsBackMs: 300 },
    emit: (event) =>
      reports.push(
        'sinceMs' in event && event.sinceMs !== undefined
          ? `${event.kind} ${event.sinceMs}`
          : event.kind,
      ),
    end: (end) => reports.push(end.kind === 'over' ? `${end.because}: ${end.detail}` : end.kind),
  })
  const check = (now: number) => {
    monitor.check(now)
    return reports.splice(0)
  }
  return { monitor, state, check }
}
test('sound that never arrives ends the session with the advice of the protocol', () => {
  const { state, check } = openMonitor()
  assert.deepEqual(check(0), [])
  state.failed = true
  assert.deepEqual(check(1_000), ['captions lost'])
  assert.deepEqual(check(1_099), [])
  assert.deepEqual(check(1_100), ['captions_unavailable: no way'])
})

test('sound that returns is reported, and a later loss may last longer', () => {
  const { state, check } = openMonitor()
  state.connected = true
  assert.deepEqual(check(0), [])
  Object.assign(state, { connected: false, failed: true })
  assert.deepEqual(check(1), ['captions lost'])
  assert.deepEqual(check(200), [])
  state.connected = true
  assert.deepEqual(check(300), ['captions back'])
  state.connected = false
  assert.deepEqual(check(400), ['captions lost'])
  assert.match(check(700)[0] ?? '', /^captions_unavailable/)
})

test('a bot that is back reports it with the first sound, or with its return when nobody can speak', () => {
  const heard = openMonitor({ wasAdmittedBefore: true })
  heard.monitor.start(1_000)
  assert.deepEqual(heard.check(9_000), [])
  heard.state.connected = true
  assert.deepEqual(heard.check(9_250), ['captions back'])
  assert.deepEqual(heard.check(9_500), [])

  const silent = openMonitor({ wasAdmittedBefore: true })
  silent.state.offered = false
  silent.monitor.start(1_000)
  assert.deepEqual(silent.check(2_900), [])
  assert.deepEqual(silent.check(3_000), ['captions back 2000'])
  silent.state.connected = true
  assert.deepEqual(silent.check(60_000), [])

  const first = openMonitor()
  first.monitor.start(1_000)
  first.state.offered = false
  assert.deepEqual(first.check(9_000), [])
})
