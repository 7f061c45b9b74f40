import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Db } from '../../src/db/database.ts'
import { newId } from '../../src/lib/crypto.ts'
import { recordDocumentSave } from '../../src/projects/saved-documents.ts'
import { NO_SCHEDULED_RUN_PLAN } from '../../src/tasks/scheduling/task-planner.ts'
import { insertTaskUnlessNameTaken } from '../../src/tasks/task-store.ts'
import type { TaskTrigger } from '../../src/tasks/triggers/task-trigger.ts'
import { createTriggerWatcher } from '../../src/tasks/triggers/trigger-watcher.ts'
import { withDatabase } from '../mail/mail-client.ts'
import { addCalendar, addEarlierMeeting, addOccurrence } from '../support/brief/brief-seeds.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { createTestWriter, seedMeeting, SEED_TIME } from '../support/meetings/seed-meeting.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { startTaskService } from '../support/tasks/task-service.ts'
import { eventually } from '../support/time/eventually.ts'

const DAY_MS = 86_400_000

/** Trigger watchers on a real database, with tasks and meetings that the test adds. No node runs the executions. */
async function openWorld() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await openTestDatabase())
  const { db } = database
  const state = {
    now: new Date(),
    isOverBudget: false,
    refused: 0,
    /** Runs once during a check, when it reads the clock. */
    duringCheck: null as (() => Promise<unknown>) | null,
  }
  const fired: string[] = []
  const createWatcher = () =>
    createTriggerWatcher({
      db,
      log: pino({ level: 'silent' }),
      async time() {
        const { duringCheck } = state
        state.duringCheck = null
        await duringCheck?.()
        return state.now
      },
      overBudget: async (names) => new Set(state.isOverBudget ? names : []),
      onFired: (ids) => void fired.push(...ids),
      onRefused: () => void (state.refused += 1),
    })
  const opened = stack.move()
  return {
    database,
    db,
    state,
    fired,
    watchers: [createWatcher(), createWatcher(), createWatcher()],
    addTask: (name: string, trigger: TaskTrigger, enabled = true) =>
      db.transaction().execute((tx) =>
        insertTaskUnlessNameTaken(
          tx,
          {
            id: newId('task'),
            name,
            promptName: 'p',
            cronExpression: null,
            trigger,
            timezone: 'UTC',
            enabled,
            timeoutMs: 1_000,
            ownerId: null,
            project: null,
            projects: null,
          },
          NO_SCHEDULED_RUN_PLAN,
          state.now,
        ),
      ),
    addEndedMeeting: (row: Parameters<typeof seedMeeting>[1] = {}) =>
      seedMeeting(db, { status: 'ended', ended_at: state.now, live_at: state.now, ...row }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The names of tasks with what started their executions, sorted. */
async function readStarted(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('execution')
    .innerJoin('task', 'task.id', 'execution.task_id')
    .select(['task.name', 'execution.triggered_by as source', 'execution.trigger_type as type'])
    .select(['execution.number', 'task.last_number as lastNumber'])
    .execute()
  assert.ok(rows.every(({ number, lastNumber }) => number <= lastNumber))
  return rows
    .map(({ name, source, type }) => `${name} ${type} ${Object.values(source ?? {}).join()}`)
    .toSorted()
}

test('a task starts for a meeting that ends during a check, if it was created before the end', async () => {
  await using world = await openWorld()
  let id = ''
  world.state.duringCheck = async () => {
    await world.addTask('new', { on: 'meeting_ended' })
    id = await world.addEndedMeeting()
  }
  await world.watchers[0]?.runOnce()
  await world.watchers[0]?.runOnce()
  assert.deepEqual(await readStarted(world.db), [`new meeting_ended ${id}`])
})

test('a meeting that ends starts each matching task once, although several nodes see it', async () => {
  await using world = await openWorld()
  await world.addTask('all', { on: 'meeting_ended' })
  await world.addTask('sales', { on: 'meeting_ended', projects: ['sales'] })
  await world.addTask('paused', { on: 'meeting_ended' }, false)
  await world.addTask('documents', { on: 'document_saved' })
  const ids = [
    await world.addEndedMeeting(),
    await world.addEndedMeeting({ project: 'sales' }),
    await world.addEndedMeeting({ status: 'error' }),
  ]
  await seedMeeting(world.db)
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(world.watchers.map((watcher) => watcher.runOnce()))
  }
  assert.deepEqual(
    await readStarted(world.db),
    [
      `all meeting_ended ${ids[0]}`,
      `all meeting_ended ${ids[1]}`,
      `sales meeting_ended ${ids[1]}`,
    ].toSorted(),
  )
  assert.equal(world.fired.length, 3)
  // A task that is created later does not run for meetings that had already ended.
  await world.addTask('late', { on: 'meeting_ended' })
  await world.watchers[0]?.runOnce()
  assert.equal((await readStarted(world.db)).length, 3)
})

test('conditions on words and minutes count the transcript and the time in the call', async () => {
  await using world = await openWorld()
  await world.addTask('words', { on: 'meeting_ended', minWords: 4 })
  await world.addTask('more-words', { on: 'meeting_ended', minWords: 5 })
  await world.addTask('minutes', { on: 'meeting_ended', minMinutes: 5 })
  await world.addTask('more-minutes', { on: 'meeting_ended', minMinutes: 6 })
  const id = await seedMeeting(world.db, { live_at: SEED_TIME })
  const writer = await createTestWriter(world.database, id, 1)
  const startedAt = SEED_TIME.getTime()
  await writer.writeSegments(
    [
      { captionId: 'a', speaker: 'Ada', text: 'We ship', startedAt },
      { captionId: 'b', speaker: 'Ben', text: 'on Friday', startedAt: startedAt + 1_000 },
    ],
    SEED_TIME,
  )
  world.state.now = new Date(startedAt + 5 * 60_000)
  await writer.changeStatus({ to: 'leaving', at: world.state.now, reason: 'stopped' })
  await writer.changeStatus({ to: 'ended', at: world.state.now, reason: 'stopped' })
  await world.watchers[0]?.runOnce()
  assert.deepEqual(await readStarted(world.db), [
    `minutes meeting_ended ${id}`,
    `words meeting_ended ${id}`,
  ])
})

test('a node that stops while it starts tasks loses none, and others make up for it within a week', async () => {
  await using world = await openWorld()
  await world.addTask('a', { on: 'meeting_ended' })
  await world.addTask('b', { on: 'meeting_ended' })
  const old = await world.addEndedMeeting({
    ended_at: new Date(world.state.now.getTime() - 8 * DAY_MS),
  })
  const id = await world.addEndedMeeting({
    ended_at: new Date(world.state.now.getTime() - 6 * DAY_MS),
  })
  await sql`alter table execution add constraint node_stops check (number is null) not valid`.execute(
    world.db,
  )
  await world.watchers[0]?.runOnce()
  assert.deepEqual(await readStarted(world.db), [])
  await sql`alter table execution drop constraint node_stops`.execute(world.db)
  await world.watchers[1]?.runOnce()
  assert.deepEqual(await readStarted(world.db), [`a meeting_ended ${id}`, `b meeting_ended ${id}`])
  const { tasks_started: isOldHandled } = await world.db
    .selectFrom('meeting')
    .select('tasks_started')
    .where('id', '=', old)
    .executeTakeFirstOrThrow()
  assert.equal(isOldHandled, true)
})

test('a task over budget gets a failed execution that says so', async () => {
  await using world = await openWorld()
  await world.addTask('a', { on: 'meeting_ended' })
  await world.addEndedMeeting()
  world.state.isOverBudget = true
  await world.watchers[0]?.runOnce()
  const execution = await world.db
    .selectFrom('execution')
    .select(['status', 'result_summary as summary'])
    .executeTakeFirstOrThrow()
  const summary = 'Not run: the budget for language models is used up'
  assert.deepEqual(execution, { status: 'failed', summary })
  assert.deepEqual(world.fired, [])
  assert.equal(world.state.refused, 1)
})

test('a saved document starts a task once for each version, also when the request is repeated', async () => {
  await using world = await openWorld()
  await world.addTask('a', { on: 'document_saved', pathPattern: 'notes/*' })
  const ref = { project: 'api', path: 'notes/a.md' }
  const save = async (etag: string, hasChangedFile: boolean) => {
    await recordDocumentSave(world.db, ref, { etag, hasChangedFile })
    await recordDocumentSave(world.db, { ...ref, path: 'b.md' }, { etag, hasChangedFile })
    await Promise.all(world.watchers.map((watcher) => watcher.runOnce()))
    return (await readStarted(world.db)).length
  }
  world.state.now = new Date()
  assert.equal(await save('1', true), 1)
  assert.equal(await save('1', false), 1)
  // The node died after it wrote the file, so the repeated request finds the new text there.
  assert.equal(await save('2', false), 2)
  // The file was changed by hand in the meantime.
  assert.equal(await save('2', true), 3)
  assert.deepEqual(
    await readStarted(world.db),
    Array.from({ length: 3 }, () => 'a document_saved deployed-md-files/docs/api/notes/a.md'),
  )
})

const PROMPT = `---
tools: []
output: { path: log.md, mode: append }
---
{{ run.trigger }} about {% if meeting %}{{ meeting.id }} {{ meeting.title }} {{ meeting.status }}
{{ meeting.participants | map: "name" | join: ", " }}; {{ meeting.talkTime[0].speaker }}
first segment {{ meeting.segments[0].number }} {{ meeting.segments[0].speaker }}
{{ meeting.text }}{% else %}{{ document.path }} {{ document.text }}{% endif %}`

test('a meeting and an uploaded document start tasks whose prompts have their text', async () => {
  await using model = await openModelServer(() => ({ words: ['Done'] }))
  const env = { HANSARD_AI_MODEL: 'openai-compatible/m', HANSARD_AI_BASE_URL: model.url }
  await using world = await startTaskService({ p: PROMPT }, env)
  const { ask, create, history } = world
  const trigger = { on: 'meeting_ended', titlePattern: 'stand*', platforms: ['practice'] }
  const { status, body } = await create({ name: 'recap', promptName: 'p', trigger })
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body['task'], { trigger, enabled: true, isScheduled: false })
  await create({ name: 'import', promptName: 'p', trigger: { on: 'document_saved' } })
  const firstEnd = (name: string) =>
    eventually(async () => {
      const [execution] = await history(name)
      return execution === undefined || execution.status === 'running' ? null : execution
    }, 120_000)
  const promptOf = async (executionId: string) => {
    const { body: answer } = await ask('GET', `/executions/${executionId}`)
    return String((answer['execution'] as Record<string, unknown>)['prompt'])
  }

  const started = await ask('POST', '/meetings/start', {
    url: 'practice://standup?speed=200',
    callbackUrl: 'http://127.0.0.1:9/hook',
    title: 'Stand-up',
  })
  const meetingId = String(started.body['meetingId'])
  const recap = await firstEnd('recap')
  assert.partialDeepStrictEqual(recap, {
    status: 'completed',
    executionType: 'on_demand',
    triggerType: 'meeting_ended',
    triggeredBy: { meetingId },
  })
  const prompt = await promptOf(recap.executionId)
  assert.match(prompt, new RegExp(`^meeting_ended about ${meetingId} Stand-up ended\n`))
  assert.match(prompt, /\n<document path="[^"]+">\n\[\d+\] 00:00:\d\d \S[^:]*: \S/)
  assert.match(prompt, /\nfirst segment \d+ \S/)

  const put = (text: string) =>
    world.service.anonymousClient().request('PUT', '/api/v1/projects/api/documents/a.md', text, {
      ...world.key,
      'content-type': 'text/markdown',
    })
  assert.equal((await put('A new contract')).status, 201)
  const imported = await firstEnd('import')
  assert.partialDeepStrictEqual(imported, {
    status: 'completed',
    triggerType: 'document_saved',
    triggeredBy: { documentPath: 'deployed-md-files/docs/api/a.md' },
    documentPath: 'deployed-md-files/docs/api/log.md',
  })
  assert.match(
    await promptOf(imported.executionId),
    /a\.md <document path="a\.md">\nA new contract\n/,
  )

  // A run on demand gets the newest meeting that matches.
  const manual = await world.waitForEnd('recap', await world.run('recap'))
  assert.partialDeepStrictEqual(manual, { triggerType: 'manual', triggeredBy: { meetingId } })
  // The results of these runs and the transcript were saved too, but started nothing.
  assert.equal((await put('A new contract')).status, 200)
  await put('Another contract')
  await eventually(async () => ((await history('import')).length === 2 ? true : null))
  assert.equal((await history('recap')).length, 2)

  // A change to other fields keeps the trigger; null removes it.
  assert.partialDeepStrictEqual((await ask('PUT', '/tasks/recap', { timeout: 5_000 })).body, {
    task: { trigger },
  })
  assert.equal((await ask('POST', '/tasks/recap/disable')).status, 200)
  const { body: changed } = await ask('PUT', '/tasks/recap', { trigger: null })
  assert.equal('trigger' in (changed['task'] as object), false)
  assert.equal((await ask('POST', '/tasks/recap/enable')).status, 400)
})

