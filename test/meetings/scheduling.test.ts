import { strict as assert } from 'node:assert'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import type { Db, Tx } from '../../src/db/database.ts'
import { ServiceError } from '../../src/errors.ts'
import { changeMeetingStatus } from '../../src/meetings/record/meeting-store.ts'
import { findFrontMatter } from '../../src/projects/front-matter.ts'
import { addEarlierMeeting } from '../support/brief/brief-seeds.ts'
import { MEETING_OPTIONS } from '../support/meetings/seed-meeting.ts'
import {
  CHANGE_CONTEXT,
  MAX_SCHEDULED_IN_TESTS,
  openTestMeetingScheduler,
} from '../support/meetings/test-meeting-scheduler.ts'
import { openForFile } from '../support/open-for-file.ts'

const opened = openForFile(openTestMeetingScheduler)
const HOUR = 3_600

async function statusOf(id: string): Promise<string> {
  return (await opened().meetings.get(id)).status
}

async function historyIds(status: 'scheduled' | 'joining'): Promise<string[]> {
  const { meetings } = await opened().meetings.history(INSTANCE_VIEWER, { status }, 100, undefined)
  return meetings.map(({ id }) => id)
}

test('a meeting with a join time is only stored, and is in the history but not among active meetings', async () => {
  const { schedule, secondsFromNow, meetings, payloads, countLanes, root } = opened()
  const meeting = await schedule(HOUR)
  assert.partialDeepStrictEqual(meeting, {
    status: 'scheduled',
    joinAt: secondsFromNow(HOUR),
    startedAt: secondsFromNow(HOUR),
    documentPath: null,
  })
  assert.deepEqual(await meetings.get(meeting.id), meeting)
  assert.deepEqual(await historyIds('scheduled'), [meeting.id])
  assert.deepEqual(await meetings.listActive(INSTANCE_VIEWER), [])
  const link = await meetings.recognise(INSTANCE_VIEWER, 'stage://room')
  assert.deepEqual(link.activeMeetingIds, [])
  assert.deepEqual(await payloads(meeting.id), [])
  assert.equal(await countLanes(meeting.id), 0)
  assert.deepEqual(readdirSync(root), [])
  await meetings.cancelScheduled(null, meeting.id)
})

test('a join time up to ten minutes ago means now', async () => {
  const { schedule, meetings } = opened()
  for (const seconds of [0, -600]) {
    const meeting = await schedule(seconds)
    assert.partialDeepStrictEqual(meeting, { status: 'joining', joinAt: null })
    assert.ok(meeting.documentPath)
    await meetings.stop(meeting.id)
  }
})

test('a join time that is too far ahead or too long ago is refused, and the field is named', async () => {
  const { schedule, meetings } = opened()
  const cases = [
    [90 * 24 * HOUR + 1, 'Must be at most 90 days ahead'],
    [-601, 'Must not be more than 10 minutes in the past'],
  ] as const
  for (const [seconds, message] of cases) {
    await assert.rejects(schedule(seconds), (error) => {
      assert.ok(error instanceof ServiceError)
      assert.equal(error.code, 'invalid_request')
      assert.deepEqual(error.extras.details, [{ path: 'joinAt', message }])
      return true
    })
  }
  const farthest = await schedule(90 * 24 * HOUR)
  assert.equal(await meetings.cancelScheduled(null, farthest.id), true)
})

