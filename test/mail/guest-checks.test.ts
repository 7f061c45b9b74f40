import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { endSharesAudited } from '../../src/access/sharing/end-shares.ts'
import { createAudienceReader } from '../../src/app/recap-mail.ts'
import type { Db } from '../../src/db/database.ts'
import { createSecretBox, newId } from '../../src/lib/crypto.ts'
import type { MailMessage } from '../../src/mail/mail.ts'
import { codeLabel } from '../../src/mail/outbox/enqueue.ts'
import { enqueueRecapMail } from '../../src/mail/recap-mail/enqueue-recap-mail.ts'
import { createGuestRecapComposer, MAX_GUESTS } from '../../src/mail/recap-mail/guest-mail.ts'
import { addOptOut } from '../../src/mail/recap-mail/guest-opt-outs.ts'
import { readUnsubscribeToken } from '../../src/mail/unsubscribe.ts'
import { changeProjectTemplate } from '../../src/recap/store/project-templates.ts'
import { plantCalendar } from '../support/access/planted-calendar.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { seedMeeting } from '../support/meetings/seed-meeting.ts'
import { openForFile } from '../support/open-for-file.ts'

const NOW = new Date('2026-11-19T12:00:00Z')
const BOX = createSecretBox(Buffer.alloc(32, 7))
const ACTOR = { name: 'user:x', ip: null }

const database = openForFile(() => openTestDatabase())
const readAudience = createAudienceReader({ sharing: true })
const compose = createGuestRecapComposer({
  readAudience,
  readRecap: async (meetingId) => ({
    meetingId,
    title: 'Weekly',
    startedAt: NOW,
    timeZone: 'UTC',
    recap: {
      sections: ['actions'],
      summary: [],
      decisions: [],
      openQuestions: [],
      actions: [],
      writtenLanguage: 'en',
    },
    times: new Map(),
  }),
  clock: { now: () => NOW },
  publicUrl: 'https://hansard.example',
  secretBox: BOX,
})

async function addUser(db: Db, role: 'admin' | 'member', email = `${newId('u')}@example.com`) {
  const id = newId('usr')
  const person = { id, email: email.toLowerCase(), name: 'Ada', role, created_at: NOW }
  await db.insertInto('app_user').values(person).execute()
  return id
}

/** An ended meeting of a project that mails its guests, in the name of an admin, with these guests invited. */
async function addMeeting(db: Db, guests: readonly string[]) {
  const project = newId('p').toLowerCase()
  const admin = await addUser(db, 'admin')
  const guestSharer = { createdBy: `user:${admin}`, creatorId: admin }
  const settings = { mailRecipients: 'participants', guestSharer } as const
  await changeProjectTemplate(db, project, settings, NOW)
  const id = await seedMeeting(db, { project, status: 'ended', ended_at: NOW })
  const { upcoming } = await plantCalendar(db, project, newId('w'))
  const attendees = guests.map((address) => ({ address, response: null }))
  await db
    .updateTable('occurrence')
    .set({ meeting_id: id, attendees: JSON.stringify(attendees) })
    .where('id', '=', upcoming)
    .execute()
  return { id, project, admin }
}

async function enqueue(db: Db, id: string): Promise<void> {
  const audience = await readAudience(db, id)
  assert.ok(audience)
  await db
    .transaction()
    .execute((tx) => enqueueRecapMail(tx, id, audience, { secretBox: BOX, now: NOW }))
}

/** What becomes of the first mail about the meeting, if it is sent now. */
async function sendNow(db: Db, meetingId: string) {
  const {
    id,
    kind,
    address,
    sealed_code: sealed,
  } = await db
    .selectFrom('mail')
    .selectAll()
    .where('meeting_id', '=', meetingId)
    .executeTakeFirstOrThrow()
  const code = sealed === null ? null : BOX.open(sealed, codeLabel(kind))
  return compose(db, {
    id,
    kind,
    userId: null,
    address,
    meetingId,
    upcomingId: null,
    code,
    createdAt: NOW,
  })
}

type World = Awaited<ReturnType<typeof addMeeting>> & { db: Db; address: string }

