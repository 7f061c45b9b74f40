import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findNextRunTime } from '../cron/next-run.ts'
import { parseSchedule, type Schedule } from '../cron/parse-schedule.ts'
import { classifyDueTime, type DueStatus } from './task-planner.ts'

function schedule(expression: string): Schedule {
  const parsed = parseSchedule(expression, 'UTC')
  if (Array.isArray(parsed)) throw new Error(JSON.stringify(parsed))
  return parsed
}

function classify(expression: string, dueFor: string, now: string): DueStatus {
  return classifyDueTime(schedule(expression), new Date(`${dueFor}Z`), new Date(`${now}Z`))
}

const late = (latest: string | null, missed: number): DueStatus => ({
  state: 'late',
  latest: latest === null ? null : new Date(`${latest}Z`),
  missed,
})

test('a due time is on time for a minute, unless the next due time has come', () => {
  assert.deepEqual(classify('0 * * * *', '2026-11-15T12:00', '2026-11-15T12:00'), {
    state: 'on_time',
  })
  assert.deepEqual(classify('0 * * * *', '2026-11-15T12:00', '2026-11-15T12:01'), {
    state: 'on_time',
  })
  assert.deepEqual(
    classify('0 * * * *', '2026-11-15T12:00', '2026-11-15T12:01:01'),
    late('2026-11-15T12:00', 1),
  )
  assert.deepEqual(
    classify('* * * * *', '2026-11-15T12:00', '2026-11-15T12:01'),
    late('2026-11-15T12:01', 2),
  )
})

test('a missed due time is caught up on unless it is over a week old or the next run is near', () => {
  const cases: Array<[string, string, string, DueStatus]> = [
    ['0 9 * * *', '2026-11-10T09:00', '2026-11-15T20:00', late('2026-11-15T09:00', 6)],
    ['0 9 * * *', '2026-11-10T09:00', '2026-11-16T06:35', late('2026-11-15T09:00', 6)],
    ['0 9 * * *', '2026-11-10T09:00', '2026-11-16T06:37', late(null, 6)],
    ['0 0 1 * *', '2026-11-01T00:00', '2026-11-08T00:00', late('2026-11-01T00:00', 1)],
    ['0 0 1 * *', '2026-11-01T00:00', '2026-11-08T00:01', late(null, 1)],
    ['0 0 1 1 *', '2020-01-01T00:00', '2026-11-15T00:00', late(null, 7)],
  ]
  for (const [expression, dueFor, now, status] of cases) {
    assert.deepEqual(classify(expression, dueFor, now), status, `${expression} at ${now}`)
  }
})

test('missed due times of many years are classified quickly and counted up to 1000', () => {
  const status = classify('* * * * *', '2016-11-15T12:00', '2026-11-15T12:00:10')
  assert.deepEqual(status, late('2026-11-15T12:00', 1_000))
})

test('the latest missed due time is the last run before now for any schedule', () => {
  const expressions = ['* * * * *', '*/7 3 * * *', '0 0 * * 1', '5,50 */6 1,15 * *', '0 0 29 2 *']
  fc.assert(
    fc.property(
      fc.constantFrom(...expressions),
      fc.integer({ min: 2, max: 400_000 }),
      (expression, minutes) => {
        const parsed = schedule(expression)
        const dueFor = findNextRunTime(parsed, new Date('2026-11-15T12:00Z')) ?? new Date()
        const now = new Date(dueFor.getTime() + minutes * 60_000 + 1)
        const status = classifyDueTime(parsed, dueFor, now)
        assert.equal(status.state, 'late')
        if (status.state !== 'late' || status.latest === null) return
        assert.ok(status.latest <= now && status.latest >= dueFor)
        const next = findNextRunTime(parsed, status.latest)
        assert.ok(next === null || next > now)
      },
    ),
    { seed: 7, numRuns: 200 },
  )
})