test('two nodes begin a due meeting once, with its document, its lane and one joining event', async () => {
  const world = opened()
  const { clock, begun, scheduler, root, secondsFromNow } = world
  const meeting = await world.schedule(HOUR)
  const joinAt = secondsFromNow(HOUR)
  assert.equal(await scheduler.runOnce(), (HOUR - 120) * 1_000)
  assert.equal(await statusOf(meeting.id), 'scheduled')
  clock.advance(HOUR - 120)
  const before = begun.length
  await Promise.all([scheduler.runOnce(), world.makeScheduler().runOnce(), scheduler.runOnce()])
  assert.equal(begun.length, before + 1)
  const stored = await world.meetings.get(meeting.id)
  assert.partialDeepStrictEqual(stored, { status: 'joining', startedAt: joinAt, joinAt })
  assert.deepEqual(await world.payloads(meeting.id), [{ status: 'joining', previousStatus: null }])
  assert.equal(await world.countLanes(meeting.id), 1)
  assert.deepEqual(await historyIds('joining'), [meeting.id])
  const { fields } =
    findFrontMatter(readFileSync(join(root, stored.documentPath ?? ''), 'utf8')) ?? {}
  assert.equal(fields?.['meetingId'], meeting.id)
  await world.meetings.stop(meeting.id)
})

test('a meeting that saves no transcript begins without a document', async () => {
  const { schedule, clock, scheduler, meetings } = opened()
  const { id } = await schedule(HOUR, { saveTranscript: false })
  clock.advance(HOUR)
  await scheduler.runOnce()
  assert.partialDeepStrictEqual(await meetings.get(id), { status: 'joining', documentPath: null })
  await meetings.stop(id)
})

test('a late meeting is joined until its expected end, or for an hour when its end is not known', async () => {
  const { schedule, clock, scheduler, secondsFromNow, meetings, payloads } = opened()
  const [longer, unknown, over] = [
    await schedule(600, { expectedEndAt: secondsFromNow(600 + 2 * HOUR) }),
    await schedule(600),
    await schedule(600, { expectedEndAt: secondsFromNow(600 + 1_800) }),
  ]
  clock.advance(600 + HOUR)
  await scheduler.runOnce()
  for (const { id } of [longer, unknown])
    assert.partialDeepStrictEqual(await meetings.get(id), {
      status: 'joining',
      startedAt: clock.now(),
    })
  const detail = 'The service could not join at the scheduled time and would have been 1 h late'
  assert.partialDeepStrictEqual(await meetings.get(over.id), {
    status: 'error',
    reason: 'missed',
    detail,
    documentPath: null,
    endedAt: clock.now(),
  })
  assert.deepEqual(await payloads(over.id), [
    { status: 'joining', previousStatus: null },
    { status: 'error', previousStatus: 'joining', reason: 'missed', detail },
  ])
  for (const { id } of [longer, unknown]) await meetings.stop(id)

  const later = await schedule(600)
  clock.advance(600 + HOUR + 1)
  await scheduler.runOnce()
  assert.partialDeepStrictEqual(await meetings.get(later.id), { status: 'error', reason: 'missed' })
})

test('a scheduled meeting that is stopped ends without an event and never begins', async () => {
  const { schedule, clock, scheduler, meetings, payloads, countLanes, begun, db } = opened()
  const { id } = await schedule(HOUR)
  assert.equal(await meetings.stop(id), 'ended')
  assert.equal(await meetings.stop(id), 'ended')
  assert.partialDeepStrictEqual(await meetings.get(id), {
    status: 'ended',
    reason: 'stopped',
    startedAt: clock.now(),
  })
  const before = begun.length
  clock.advance(HOUR)
  await scheduler.runOnce()
  assert.equal(begun.length, before)
  assert.deepEqual(await payloads(id), [])
  assert.equal(await countLanes(id), 0)
  // Tasks that start when a meeting ends do not start for a meeting that never took place.
  const row = db.selectFrom('meeting').select('tasks_started').where('id', '=', id)
  assert.deepEqual(await row.executeTakeFirst(), { tasks_started: true })
  await meetings.remove(INSTANCE_VIEWER, id, 'test')
  await assert.rejects(meetings.get(id), /no such meeting/)
})

