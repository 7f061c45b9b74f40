import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import {
  addCalendar,
  addEarlierMeeting,
  addOccurrence,
  addUser,
  makePrivate,
} from '../../../test/support/brief/brief-seeds.ts'
import { openTestDatabase } from '../../../test/support/database/test-database.ts'
import { createBriefCollector } from '../../brief/collect-brief.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import { createSecretBox } from '../../lib/crypto.ts'
import { createBriefComposer, enqueueDueBriefs } from './brief-mail.ts'

const NOW = new Date('2026-11-19T10:00:00Z')
const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS)

/** Ada and Ben want briefs 30 minutes before. Earlier meetings of the series `weekly` are known in `api`. */
async function openWorld() {
  const database = await openTestDatabase()
  const { db } = database
  const [ada, ben] = [await addUser(db, 'Ada'), await addUser(db, 'Ben')]
  await db
    .insertInto('mail_choice')
    .values([ada, ben].map((userId) => ({ user_id: userId, brief_minutes: 30 })))
    .execute()
  const recap = { actions: [{ text: 'Send the offer', line: 1 }] }
  const at = new Date(NOW.getTime() - 7 * DAY_MS)
  await addEarlierMeeting(db, { title: 'Weekly', at, series: 'weekly', recap })
  const search = async () => ({
    results: [],
    matched: 'all' as const,
    nextCursor: null,
    corrections: [],
  })
  const collectBrief = createBriefCollector({ db, search })
  const log = pino({ level: 'silent' })
  return {
    db,
    ada,
    ben,
    collectBrief,
    enqueue: (now = NOW) => enqueueDueBriefs({ db, log, collectBrief }, now),
    async listRecipients() {
      const rows = await db
        .selectFrom('mail')
        .innerJoin('app_user', 'app_user.id', 'mail.user_id')
        .select(['app_user.name', 'mail.upcoming_id as upcomingId'])
        .orderBy('app_user.name')
        .execute()
      return rows.map(({ name, upcomingId }) => `${name} ${upcomingId}`)
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const people = ['ada', 'ben']
const weekly = { uid: 'weekly', title: 'Weekly', startsAt: inMinutes(20), people }

test('people get one brief of a meeting, from several nodes and calendars, and again after a failure', async () => {
  await using world = await openWorld()
  const { db, ada } = world
  const own = await addCalendar(db, { userId: ada, address: 'ada@example.com' })
  const other = await addCalendar(db, {})
  await makePrivate(db, 'hidden', [])
  const hidden = await addCalendar(db, { project: 'hidden' })
  // Ben sees the meeting only in the calendar of the team, although he is invited in the hidden one too.
  await addOccurrence(db, hidden, weekly)
  const inTeam = await addOccurrence(db, other, weekly)
  const inOwn = await addOccurrence(db, own, weekly)
  await sql`alter table mail add constraint failing check (false) not valid`.execute(db)
  await world.enqueue()
  assert.deepEqual(await world.listRecipients(), [])
  await sql`alter table mail drop constraint failing`.execute(db)
  await Promise.all([world.enqueue(), world.enqueue(), world.enqueue()])
  await world.enqueue()
  assert.deepEqual(await world.listRecipients(), [`Ada ${inOwn}`, `Ben ${inTeam}`])
})

test('nobody is briefed too early, about a meeting that no bot joins, that they declined, or of which nothing is known', async () => {
  await using world = await openWorld()
  const { db } = world
  const team = await addCalendar(db, {})
  const add = (title: string, more: object) =>
    addOccurrence(db, team, { ...weekly, key: title, title, ...more })
  await add('later', { startsAt: inMinutes(31) })
  await add('begun', { startsAt: inMinutes(0) })
  await add('cancelled', { decision: 'skip', reason: 'cancelled' })
  await add('whole day', { decision: 'skip', reason: 'all_day' })
  await add('unknown', { uid: 'first', people: ['ada'] })
  const declined = JSON.stringify([{ address: 'ben@example.com', response: 'declined' }])
  await add('declined', { attendees: declined })
  await world.enqueue()
  assert.deepEqual(await world.listRecipients(), [])
  await world.enqueue(inMinutes(1))
  assert.equal((await world.listRecipients()).length, 2)
})

test('a moved meeting is briefed before its new start, and a started one is not mailed', async () => {
  await using world = await openWorld()
  const { db, ada, collectBrief } = world
  const calendar = await addCalendar(db, { userId: ada, address: 'ada@example.com' })
  const id = await addOccurrence(db, calendar, { ...weekly, people: ['ada'] })
  const moveTo = (minutes: number) =>
    db
      .updateTable('occurrence')
      .set({ starts_at: inMinutes(minutes) })
      .where('id', '=', id)
      .execute()
  await moveTo(80)
  await world.enqueue()
  assert.deepEqual(await world.listRecipients(), [])
  await world.enqueue(inMinutes(55))
  await moveTo(180)
  await world.enqueue(inMinutes(170))
  assert.deepEqual(await world.listRecipients(), [`Ada ${id}`])
  const compose = (now: Date) =>
    createBriefComposer({
      publicUrl: 'https://hansard.example.com',
      secretBox: createSecretBox(Buffer.alloc(32)),
      clock: { now: () => now },
      timeZone: 'Europe/Berlin',
      collectBrief,
    })(db, {
      id: 'mail_1',
      kind: 'brief',
      userId: ada,
      address: null,
      meetingId: null,
      upcomingId: id,
      code: null,
      createdAt: NOW,
    })
  const mail = await compose(inMinutes(179))
  assert.ok(typeof mail === 'object')
  assert.match(mail.text, /Thursday 19 November at 14:00 \(Europe\/Berlin\)/)
  assert.equal(await compose(inMinutes(180)), 'too_late')
  await moveTo(180 + (24 * HOUR_MS) / MINUTE_MS)
  await world.enqueue(inMinutes(179 + (24 * HOUR_MS) / MINUTE_MS))
  assert.equal((await world.listRecipients()).length, 2)
})