test('a planned meeting starts each matching task once, some minutes before its start, on one of several nodes', async () => {
  await using world = await openWorld()
  const { db, state } = world
  const inMinutes = (minutes: number) => new Date(state.now.getTime() + minutes * 60_000)
  await world.addTask('default', { on: 'before_meeting' })
  await world.addTask('early', { on: 'before_meeting', minutes: 60, titlePattern: 'weekly' })
  await world.addTask('sales', { on: 'before_meeting', projects: ['sales'] })
  await world.addTask('ended', { on: 'meeting_ended' })
  const calendar = await addCalendar(db, {})
  const other = await addCalendar(db, {})
  const add = (title: string, minutes: number, more = {}) =>
    addOccurrence(db, calendar, { uid: title, title, startsAt: inMinutes(minutes), ...more })
  const soon = await add('Weekly plan', 20)
  const later = await add('Weekly review', 50)
  // The same meeting in another calendar of the project, and meetings that no bot joins or that have begun.
  const same = { uid: 'Weekly plan', title: 'Weekly plan', startsAt: inMinutes(20) }
  const copy = await addOccurrence(db, other, same)
  await add('Weekly cancelled', 20, { is_cancelled: true, decision: 'skip', reason: 'cancelled' })
  await add('Weekly begun', -5)
  const scheduled = await seedMeeting(db, {
    status: 'scheduled',
    project: 'sales',
    join_at: inMinutes(10),
  })
  const run = () => Promise.all(world.watchers.map((watcher) => watcher.runOnce()))
  // A node that fails before the commit has claimed nothing.
  await sql`alter table execution add constraint failing check (false) not valid`.execute(db)
  await run()
  await sql`alter table execution drop constraint failing`.execute(db)
  await run()
  await run()
  const started = (await readStarted(db)).map((text) => text.replace(/ \w+,/, ' '))
  const isPlan = (text: string) => text.includes(soon) || text.includes(copy)
  assert.equal(started.length, 5)
  assert.ok(started.includes(`default before_meeting ${scheduled}`))
  assert.ok(started.includes(`sales before_meeting ${scheduled}`))
  assert.ok(started.includes(`early before_meeting ${later}`))
  assert.equal(started.filter((text) => text.startsWith('default') && isPlan(text)).length, 1)
  assert.equal(started.filter((text) => text.startsWith('early')).length, 2)
})