test('rescheduling and cancelling work until a meeting begins, and say whether they did', async () => {
  const { schedule, clock, scheduler, secondsFromNow, meetings } = opened()
  const { id } = await schedule(HOUR)
  const later = secondsFromNow(2 * HOUR)
  assert.equal(await meetings.reschedule(null, id, later, null), true)
  clock.advance(HOUR)
  await scheduler.runOnce()
  assert.partialDeepStrictEqual(await meetings.get(id), { status: 'scheduled', startedAt: later })
  clock.advance(HOUR)
  await scheduler.runOnce()
  assert.equal(await statusOf(id), 'joining')
  assert.equal(await meetings.reschedule(null, id, secondsFromNow(HOUR), null), false)
  assert.equal(await meetings.cancelScheduled(null, id), false)
  assert.equal(await statusOf(id), 'joining')
  await meetings.stop(id)
})

test('time and project of a scheduled meeting change until it begins, and its title also later', async () => {
  const { schedule, clock, scheduler, secondsFromNow, meetings, db } = opened()
  const { id } = await schedule(HOUR, { expectedEndAt: secondsFromNow(2 * HOUR) })
  const joinAt = secondsFromNow(3 * HOUR)
  const moves: string[] = []
  const changed = await meetings.change(
    INSTANCE_VIEWER,
    id,
    { joinAt, title: 'Retro', project: 'sales' },
    {
      ...CHANGE_CONTEXT,
      beforeMove: async (_tx, { previousProject }) => void moves.push(previousProject),
    },
  )
  const expected = {
    status: 'scheduled',
    joinAt,
    startedAt: joinAt,
    title: 'Retro',
    project: 'sales',
  }
  assert.partialDeepStrictEqual(changed, expected)
  assert.deepEqual(await meetings.get(id), changed)
  assert.deepEqual(moves, ['api'])
  const end = db.selectFrom('meeting').select('expected_end_at').where('id', '=', id)
  assert.deepEqual(await end.executeTakeFirst(), { expected_end_at: secondsFromNow(4 * HOUR) })

  const change = (changes: object) => meetings.change(INSTANCE_VIEWER, id, changes, CHANGE_CONTEXT)
  await assert.rejects(change({ joinAt: secondsFromNow(-601) }), { code: 'invalid_request' })
  clock.advance(3 * HOUR)
  await scheduler.runOnce()
  const begun = await meetings.get(id)
  assert.match(begun.documentPath ?? '', /docs\/sales\/meetings\/.*Retro\.md$/)
  assert.partialDeepStrictEqual(await change({ title: 'Late' }), { title: 'Late' })
  await assert.rejects(change({ joinAt: secondsFromNow(HOUR) }), { code: 'meeting_not_scheduled' })
  await assert.rejects(change({ project: 'api' }), { code: 'meeting_active' })
  await meetings.stop(id)
})

test('a meeting waits for disk space and begins when there is some', async () => {
  const { schedule, clock, scheduler, meetings, world } = opened()
  const [saved, unsaved] = [await schedule(HOUR), await schedule(HOUR, { saveTranscript: false })]
  world.hasDiskSpace = false
  clock.advance(HOUR)
  await scheduler.runOnce()
  assert.equal(await statusOf(saved.id), 'scheduled')
  assert.equal(await statusOf(unsaved.id), 'joining')
  world.hasDiskSpace = true
  await scheduler.runOnce()
  assert.equal(await statusOf(saved.id), 'joining')
  for (const { id } of [saved, unsaved]) await meetings.stop(id)
})

