import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { addEarlierMeeting, makePrivate } from '../support/brief/brief-seeds.ts'
import { startCalendarWorld, type CalendarWorld } from '../support/calendars/calendar-world.ts'
import { mailSettings, openMailServer, type MailTreatment } from '../support/mail/mail-server.ts'
import { eventually } from '../support/time/eventually.ts'

const SERIES = 'weekly@example.com'

const emailOf = (userId: string) => `${userId.toLowerCase()}@example.com`

/** Ada connects a calendar with a weekly meeting in 25 minutes, to which Ben is invited. Both want briefs. */
async function openWorld(treat: () => MailTreatment = () => 'accept') {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await openMailServer({ treat }))
  const world: CalendarWorld = stack.use(await startCalendarWorld(mailSettings(server)))
  const { db, clock } = world
  const [ada, ben] = [await world.addUser(), await world.addUser()]
  const choose = async ({ session }: typeof ada, briefMinutes: number | null) =>
    world.call(session, 'PUT', '/web/notifications', { briefMinutes })
  const serve = (minutes: number, more = {}) =>
    world.serve('/work', [
      {
        uid: SERIES,
        title: 'Weekly sync',
        start: world.inMinutes(minutes),
        attendees: { [emailOf(ada.userId)]: 'ACCEPTED', [emailOf(ben.userId)]: 'ACCEPTED' },
        ...more,
      },
    ])
  const addCalendar = (project: string) =>
    world.addCalendar(ada.session, '/work', { project, address: emailOf(ada.userId) })
  const addEarlier = (project: string, text: string) =>
    addEarlierMeeting(db, {
      title: 'Weekly sync',
      at: new Date(clock.now().getTime() - 7 * 86_400_000),
      project,
      series: SERIES,
      recap: { actions: [{ text, owner: 'Ben', line: 2 }] },
    })
  const listMails = () =>
    db.selectFrom('mail').select(['user_id as userId', 'state', 'reason']).execute()
  const opened = stack.move()
  return {
    server,
    world,
    db,
    clock,
    ada,
    ben,
    choose,
    serve,
    addCalendar,
    addEarlier,
    listMails,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('everyone who is invited and chose it gets a brief before the meeting, each from what they may read', async () => {
  await using it = await openWorld()
  const { server, world, db, ada, ben, choose, addEarlier } = it
  await makePrivate(db, 'secret', [ada.userId])
  const meetingId = await addEarlier('api', 'Send the offer')
  await addEarlier('secret', 'Fire the director')
  it.serve(25)
  await it.addCalendar('api')
  const { body } = await choose(ada, 30)
  assert.partialDeepStrictEqual(body, { recapMail: 'all', briefMinutes: 30 })
  assert.equal((await choose(ada, 7)).status, 400)
  await choose(ben, 60)
  const mails = await server.waitForMails(2)
  const mailOf = ({ userId }: typeof ada) => mails.find(({ to }) => to[0] === emailOf(userId))
  const [forAda, forBen] = [mailOf(ada), mailOf(ben)]
  assert.ok(forAda && forBen)
  assert.equal(forAda.subject, 'Brief: Weekly sync')
  assert.match(forAda.text, /^STILL TO DO$/m)
  assert.match(
    forAda.html,
    new RegExp(`href="http://hansard\\.example/meetings/${meetingId}#line-2"`),
  )
  assert.match(forAda.text, /Fire the director/)
  assert.doesNotMatch(forBen.text + forBen.html, /Fire the director|secret/)
  // The calendar moves the meeting by an hour. The brief that was sent stays the only one.
  it.serve(85)
  const { calendars } = (await world.call(ada.session, 'GET', '/web/calendars')).body as {
    calendars: Array<{ id: string }>
  }
  await world.poll(ada.session, calendars[0]?.id ?? '')
  // The meeting is created five minutes before its start, and keeps what later briefs find it by.
  it.clock.advance(80.5 * 60)
  await eventually(async () => {
    const row = await db
      .selectFrom('meeting_invitation')
      .select('series')
      .where('series', '=', SERIES)
      .execute()
    return row.length === 3 ? true : null
  })
  const invitees = await db
    .selectFrom('meeting_invitee')
    .select('address')
    .orderBy('address')
    .execute()
  assert.deepEqual(
    invitees.map(({ address }) => address),
    [emailOf(ada.userId), emailOf(ben.userId)].toSorted(),
  )
  assert.equal((await it.listMails()).length, 2)

  const link = forBen.headers.get('list-unsubscribe')?.[0]?.slice(1, -1) ?? ''
  const path = new URL(link).pathname
  const page = await world.app.inject({ method: 'GET', url: path })
  assert.match(page.body, /Get no briefs by mail\?/)
  await world.app.inject({ method: 'POST', url: path })
  const after = await world.call(ben.session, 'GET', '/web/notifications')
  assert.partialDeepStrictEqual(after.body, { recapMail: 'all', briefMinutes: null })
})

test('a brief that waited is not sent after the meeting was cancelled or has started, or access was lost', async () => {
  let treatment: MailTreatment = { refuse: 451 }
  await using it = await openWorld(() => treatment)
  const { db, ada, ben, choose, world } = it
  await it.addEarlier('plans', 'Send the offer')
  it.serve(25)
  const calendar = await it.addCalendar('plans')
  await choose(ada, 30)
  await choose(ben, 30)
  await eventually(async () => {
    const { length } = await db.selectFrom('mail').select('id').where('attempts', '>', 0).execute()
    return length === 2 ? true : null
  })
  treatment = 'accept'
  await world.setAccess('plans', 'private')
  await world.addMember('plans', ada.userId, 'owner')
  const makeDue = (userId: string) =>
    db
      .updateTable('mail')
      .set({ due_at: new Date(0) })
      .where('user_id', '=', userId)
      .execute()
  const outcomeOf = ({ userId }: typeof ada) =>
    eventually(async () => {
      await makeDue(userId)
      const mail = (await it.listMails()).find((one) => one.userId === userId)
      return mail?.state === 'waiting' ? null : [mail?.state, mail?.reason]
    })
  assert.deepEqual(await outcomeOf(ben), ['dropped', 'no_access'])
  it.serve(25, { isCancelled: true, sequence: 1 })
  await world.poll(ada.session, calendar.id)
  assert.deepEqual(await outcomeOf(ada), ['dropped', 'content_gone'])
  assert.equal(it.server.mails.length, 0)
})
