import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/database/test-database.ts'
import { seedMeetingsWithRecaps } from '../../../test/support/meetings/seed-recap.ts'
import type { Viewer } from '../../access/viewer.ts'
import { collectDigest, hasNews, type DigestScope } from './collect-digest.ts'
import { listDigestSections } from './digest-sections.ts'

const DAY = '2026-11-19'
const PERIOD = { from: new Date('2026-11-18T08:00:00Z'), to: new Date('2026-11-19T08:00:00Z') }
const SCOPE: DigestScope = {
  meetings: PERIOD,
  due: { from: '2026-10-20', to: '2026-11-20' },
  ownerId: 'usr_ada',
}
const at = (time: string) => new Date(`2026-11-${time}:00Z`)

async function openWorld() {
  const database = await openTestDatabase()
  const { db } = database
  for (const name of ['Ada', 'Ben'])
    await db
      .insertInto('app_user')
      .values({
        id: `usr_${name.toLowerCase()}`,
        name,
        email: `${name.toLowerCase()}@example.com`,
        role: 'member',
        password_hash: null,
      })
      .execute()
  await db
    .insertInto('project_access')
    .values({ project: 'secret', access: 'private', created_by: null, created_at: PERIOD.from })
    .execute()
  const viewer = (userId: string): Viewer => ({
    kind: 'user',
    userId,
    role: 'member',
    projects: null,
  })
  return { ...database, ada: viewer('usr_ada'), ben: viewer('usr_ben') }
}

test('a digest has the meetings whose recap came in its period, own action items first, and nothing hidden', async () => {
  await using world = await openWorld()
  const { db, url, ada, ben } = world
  await seedMeetingsWithRecaps(url, [
    {
      title: 'Planning',
      startedAt: at('18T09:00'),
      summary: ['We planned.'],
      decisions: [{ text: 'We ship on Friday', speaker: 'Ada' }],
      actions: [
        { text: 'Write the notes', owner: 'Ben' },
        { text: 'Send the offer', owner: 'Ada', dueDate: '2026-12-24' },
        { text: 'Is done', owner: 'Ada', state: 'done' },
      ],
    },
    // Ended exactly when the period begins, and exactly when it ends.
    { title: 'First', startedAt: at('18T07:30'), summary: ['It began.'] },
    { title: 'Next', startedAt: at('19T07:30'), summary: ['Later.'] },
    {
      title: 'Old',
      startedAt: at('01T09:00'),
      summary: ['Old.'],
      actions: [
        { text: 'Pay the bill', owner: 'Ada', dueDate: '2026-11-17' },
        { text: 'Call the bank', owner: 'Ben', dueDate: DAY },
        { text: 'Long forgotten', owner: 'Ada', dueDate: '2026-09-01' },
        { text: 'Far away', owner: 'Ada', dueDate: '2026-11-20' },
      ],
    },
    {
      title: 'Secret',
      project: 'secret',
      startedAt: at('18T12:00'),
      summary: ['Hidden.'],
      decisions: [{ text: 'Buy them', speaker: null }],
      actions: [{ text: 'Hide it', owner: 'Ada', dueDate: DAY }],
    },
    { title: 'Without a recap', startedAt: at('18T13:00') },
  ])
  // A member sees the private project as long as they are one.
  const member = { project: 'secret', user_id: 'usr_ben', added_by: null, added_at: PERIOD.from }
  await db
    .insertInto('project_member')
    .values({ ...member, role: 'reader' })
    .execute()
  const digest = await collectDigest(db, ada, SCOPE)
  const texts = (list: ReadonlyArray<{ text: string }>) => list.map(({ text }) => text)
  assert.deepEqual(
    digest.meetings.map(({ title, gist }) => [title, gist]),
    [
      ['Planning', '1 decision, 3 actions: We ship on Friday'],
      ['First', 'It began.'],
    ],
  )
  assert.deepEqual(texts(digest.ownActions), ['Pay the bill', 'Send the offer'])
  assert.deepEqual(texts(digest.otherActions), ['Call the bank', 'Write the notes'])
  assert.deepEqual(texts(digest.decisions), ['We ship on Friday'])
  const sections = listDigestSections(digest, { day: DAY, timeZone: 'Europe/Berlin' })
  assert.deepEqual(
    sections.map(({ heading }) => heading),
    ['Your action items', 'Meetings', 'Decisions', 'Action items of others'],
  )
  assert.deepEqual(
    sections[0]?.items.map(({ notes }) => notes.join(', ')),
    ['overdue since 17 November 2026', 'due 24 December 2026'],
  )
  const ofBen = await collectDigest(db, ben, { ...SCOPE, ownerId: 'usr_ben' })
  assert.deepEqual(
    ofBen.meetings.map(({ title }) => title),
    ['Secret', 'Planning', 'First'],
  )
  await db.deleteFrom('project_member').execute()
  assert.doesNotMatch(JSON.stringify(await collectDigest(db, ben, SCOPE)), /Secret|Hidden|Buy|Hide/)
})

test('nothing new is no news, but an own action item that is due is', async () => {
  await using world = await openWorld()
  const { db, url, ada } = world
  const seed = (dueDate: string, owner: string) =>
    seedMeetingsWithRecaps(url, [
      {
        title: 'Old',
        startedAt: at('01T09:00'),
        summary: ['Old.'],
        actions: [{ text: 'Pay the bill', owner, dueDate }],
      },
    ])
  const isNews = async () => hasNews(await collectDigest(db, ada, SCOPE), DAY)
  assert.equal(await isNews(), false)
  await seed('2026-11-18', 'Ada')
  assert.equal(await isNews(), false)
  await seed(DAY, 'Ben')
  assert.equal(await isNews(), false)
  await seed(DAY, 'Ada')
  assert.equal(await isNews(), true)
})

test('an imported meeting that ended long ago is no news, and a long list is cut', async () => {
  await using world = await openWorld()
  const { db, url, ada } = world
  await seedMeetingsWithRecaps(
    url,
    Array.from({ length: 25 }, (_, i) => ({
      title: `Meeting ${i} \u202E`,
      startedAt: at(`18T${String(9 + (i % 10)).padStart(2, '0')}:00`),
      summary: ['Said.'],
    })),
  )
  const [old = ''] = await seedMeetingsWithRecaps(url, [
    { title: 'Imported', startedAt: new Date('2024-01-01T09:00:00Z'), summary: ['Old.'] },
  ])
  await db
    .updateTable('recap')
    .set({ ready_at: at('18T10:00') })
    .where('meeting_id', '=', old)
    .execute()
  const digest = await collectDigest(db, ada, SCOPE)
  assert.equal(digest.meetings.length, 25)
  const [section] = listDigestSections(digest, { day: DAY, timeZone: 'UTC' })
  assert.deepEqual([section?.items.length, section?.others], [20, 5])
  assert.match(section?.items[0]?.text ?? '', /^Meeting \d+$/)
})
