import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import {
  addCalendar,
  addEarlierMeeting,
  addOccurrence,
  addUser,
  makePrivate,
} from '../../test/support/brief/brief-seeds.ts'
import { openTestDatabase } from '../../test/support/database/test-database.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db } from '../db/database.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import type { Brief } from './brief.ts'
import { createBriefCollector } from './collect-brief.ts'

const START = new Date('2026-11-19T10:00:00Z')
const daysBefore = (days: number) => new Date(START.getTime() - days * DAY_MS)
const search = async () => ({
  results: [],
  matched: 'all' as const,
  nextCursor: null,
  corrections: [],
})

let database: Awaited<ReturnType<typeof openTestDatabase>>
let db: Db
let ada: string
let ben: string
let calendar: string
before(async () => {
  database = await openTestDatabase()
  db = database.db
  ada = await addUser(db, 'Ada')
  ben = await addUser(db, 'Ben')
  calendar = await addCalendar(db, { userId: ada, address: 'ada@example.com' })
})
after(() => database[Symbol.asyncDispose]())

const viewerOf = (userId: string): Viewer => ({
  kind: 'user',
  userId,
  role: 'member',
  projects: null,
})

async function collect(viewer: Viewer, upcomingId: string): Promise<Brief> {
  const brief = await createBriefCollector({ db, search })(viewer, upcomingId)
  assert.ok(brief)
  return brief
}

const titlesOf = ({ meetings }: Brief) => meetings.map(({ title, relation }) => [title, relation])

test('earlier meetings of a series are found by its UID, or by the title in the same project', async () => {
  const series = 'series-1'
  const recap = {
    decisions: [{ text: 'We ship on Friday', speaker: 'Ben', line: 2 }],
    questions: [{ text: 'Who tells the customer?', line: 3 }],
    actions: [{ text: 'Send the list', owner: 'Ada', due: '2026-11-20', line: 1 }],
  }
  const last = await addEarlierMeeting(db, {
    title: 'Sync (old)',
    at: daysBefore(7),
    series,
    recap,
  })
  await addEarlierMeeting(db, { title: 'weekly SYNC', at: daysBefore(14) })
  await addEarlierMeeting(db, { title: 'Weekly sync', at: daysBefore(3), project: 'other' })
  await addEarlierMeeting(db, { title: 'Weekly sync 2', at: daysBefore(2) })
  const upcoming = await addOccurrence(db, calendar, {
    uid: series,
    title: 'Weekly sync',
    startsAt: START,
  })
  const brief = await collect(viewerOf(ada), upcoming)
  assert.deepEqual(titlesOf(brief), [
    ['Sync (old)', 'series'],
    ['weekly SYNC', 'series'],
  ])
  const cited = (line: number) => ({ meetingId: last, segmentNumbers: [line] })
  assert.deepEqual(brief.decisions, [
    { text: 'We ship on Friday', person: 'Ben', dueDate: null, ...cited(2) },
  ])
  assert.deepEqual(brief.openQuestions, [
    { text: 'Who tells the customer?', person: null, dueDate: null, ...cited(3) },
  ])
  assert.deepEqual(brief.actions, [
    { text: 'Send the list', person: 'Ada', dueDate: '2026-11-20', ...cited(1) },
  ])
  await db
    .updateTable('action_item')
    .set({ state: 'done' })
    .where('meeting_id', '=', last)
    .execute()
  assert.deepEqual((await collect(viewerOf(ada), upcoming)).actions, [])
})

test('meetings with at least half of the other people are found by address or by the name of an account', async () => {
  await addUser(db, 'Chloé')
  await db
    .updateTable('app_user')
    .set({ email: 'chloe@example.com' })
    .where('name', '=', 'Chloé')
    .execute()
  await addEarlierMeeting(db, { title: 'Budget', at: daysBefore(5), people: ['ada', 'ben', 'eve'] })
  await addEarlierMeeting(db, {
    title: 'Call',
    at: daysBefore(6),
    participants: ['Ada', 'Chloé', 'Ben'],
  })
  await addEarlierMeeting(db, { title: 'Only one', at: daysBefore(1), people: ['ada', 'ben'] })
  await addEarlierMeeting(db, { title: 'Long ago', at: daysBefore(100), people: ['ben', 'eve'] })
  const upcoming = await addOccurrence(db, calendar, {
    uid: 'people',
    title: 'Plans',
    startsAt: START,
    people: ['ada', 'ben', 'eve', 'chloe'],
  })
  assert.deepEqual(titlesOf(await collect(viewerOf(ada), upcoming)), [
    ['Budget', 'people'],
    ['Call', 'people'],
  ])
})

test('a brief has nothing that its reader may not read, and names people only to those who are invited', async () => {
  await makePrivate(db, 'secret', [ada])
  const series = 'secret-series'
  const recap = { decisions: [{ text: 'We sell the company', line: 1 }] }
  await addEarlierMeeting(db, {
    title: 'Board',
    at: daysBefore(7),
    project: 'secret',
    series,
    recap,
    people: ['ada', 'dan'],
  })
  const upcoming = await addOccurrence(db, calendar, {
    uid: series,
    title: 'Board',
    startsAt: START,
    people: ['ada', 'dan'],
  })
  const own = await collect(viewerOf(ada), upcoming)
  assert.deepEqual(titlesOf(own), [['Board', 'series']])
  assert.equal(own.decisions.length, 1)
  assert.deepEqual(own.upcoming.people, [
    { address: 'ada@example.com', name: 'Ada' },
    { address: 'dan@example.com', name: null },
  ])
  const others = await collect(viewerOf(ben), upcoming)
  assert.deepEqual([others.meetings, others.decisions, others.upcoming.people], [[], [], []])
  const limited = await collect({ kind: 'service', projects: ['api'] }, upcoming)
  assert.deepEqual(limited.meetings, [])
})