test('a beginning that fails leaves no document, and the next check begins the meeting', async () => {
  const { schedule, clock, scheduler, meetings, db, root } = opened()
  const { id } = await schedule(HOUR, { project: 'fragile' })
  clock.advance(HOUR)
  // The lane cannot be stored twice.
  await db
    .insertInto('lane')
    .values({
      id: 'lane_taken',
      meeting_id: id,
      kind: 'meeting',
      url: 'http://127.0.0.1:9/',
      token_id: null,
      events: null,
      due_at: null,
      created_at: clock.now(),
    })
    .execute()
  await scheduler.runOnce()
  assert.equal(await statusOf(id), 'scheduled')
  const folder = join(root, 'deployed-md-files/docs/fragile/meetings')
  assert.deepEqual(existsSync(folder) ? readdirSync(folder) : [], [])
  await db.deleteFrom('lane').where('id', '=', 'lane_taken').execute()
  // It is not retried at once, which would fill the log.
  await scheduler.runOnce()
  assert.equal(await statusOf(id), 'scheduled')
  clock.advance(5)
  await scheduler.runOnce()
  assert.equal(await statusOf(id), 'joining')
  assert.equal(readdirSync(folder).length, 1)
  await meetings.stop(id)
})

test('the document that a killed node left is replaced, and documents of other meetings stay', async () => {
  const { schedule, clock, scheduler, meetings, root } = opened()
  const request = { project: 'killed', saveTranscript: true }
  const [first, second] = [await schedule(HOUR, request), await schedule(HOUR, request)]
  clock.advance(HOUR - 120)
  await scheduler.runOnce()
  const [kept, left] = [await meetings.get(first.id), await meetings.get(second.id)]
  // As if the node had been killed before the commit, after it wrote the document.
  await opened()
    .db.updateTable('meeting')
    .set({ status: 'scheduled', document_path: null })
    .where('id', '=', left.id)
    .execute()
  await opened().db.deleteFrom('lane').where('meeting_id', '=', left.id).execute()
  await opened().db.deleteFrom('event').where('meeting_id', '=', left.id).execute()
  // The next node begins it late, so its document has another minute in its name.
  clock.advance(600)
  await scheduler.runOnce()
  const begun = await meetings.get(left.id)
  assert.notEqual(begun.documentPath, left.documentPath)
  const paths = [kept.documentPath, begun.documentPath].map((path) => String(path))
  const names = readdirSync(join(root, 'deployed-md-files/docs/killed/meetings'))
  assert.deepEqual(new Set(names), new Set(paths.map((path) => path.split('/').at(-1))))
  for (const { id } of [first, second]) await meetings.stop(id)
})

test('a failed beginning does not remove the document of the node that began the meeting', async () => {
  const { schedule, clock, makeScheduler, meetings, db, root } = opened()
  const lost = new Error('connection lost')
  /** The first transaction of this database ends as `end` says. The others work normally. */
  const makeBrokenDb = (end: (work: (tx: Tx) => Promise<unknown>) => Promise<never>): Db => {
    let isFirst = true
    const transaction = () => {
      const broken = { execute: end }
      const opening = isFirst ? broken : db.transaction()
      isFirst = false
      return opening
    }
    return { selectFrom: db.selectFrom.bind(db), transaction } as unknown as Db
  }
  const committed = makeBrokenDb(async (work) => {
    await db.transaction().execute(work)
    throw lost
  })
  const killed = makeBrokenDb(async (work) => {
    const hanging = db.transaction().execute(async (tx) => {
      await work(tx)
      throw lost
    })
    await assert.rejects(hanging, lost)
    await makeScheduler().runOnce()
    throw lost
  })
  for (const broken of [committed, killed]) {
    const { id } = await schedule(HOUR, { project: 'taken' })
    clock.advance(HOUR)
    await makeScheduler({ db: broken }).runOnce()
    const { status, documentPath } = await meetings.get(id)
    assert.equal(status, 'joining')
    assert.ok(existsSync(join(root, String(documentPath))))
    await meetings.stop(id)
  }
  assert.equal(readdirSync(join(root, 'deployed-md-files/docs/taken/meetings')).length, 2)
})

