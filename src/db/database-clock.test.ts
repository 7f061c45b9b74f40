import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { pino } from 'pino'
import { correctClockOffset, startDatabaseClock } from './database-clock.ts'

const HOUR_MS = 3_600_000

/** A database and a machine whose times the test sets. */
function createSetting() {
  const setting = { monotonicMs: 0, databaseMs: 1_000_000_000_000, machineAheadMs: 0 }
  const lines: string[] = []
  const advance = (ms: number) => {
    setting.monotonicMs += ms
    setting.databaseMs += ms
  }
  const query = async () => {
    advance(2)
    const rows = [{ ms: setting.databaseMs }]
    advance(2)
    return { rows }
  }
  const start = () =>
    startDatabaseClock({
      pool: { query } as never,
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
      machineClock: { now: () => new Date(setting.databaseMs + setting.machineAheadMs) },
      monotonic: () => setting.monotonicMs,
    })
  return { setting, lines, advance, start }
}

test('the clock shows the time of the database, however wrong the clock of the machine is', async () => {
  const { setting, advance, start } = createSetting()
  setting.machineAheadMs = 25 * HOUR_MS
  using clock = await start()
  assert.equal(clock.now().getTime(), setting.databaseMs)
  advance(10_000)
  setting.machineAheadMs = -HOUR_MS
  assert.equal(clock.now().getTime(), setting.databaseMs)
  assert.equal(clock.machineOffsetMs(), -HOUR_MS)
})

test('a clock of the machine that differs by more than five seconds is logged once, and again when it is right', async () => {
  const { setting, lines, start } = createSetting()
  setting.machineAheadMs = 5_100
  using clock = await start()
  await clock.measure()
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /"seconds":5,.*differs from the database clock/)
  setting.machineAheadMs = 0
  await clock.measure()
  assert.match(lines[1] ?? '', /agrees with the database clock again/)
})

test('a measurement moves the clock only when it contradicts the last one, and by as little as possible', () => {
  assert.equal(correctClockOffset(null, 1_000, 100, 110), 895)
  assert.equal(correctClockOffset(895, 1_000, 100, 110), 895)
  assert.equal(correctClockOffset(800, 1_000, 100, 110), 890)
  assert.equal(correctClockOffset(990, 1_000, 100, 110), 900)
})