const CHANGES: Record<string, [reason: string, change: (world: World) => Promise<unknown>]> = {
  'the link was revoked': [
    'link_ended',
    ({ db, id }) =>
      db
        .updateTable('share_link')
        .set({ ended_at: NOW, end_reason: 'revoked' })
        .where('meeting_id', '=', id)
        .execute(),
  ],
  'the meeting is in another project that mails guests too': [
    'link_ended',
    async ({ db, id, admin }) => {
      const other = newId('p').toLowerCase()
      const guestSharer = { createdBy: `user:${admin}`, creatorId: admin }
      const settings = { mailRecipients: 'participants', guestSharer } as const
      await changeProjectTemplate(db, other, settings, NOW)
      await db.updateTable('meeting').set({ project: other }).where('id', '=', id).execute()
    },
  ],
  'the links of the meeting ended because it was moved': [
    'link_ended',
    ({ db, id }) => endSharesAudited(db, { meetingId: id }, 'moved', { actor: ACTOR, now: NOW }),
  ],
  'the project stopped mailing guests': [
    'project_off',
    ({ db, project }) => changeProjectTemplate(db, project, { guestSharer: null }, NOW),
  ],
  'the project stopped mailing recaps': [
    'project_off',
    ({ db, project }) => changeProjectTemplate(db, project, { mailRecipients: 'nobody' }, NOW),
  ],
  'the person who turned it on is not an owner any more': [
    'project_off',
    ({ db, admin }) =>
      db.updateTable('app_user').set({ role: 'member' }).where('id', '=', admin).execute(),
  ],
  'the person who turned it on was removed': [
    'project_off',
    ({ db, admin }) => db.deleteFrom('app_user').where('id', '=', admin).execute(),
  ],
  'the project became private without that person': [
    'project_off',
    ({ db, project }) =>
      db
        .updateTable('project_access')
        .set({ access: 'private' })
        .where('project', '=', project)
        .execute(),
  ],
  'the address belongs to an account': [
    'has_account',
    ({ db, address }) => addUser(db, 'member', address),
  ],
}

test('a mail to a guest shows the link while everything allows it', async () => {
  const { db } = database()
  const { id } = await addMeeting(db, ['guest@example.com'])
  await enqueue(db, id)
  const message = (await sendNow(db, id)) as MailMessage
  assert.deepEqual(message.to, { name: '', address: 'guest@example.com' })
  assert.match(message.html, /href="https:\/\/hansard\.example\/s\/\w{43}"/)
  assert.match(message.html, /3 December 2026/)
})

for (const [name, [reason, change]] of Object.entries(CHANGES)) {
  test(`a mail that waits for a guest is not sent if ${name}`, async () => {
    const { db } = database()
    const address = `${newId('g')}@example.com`.toLowerCase()
    const meeting = await addMeeting(db, [address])
    await enqueue(db, meeting.id)
    await change({ ...meeting, db, address })
    assert.equal(await sendNow(db, meeting.id), reason)
  })
}

test('a guest who has unsubscribed gets no mail that waits and none later, and no further link', async () => {
  const { db } = database()
  const guests = ['eve@example.com']
  const { id } = await addMeeting(db, guests)
  await enqueue(db, id)
  const { unsubscribeUrl } = (await sendNow(db, id)) as MailMessage
  const found = readUnsubscribeToken(BOX, String(unsubscribeUrl).replace(/.*\//, ''))
  assert.equal(found?.what, 'guest')
  const by = { actor: { name: 'nobody', ip: null }, now: NOW }
  await addOptOut(db, found.whom, by)
  assert.equal(await sendNow(db, id), 'turned_off')
  const { id: later } = await addMeeting(db, guests)
  await enqueue(db, later)
  for (const table of ['mail', 'share_link'] as const)
    assert.deepEqual(
      await db.selectFrom(table).select('id').where('meeting_id', '=', later).execute(),
      [],
    )
})

test('a recap that is made again, and one with too many guests, is mailed to no guest', async () => {
  const { db } = database()
  const { id } = await addMeeting(db, ['again@example.com'])
  await enqueue(db, id)
  await enqueue(db, id)
  const links = await db
    .selectFrom('share_link')
    .select('id')
    .where('meeting_id', '=', id)
    .execute()
  assert.equal(links.length, 1)
  const crowd = Array.from({ length: MAX_GUESTS + 1 }, (_, i) => `crowd-${i}@example.com`)
  const { id: webinar } = await addMeeting(db, crowd)
  await enqueue(db, webinar)
  assert.equal(
    (await db.selectFrom('mail').select('id').where('meeting_id', '=', webinar).execute()).length,
    0,
  )
})