test('a meeting whose bot would join at once needs capacity and disk space; a later one does not', async () => {
  const { schedule, world, meetings, secondsFromNow } = opened()
  world.hasCapacity = false
  await assert.rejects(schedule(120), { code: 'at_capacity' })
  const later = await schedule(121)
  const change = (seconds: number) =>
    meetings.change(INSTANCE_VIEWER, later.id, { joinAt: secondsFromNow(seconds) }, CHANGE_CONTEXT)
  await assert.rejects(change(120), { code: 'at_capacity' })
  await change(122)
  world.hasCapacity = true
  world.hasDiskSpace = false
  await assert.rejects(schedule(120), { code: 'storage_full' })
  world.hasDiskSpace = true
  await meetings.stop(later.id)
  await meetings.stop((await schedule(120)).id)
})

test('one person or token can schedule only so many meetings', async () => {
  const { schedule, addUser, addToken, meetings } = opened()
  const schedulers = [
    [{ viewer: await addUser() }, 'This person has already scheduled 5 meetings'],
    [{ tokenId: await addToken() }, 'This API token has already scheduled 5 meetings'],
  ] as const
  for (const [by, message] of schedulers) {
    const ids: string[] = []
    for (let i = 0; i < MAX_SCHEDULED_IN_TESTS; i += 1) ids.push((await schedule(HOUR, {}, by)).id)
    await assert.rejects(schedule(HOUR, {}, by), { code: 'too_many_scheduled', message })
    await meetings.stop(String(ids[0]))
    ids.push((await schedule(HOUR, {}, by)).id)
    for (const id of ids) await meetings.stop(id)
  }
})

test('a meeting that is stopped while its bot waits has not started after its end', async () => {
  const { schedule, clock, scheduler, meetings, db } = opened()
  const { id } = await schedule(HOUR)
  clock.advance(HOUR - 120)
  await scheduler.runOnce()
  await meetings.stop(id)
  for (const to of ['leaving', 'ended'] as const)
    await db
      .transaction()
      .execute((tx) => changeMeetingStatus(tx, id, { to, reason: 'stopped', at: clock.now() }))
  assert.partialDeepStrictEqual(await meetings.get(id), {
    status: 'ended',
    startedAt: clock.now(),
    endedAt: clock.now(),
  })
})

test('many meetings of the same minute begin in one check', async () => {
  const { schedule, clock, scheduler, meetings } = opened()
  const ids = new Set<string>()
  for (let i = 0; i < 120; i += 1) ids.add((await schedule(HOUR, { saveTranscript: false })).id)
  clock.advance(HOUR - 120)
  await scheduler.runOnce()
  assert.deepEqual(await historyIds('scheduled'), [])
  for (const id of ids) await meetings.stop(id)
})

test('a meeting that asks for it reports its brief when it begins, without texts and only if something is known', async () => {
  const { db, clock, schedule, scheduler, payloads } = opened()
  const options = {
    ...MEETING_OPTIONS,
    events: ['meeting_status' as const, 'brief_ready' as const],
  }
  await addEarlierMeeting(db, {
    title: 'Known series',
    at: new Date(clock.now().getTime() - 86_400_000),
    recap: { actions: [{ text: 'Secret work', owner: 'Ben', line: 1 }] },
  })
  const asked = await schedule(600, { options, title: 'Known series' })
  const silent = await schedule(600, { title: 'Known series' })
  const unknown = await schedule(600, { options, title: 'First of its kind' })
  clock.advance(500)
  await scheduler.runOnce()
  const joining = { status: 'joining', previousStatus: null }
  const [first, brief, ...others] = await payloads(asked.id)
  assert.deepEqual([first, others], [joining, []])
  assert.deepEqual(brief, {
    briefPath: `/api/v1/upcoming/${asked.id}/brief`,
    startsAt: asked.joinAt?.toISOString(),
    meetingCount: 1,
    decisionCount: 0,
    actionCount: 1,
    openQuestionCount: 0,
    timestamp: clock.now().toISOString(),
  })
  assert.deepEqual(await payloads(silent.id), [joining])
  assert.deepEqual(await payloads(unknown.id), [joining])
})
