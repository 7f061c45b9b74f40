import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSoundMonitor } from './sound-monitor.ts'
import type { UsableTurnServers } from './turn-servers.ts'

function openMonitor({ wasAdmittedBefore = false } = {}) {
  const reports: string[] = []
  const state = { failed: false, connected: false, offered: true }
  const monitor = createSoundMonitor({
    streams: {
      areAllFailed: () => state.failed,
      isAnyConnected: () => state.connected,
      isAnyOffered: () => state.offered,
    },
    wasAdmittedBefore,
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
const NOTHING = { iceServers: [], targets: [], unlisted: [] }

test('streams that never connect end the session with advice about TURN', () => {
  const cases: Array<[UsableTurnServers, RegExp]> = [
    [NOTHING, /offers no TURN server by TCP/],
    [{ ...NOTHING, unlisted: ['turn.example:443'] }, /Add the host to HANSARD_GALENE_HOSTS/],
    [{ ...NOTHING, iceServers: [{ urls: ['turn:x'] }] }, /reachable by TCP/],
  ]
  for (const [servers, advice] of cases) {
    const { monitor, state, check } = openMonitor()
    monitor.setTurnServers(servers)
    assert.deepEqual(check(0), [])
    state.failed = true
    assert.deepEqual(check(1_000), ['captions lost'])
    assert.deepEqual(check(1_099), [])
    assert.match(check(1_100)[0] ?? '', advice)
  }
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
