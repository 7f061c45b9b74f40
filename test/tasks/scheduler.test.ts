import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestScheduler, type ScheduledExecution } from '../support/tasks/test-scheduler.ts'

const START = '2026-11-15T12:00:30.000Z'
const times = (fired: ScheduledExecution[]) =>
  fired.map(({ scheduledFor }) => scheduledFor.slice(11, 16))

test('each due time starts one execution, and the next run follows from the schedule', async () => {
  await using world = await openTestScheduler(START)
  await world.add('minutely', '* * * * *')
  await world.add('later', '0 15 * * *')
  assert.equal(await world.scheduler.runOnce(), 30_000)
  assert.deepEqual(await world.fired('minutely'), [])
  for (let minute = 1; minute <= 3; minute += 1) {
    world.clock.advance(minute === 1 ? 30 : 60)
    // Several schedulers check concurrently and repeatedly.
    await Promise.all([world.scheduler.runOnce(), world.makeScheduler().runOnce()])
    await world.scheduler.runOnce()
    await world.endAll()
  }
  assert.deepEqual(times(await world.fired('minutely')), ['12:01', '12:02', '12:03'])
  assert.equal((await world.task('minutely')).nextRunAt?.toISOString(), '2026-11-15T12:04:00.000Z')
  assert.deepEqual(await world.fired('later'), [])
})

test('a due time is skipped while the previous execution is running', async () => {
  await using world = await openTestScheduler(START)
  await world.add('a', '* * * * *')
  world.clock.advance(30)
  await world.scheduler.runOnce()
  world.clock.advance(60)
  await world.scheduler.runOnce()
  assert.deepEqual(times(await world.fired('a')), ['12:01'])
  const task = await world.task('a')
  assert.equal(task.lastSkipReason, 'overlap')
  assert.equal(task.lastSkippedAt?.toISOString(), '2026-11-15T12:02:00.000Z')
  await world.endAll()
  world.clock.advance(60)
  await world.scheduler.runOnce()
  assert.deepEqual(times(await world.fired('a')), ['12:01', '12:03'])
  assert.deepEqual(world.skips, ['overlap'])
})

test('after an outage one execution catches up on all missed due times and has their number', async () => {
  await using world = await openTestScheduler(START)
  await world.add('hourly', '0 * * * *')
  world.clock.advance(5 * 3600 + 600)
  await world.scheduler.runOnce()
  const fired = await world.fired('hourly')
  assert.deepEqual(fired, [
    { scheduledFor: '2026-11-15T17:00:00.000Z', missed: 4, status: 'running' },
  ])
  assert.equal((await world.task('hourly')).nextRunAt?.toISOString(), '2026-11-15T18:00:00.000Z')
})

test('a missed due time is dropped if the next is near, if it is a week old, or if catch-up is off', async () => {
  await using world = await openTestScheduler(START)
  await world.add('near', '0 * * * *')
  world.clock.advance(2 * 3600 + 57 * 60)
  await world.scheduler.runOnce()
  assert.deepEqual(await world.fired('near'), [])
  assert.equal((await world.task('near')).lastSkipReason, 'missed')
  world.clock.advance(180)
  await world.scheduler.runOnce()
  const [next] = await world.fired('near')
  assert.deepEqual(next, { scheduledFor: '2026-11-15T15:00:00.000Z', missed: 2, status: 'running' })

  // In 2026, the first of a month is more than a week before the 20th.
  await world.add('old', '0 0 1 * *')
  world.clock.advance(34 * 86_400)
  await world.scheduler.runOnce()
  assert.deepEqual(await world.fired('old'), [])

  await world.add('unwanted', '30 12 * * *')
  world.world.catchesUp = false
  world.clock.advance(86_400)
  await world.scheduler.runOnce()
  assert.deepEqual(await world.fired('unwanted'), [])
  assert.equal((await world.task('unwanted')).lastSkipReason, 'missed')
})