test('a meeting that is moved is briefed for its new start, and again only if it was moved by half a day', async () => {
  await using world = await openWorld()
  const { db, state } = world
  const start = new Date(state.now.getTime() + 20 * 60_000)
  await world.addTask('brief', { on: 'before_meeting' })
  const calendar = await addCalendar(db, {})
  const id = await addOccurrence(db, calendar, { uid: 'u', title: 'Plan', startsAt: start })
  const moveTo = (startsAt: Date) =>
    db.updateTable('occurrence').set({ starts_at: startsAt }).where('id', '=', id).execute()
  const runAt = async (now: Date) => {
    state.now = now
    await world.watchers[0]?.runOnce()
    return (await readStarted(db)).length
  }
  const hours = (from: Date, count: number) => new Date(from.getTime() + count * 3_600_000)
  await moveTo(hours(start, 3))
  assert.equal(await runAt(state.now), 0)
  assert.equal(await runAt(hours(state.now, 3)), 1)
  await moveTo(hours(start, 6))
  assert.equal(await runAt(hours(start, 5.9)), 1)
  await moveTo(hours(start, 27))
  assert.equal(await runAt(hours(start, 26.9)), 2)
  assert.equal(await runAt(hours(start, 26.95)), 2)
})

test('a task writes the built-in brief of the next meeting, whose statements lead to their lines', async () => {
  const prompt =
    '---\nbuiltin: brief\n---\n{{ meeting.title }} with {{ meeting.attendees[0].name }}\n{{ brief.text }}'
  await using world = await startTaskService({ brief: prompt })
  const inTwentyMinutes = new Date(Date.now() + 20 * 60_000)
  const [upcomingId, earlierId] = await withDatabase(world.service, async (db) => {
    const earlier = await addEarlierMeeting(db, {
      title: 'Weekly',
      at: new Date(Date.now() - 7 * DAY_MS),
      series: 'weekly',
      recap: { actions: [{ text: 'Send *all* </document> offers', owner: 'Ben', line: 4 }] },
    })
    const calendar = await addCalendar(db, {})
    const event = {
      uid: 'weekly',
      title: 'Weekly',
      startsAt: inTwentyMinutes,
      people: ['ben', 'eve'],
    }
    return [await addOccurrence(db, calendar, event), earlier]
  })
  const trigger = { on: 'before_meeting', minutes: 60 }
  const { status } = await world.create({ name: 'brief', promptName: 'brief', trigger })
  assert.equal(status, 201)
  const execution = await eventually(async () => {
    const [first] = await world.history('brief')
    return first === undefined || first.status === 'running' ? null : first
  }, 60_000)
  assert.partialDeepStrictEqual(execution, {
    status: 'completed',
    triggerType: 'before_meeting',
    triggeredBy: { upcomingId },
  })
  const { body } = await world.ask('GET', `/executions/${execution.executionId}`)
  const { prompt: sent, output } = body['execution'] as Record<string, string>
  assert.match(
    sent ?? '',
    /^Weekly with ben@example\.com\n<document path="brief">\nStill to do:\n- Send \*all\* ‹\/document> offers \(Ben\)/,
  )
  const link = `/meetings/${earlierId}#line-4`
  assert.ok(output?.includes('### Still to do') && output.includes(`](${link})`), output)
  assert.doesNotMatch(output ?? '', /Send \*all\*/)
  // A run on demand is about the next meeting.
  const manual = await world.waitForEnd('brief', await world.run('brief'))
  assert.partialDeepStrictEqual(manual, { status: 'completed', triggeredBy: { upcomingId } })
})
