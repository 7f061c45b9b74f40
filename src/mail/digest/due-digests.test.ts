import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/database/test-database.ts'
import { seedMeetingsWithRecaps } from '../../../test/support/meetings/seed-recap.ts'
import { createSecretBox } from '../../lib/crypto.ts'
import { createLog } from '../../log.ts'
import { readUnsubscribeToken } from '../unsubscribe.ts'
import { changeDigestChoice, type DigestChoice } from './digest-choice.ts'
import { createDigestComposer } from './digest-mail.ts'
import { enqueueDueDigests } from './due-digests.ts'

const CHOICE: DigestChoice = {
  frequency: 'daily',
  weekday: 'monday',
  hour: 8,
  timeZone: 'Europe/Berlin',
}
const CHOSEN_AT = new Date('2026-11-18T12:00:00Z')
const DUE = new Date('2026-11-19T07:00:00Z')
const afterDue = (minutes: number) => new Date(DUE.getTime() + minutes * 60_000)
const BOX = createSecretBox(Buffer.alloc(32, 7))

async function openWorld({ project = 'api' } = {}) {
  const database = await openTestDatabase()
  const { db, url } = database
  for (const id of ['ada', 'ben'])
    await db
      .insertInto('app_user')
      .values({ id, name: id, email: `${id}@example.com`, role: 'member', password_hash: null })
      .execute()
  await seedMeetingsWithRecaps(url, [
    {
      title: 'Planning <b>\r\nBcc: eve@example.com',
      project,
      startedAt: new Date('2026-11-18T13:00:00Z'),
      summary: ['We planned.'],
      decisions: [{ text: 'Ship it', speaker: 'Ada' }],
    },
  ])
  const change = (userId: string, choice: Partial<DigestChoice>, now = CHOSEN_AT) =>
    changeDigestChoice(db, userId, choice, { actor: { name: userId, ip: null }, now })
  const compose = createDigestComposer({ publicUrl: 'https://h.example', secretBox: BOX })
  return {
    ...database,
    change,
    enqueue: (now: Date, connection = db) =>
      enqueueDueDigests({ db: connection, log: createLog('silent') }, now),
    listKeys: async () => {
      const rows = await db
        .selectFrom('mail')
        .select('unique_key as key')
        .orderBy('created_at')
        .orderBy('unique_key')
        .execute()
      return rows.map(({ key }) => key)
    },
    compose: (userId: string, createdAt: Date) =>
      compose(db, {
        id: 'mail_1',
        kind: 'digest',
        userId,
        address: null,
        meetingId: null,
        upcomingId: null,
        code: null,
        createdAt,
      }),
  }
}

test('a digest is stored once when it is due, and again on the next day with news only', async () => {
  await using world = await openWorld()
  const { change, enqueue, listKeys } = world
  assert.equal(await change('ada', CHOICE), true)
  assert.equal(await change('nobody', CHOICE), false)
  await enqueue(DUE)
  assert.deepEqual(await listKeys(), [])
  await enqueue(afterDue(1))
  await enqueue(afterDue(2))
  assert.deepEqual(await listKeys(), ['digest:ada:2026-11-19'])
  // A later hour on the same day is the same digest.
  await change('ada', { hour: 10 }, afterDue(3))
  await enqueue(afterDue(130))
  // Nothing happened since.
  await enqueue(afterDue(24 * 60 + 130))
  assert.deepEqual(await listKeys(), ['digest:ada:2026-11-19'])
})

test('several nodes at once store each digest once', async () => {
  await using world = await openWorld()
  const { db, change, enqueue, listKeys } = world
  const ids = Array.from({ length: 15 }, (_, i) => `user${String(i).padStart(2, '0')}`)
  for (const id of ids) {
    await db
      .insertInto('app_user')
      .values({ id, name: id, email: `${id}@example.com`, role: 'member', password_hash: null })
      .execute()
    await change(id, CHOICE)
  }
  await Promise.all(Array.from({ length: 4 }, () => enqueue(afterDue(5))))
  assert.deepEqual(
    (await listKeys()).toSorted(),
    ids.map((id) => `digest:${id}:2026-11-19`),
  )
})

test('after downtime a digest is sent some hours late, and left out later', async () => {
  await using world = await openWorld()
  const { db, change, enqueue, listKeys } = world
  await change('ada', CHOICE)
  await change('ben', { ...CHOICE, timeZone: 'Asia/Tokyo' })
  // 8:00 in Tokyo was eight hours before 8:00 in Berlin.
  await enqueue(afterDue(5 * 60))
  assert.deepEqual(await listKeys(), ['digest:ada:2026-11-19'])
  const due = await db
    .selectFrom('mail_choice')
    .select(['user_id as id', 'digest_due_at as at'])
    .orderBy('user_id')
    .execute()
  assert.deepEqual(
    due.map(({ id, at }) => [id, at?.toISOString()]),
    [
      ['ada', '2026-11-20T07:00:00.000Z'],
      ['ben', '2026-11-19T23:00:00.000Z'],
    ],
  )
})

test('a digest that cannot be prepared holds up no other and is tried again', async () => {
  await using world = await openWorld()
  const { db, change, enqueue, listKeys } = world
  await change('ada', { ...CHOICE, timeZone: 'Asia/Tokyo' })
  await change('ben', CHOICE)
  await db
    .updateTable('mail_choice')
    .set({ time_zone: 'Nowhere/Nothing' })
    .where('user_id', '=', 'ada')
    .execute()
  await enqueue(afterDue(1))
  assert.deepEqual(await listKeys(), ['digest:ben:2026-11-19'])
  await db
    .updateTable('mail_choice')
    .set({ time_zone: 'Europe/Berlin' })
    .where('user_id', '=', 'ada')
    .execute()
  await enqueue(afterDue(63))
  assert.equal((await listKeys()).length, 2)
})

test('who lost access or turned it off after it was stored gets nothing, and no title is in a subject', async () => {
  await using world = await openWorld({ project: 'secret' })
  const { db, change, enqueue, listKeys, compose } = world
  await change('ada', CHOICE)
  await enqueue(afterDue(1))
  assert.equal((await listKeys()).length, 1)
  const mail = await compose('ada', afterDue(1))
  assert.ok(typeof mail === 'object')
  assert.equal(mail.subject, 'Daily digest: 1 meeting, 1 decision')
  assert.match(mail.html, /Planning &lt;b&gt; Bcc: eve@example\.com/)
  assert.match(mail.text, /- Ship it \(Ada\)\n {2}Planning <b> Bcc: .*#line-1\n/)
  const token = mail.unsubscribeUrl?.split('/').at(-1) ?? ''
  assert.deepEqual(readUnsubscribeToken(BOX, token), { what: 'digest', whom: 'ada' })
  await db
    .insertInto('project_access')
    .values({ project: 'secret', access: 'private', created_by: null, created_at: CHOSEN_AT })
    .execute()
  assert.equal(await compose('ada', afterDue(1)), 'content_gone')
  await db.deleteFrom('project_access').execute()
  await change('ada', { frequency: 'none' }, afterDue(2))
  assert.equal(await compose('ada', afterDue(1)), 'turned_off')
  await db.deleteFrom('app_user').where('id', '=', 'ada').execute()
  assert.equal(await compose('ada', afterDue(1)), 'content_gone')
})