test('catch-up executions of several tasks start one at a time with a pause', async () => {
  await using world = await openTestScheduler(START)
  for (let i = 0; i < 4; i += 1) await world.add(`t${i}`, '0 13 * * *')
  world.clock.advance(3 * 3600)
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from execution`.execute(
      world.db,
    )
    return rows[0]?.n
  }
  assert.equal(await world.scheduler.runOnce(), 5_000)
  assert.equal(await count(), 1)
  world.world.steadyMs += 5_000
  // The first catch-up run has not ended, and a node runs only one at a time.
  await world.scheduler.runOnce()
  assert.equal(await count(), 1)
  await world.endAll()
  world.world.steadyMs += 4_999
  await world.scheduler.runOnce()
  assert.equal(await count(), 2)
  for (let i = 0; i < 4; i += 1) {
    await world.endAll()
    world.world.steadyMs += 5_000
    await world.scheduler.runOnce()
  }
  assert.equal(await count(), 4)
})

test('a clock that jumps forward and back neither repeats a due time nor stops a task', async () => {
  await using world = await openTestScheduler(START)
  await world.add('a', '*/10 * * * *')
  world.clock.advance(570)
  await world.scheduler.runOnce()
  await world.endAll()
  assert.deepEqual(times(await world.fired('a')), ['12:10'])
  // The clock jumps four years ahead, and then back to a time before the last run.
  world.clock.advance(4 * 365 * 86_400)
  await world.scheduler.runOnce()
  await world.endAll()
  world.clock.advance(-4 * 365 * 86_400 - 300)
  await world.scheduler.runOnce()
  const { nextRunAt } = await world.task('a')
  assert.equal(nextRunAt?.toISOString(), '2026-11-15T12:10:00.000Z')
  world.clock.advance(300)
  await world.scheduler.runOnce()
  world.clock.advance(600)
  await world.scheduler.runOnce()
  const near = (await world.fired('a')).filter(({ scheduledFor }) => scheduledFor < '2027')
  assert.deepEqual(times(near), ['12:10', '12:20'])
})

test('a starting scheduler corrects next runs that older time zone rules computed, and loses none', async () => {
  await using world = await openTestScheduler(START)
  const store = async (name: string, nextRunAt: string) => {
    await world.add(name, '0 9 * * *', 'America/Winnipeg')
    await sql`update task set next_run_at = ${nextRunAt}, due_at = ${nextRunAt} where name = ${name}`.execute(
      world.db,
    )
  }
  const nextRun = async (name: string) => (await world.task(name)).nextRunAt?.toISOString()
  // According to the rules since November 2026, 09:00 in Winnipeg is 14:00 UTC all year.
  await store('later', '2026-11-15T15:00:00.000Z')
  await store('earlier', '2026-11-15T13:00:00.000Z')
  await world.makeScheduler().runOnce()
  assert.equal(await nextRun('later'), '2026-11-15T14:00:00.000Z')
  assert.equal(await nextRun('earlier'), '2026-11-15T14:00:00.000Z')
  // The right time has passed, so the run is late once, and the next one is right.
  world.clock.advance(2 * 3600 + 1800)
  await store('passed', '2026-11-15T15:00:00.000Z')
  const scheduler = world.makeScheduler()
  await scheduler.runOnce()
  assert.equal(await nextRun('passed'), '2026-11-15T15:00:00.000Z')
  world.clock.advance(1800)
  await scheduler.runOnce()
  assert.equal((await world.fired('passed')).length, 1)
  assert.equal(await nextRun('passed'), '2026-11-16T14:00:00.000Z')
})

test('due times are skipped while the budget is used up', async () => {
  await using world = await openTestScheduler(START)
  await world.add('a', '* * * * *')
  world.world.isOverBudget = true
  world.clock.advance(30)
  await world.scheduler.runOnce()
  assert.deepEqual(await world.fired('a'), [])
  assert.equal((await world.task('a')).lastSkipReason, 'budget')
  world.world.isOverBudget = false
  world.clock.advance(60)
  await world.scheduler.runOnce()
  assert.deepEqual(times(await world.fired('a')), ['12:02'])
})

test('the spread delays each task by a constant time and does not change its next run', async () => {
  await using world = await openTestScheduler(START, { spreadSeconds: 50 })
  for (let i = 0; i < 10; i += 1) await world.add(`t${i}`, '* * * * *')
  const rows = await world.db
    .selectFrom('task')
    .select(['next_run_at', 'due_at'])
    .orderBy('name')
    .execute()
  const delays = rows.map(({ next_run_at, due_at }) => Number(due_at) - Number(next_run_at))
  assert.ok(new Set(delays).size > 5 && delays.every((delay) => delay >= 0 && delay < 50_000))
  world.clock.advance(29 + 60)
  await world.scheduler.runOnce()
  const { rows: fired } = await sql<{ at: Date }>`
    select distinct scheduled_for as at from execution
  `.execute(world.db)
  assert.deepEqual(
    fired.map(({ at }) => at.toISOString()),
    ['2026-11-15T12:01:00.000Z'],
  )
})

test('a task with a spread of minutes counts as on time and misses no due time', async () => {
  await using world = await openTestScheduler(START, { spreadSeconds: 600 })
  world.world.catchesUp = false
  const names = Array.from({ length: 10 }, (_, i) => `t${i}`)
  for (const name of names) await world.add(name, '0 * * * *')
  await world.add('often', '*/2 * * * *')
  for (let passed = 0; passed < 2 * 3600 + 600; passed += 40) {
    world.clock.advance(40)
    await world.scheduler.runOnce()
    await world.endAll()
  }
  for (const name of names) {
    const fired = await world.fired(name)
    assert.deepEqual(
      fired.map(({ scheduledFor, missed }) => [scheduledFor.slice(11, 16), missed]),
      [
        ['13:00', 0],
        ['14:00', 0],
      ],
    )
  }
  const often = await world.fired('often')
  const first = new Date('2026-11-15T12:02:00.000Z').getTime()
  assert.ok(often.length >= 59)
  assert.deepEqual(
    often.map(({ scheduledFor }) => scheduledFor),
    often.map((_, i) => new Date(first + i * 120_000).toISOString()),
  )
  assert.deepEqual(world.skips, [])
  const { rows } = await sql<{ count: string }>`
    select count(*) from execution where is_catch_up
  `.execute(world.db)
  assert.equal(rows[0]?.count, '0')
})

test('a task with a spread is late only relative to its delayed due time', async () => {
  await using world = await openTestScheduler(START, { spreadSeconds: 600 })
  await world.add('a', '0 * * * *')
  const { dueAt } = await world.db
    .selectFrom('task')
    .select('due_at as dueAt')
    .executeTakeFirstOrThrow()
  const untilDue = (Number(dueAt) - world.clock.now().getTime()) / 1000
  world.clock.advance(untilDue + 3600 + 120)
  await world.scheduler.runOnce()
  assert.deepEqual(await world.fired('a'), [
    { scheduledFor: '2026-11-15T14:00:00.000Z', missed: 1, status: 'running' },
  ])
  assert.equal((await world.task('a')).nextRunAt?.toISOString(), '2026-11-15T15:00:00.000Z')
})
