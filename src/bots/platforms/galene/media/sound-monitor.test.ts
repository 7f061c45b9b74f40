import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSoundMonitor } from './sound-monitor.ts'
import type { UsableTurnServers } from './turn-servers.ts'

function openMonitor() {
  const reports: string[] = []
  const state = { failed: false, connected: false }
  const monitor = createSoundMonitor({
    streams: { areAllFailed: () => state.failed, isAnyConnected: () => state.connected },
    timeouts: { captionsMs: 100, captionsBackMs: 300 },
    emit: (event) => reports.push(event.kind),
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
