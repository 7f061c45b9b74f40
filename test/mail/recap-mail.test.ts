import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openRecapService } from '../recap/recap-client.ts'
import { plantCalendar } from '../support/access/planted-calendar.ts'
import { mailSettings, openMailServer, type MailTreatment } from '../support/mail/mail-server.ts'
import {
  addConnection,
  PROJECT,
  startConnectionWorld,
} from '../support/microsoft/connection-world.ts'
import { addTranscript, formatTeamsVtt } from '../support/microsoft/tenant.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { eventually } from '../support/time/eventually.ts'
import { listMail, waitForFinished, withDatabase } from './mail-client.ts'

const SETTINGS = '/projects/api/recap-settings'

test('the members of a project get the recap of an ended meeting once, with decisions and actions first', async () => {
  await using server = await openMailServer()
  await using service = await openRecapService(mailSettings(server))
  const { program, runMeeting, makeRecap } = service
  const ben = await invitePerson(service.service, program.admin, { name: 'Ben' })
  const eve = await invitePerson(service.service, program.admin, { name: 'Eve' })
  await eve.client.put('/web/notifications', { recapMail: 'none' })
  await service.waitForRecap(await runMeeting({ title: 'Quiet' }))
  const { status, body } = await program.ask('PATCH', SETTINGS, { recapMail: 'members' })
  assert.deepEqual([status, body['recapMail']], [200, 'members'])
  const title = 'Plan <script>alert(1)</script>\u202E & "more"'
  const id = await runMeeting({ title })
  await server.waitForMails(2)
  const recipients = server.mails.map(({ to }) => String(to[0])).toSorted()
  assert.deepEqual(recipients, ['ada@example.com', ben.email])
  const mail = server.mails.find(({ to }) => to[0] === ben.email)
  assert.ok(mail)
  assert.equal(mail.subject, 'Recap: Plan <script>alert(1)</script> & "more"')
  assert.doesNotMatch(mail.html, /<script|<img|src=/)
  assert.match(mail.html, /Plan &lt;script&gt;/)
  assert.match(mail.html, new RegExp(`href="http://hansard\\.example/meetings/${id}#line-\\d+"`))
  const headings = [...mail.html.matchAll(/<h2[^>]*>([^<]+)</g)].map(([, text]) => text)
  const order = ['Decisions', 'Action items', 'Summary', 'Open questions']
  assert.deepEqual(
    headings,
    order.filter((heading) => headings.includes(heading)),
  )
  assert.ok(headings.includes('Summary') && headings.length > 1)
  assert.match(mail.text, /^SUMMARY$/m)
  assert.deepEqual(mail.headers.get('list-unsubscribe-post'), ['List-Unsubscribe=One-Click'])
  // A recap that is made again is not mailed again.
  await makeRecap(id)
  await waitForFinished(program.admin, 2)
  assert.equal((await listMail(program.admin)).length, 2)
  assert.equal(server.mails.length, 2)
})

test('a person who loses access, or a project that stops sending, gets no mail that waited', async () => {
  let treatment: MailTreatment = { refuse: 451 }
  await using server = await openMailServer({ treat: () => treatment })
  await using service = await openRecapService(mailSettings(server))
  const { program } = service
  const runMeeting = (title: string) => service.runMeeting({ title, project: 'plans' })
  const settings = '/projects/plans/recap-settings'
  await service.waitForRecap(await runMeeting('First'))
  await invitePerson(service.service, program.admin, { name: 'Ben' })
  const { status } = await program.ask('PATCH', settings, { recapMail: 'members' })
  assert.equal(status, 200)
  const waitForAttempts = (count: number) =>
    eventually(async () => {
      const mails = await listMail(program.admin, '&state=waiting')
      return mails.filter(({ attempts }) => attempts > 0).length === count ? mails : null
    })
  const makeDue = () =>
    withDatabase(service.service, (db) =>
      db
        .updateTable('mail')
        .set({ due_at: new Date(0) })
        .where('state', '=', 'waiting')
        .execute(),
    )
  await runMeeting('Secret plan')
  await waitForAttempts(2)
  const access = await program.admin.put('/web/projects/plans/access', { access: 'private' })
  assert.equal(access.status, 200, JSON.stringify(access.body))
  treatment = 'accept'
  await makeDue()
  const mails = await waitForFinished(program.admin, 2)
  const outcomes = Object.fromEntries(
    mails.map(({ name, state, reason }) => [name, [state, reason]]),
  )
  assert.deepEqual(outcomes, { Ada: ['sent', null], Ben: ['dropped', 'no_access'] })
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    [['ada@example.com']],
  )
  treatment = { refuse: 451 }
  await runMeeting('Another')
  await waitForAttempts(1)
  await program.ask('PATCH', settings, { recapMail: 'nobody' })
  treatment = 'accept'
  await makeDue()
  await waitForFinished(program.admin, 3)
  assert.partialDeepStrictEqual((await listMail(program.admin))[0], { reason: 'project_off' })
  assert.equal(server.mails.length, 1)
})

test('a link in the mail turns it off without a sign-in, but only by a POST', async () => {
  await using server = await openMailServer()
  await using service = await openRecapService(mailSettings(server))
  const { program, runMeeting, seedEndedMeeting } = service
  await seedEndedMeeting([['Ada', 'Hello.']])
  const { status } = await program.ask('PATCH', SETTINGS, { recapMail: 'members' })
  assert.equal(status, 200)
  await runMeeting()
  const [mail] = await server.waitForMails(1)
  const link = mail?.headers.get('list-unsubscribe')?.[0]?.slice(1, -1) ?? ''
  assert.ok(mail?.html.includes(link))
  const origin = `http://127.0.0.1:${service.service.port}`
  const url = `${origin}${new URL(link).pathname}`
  const readChoice = async () => (await program.admin.get('/web/notifications')).body['recapMail']
  const page = await fetch(url)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<form method="post"><button/)
  assert.equal(await readChoice(), 'all')
  for (const wrong of [
    `${url}x`,
    `${origin}/unsubscribe/${'a'.repeat(80)}`,
    `${origin}/unsubscribe/-`,
  ]) {
    assert.equal((await fetch(wrong)).status, 404)
    assert.equal((await fetch(wrong, { method: 'POST' })).status, 404)
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = 'List-Unsubscribe=One-Click'
  assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 200)
  assert.equal(await readChoice(), 'none')
  const { body: audit } = await program.admin.get('/web/audit?action=mail%20choice%20changed')
  assert.partialDeepStrictEqual(audit, { entries: [{ actor: 'nobody', detail: 'none' }] })
  await service.waitForRecap(await runMeeting())
  await program.admin.put('/web/notifications', { recapMail: 'all' })
  const id = await runMeeting({ title: 'Last' })
  await server.waitForMails(2)
  assert.deepEqual(server.mails.map(({ subject }) => subject).slice(1), ['Recap: Last'])
  assert.match(server.mails[1]?.text ?? '', new RegExp(id))
})

test('participants are the people whom the calendar invited, except those who declined', async () => {
  await using server = await openMailServer()
  const env = { ...mailSettings(server), HANSARD_RECAP: 'off' }
  await using service = await openRecapService(env)
  const { program, runMeeting, makeRecap } = service
  const people = []
  for (const name of ['Ben', 'Eve', 'Joe'])
    people.push(await invitePerson(service.service, program.admin, { name }))
  const [ben, eve] = people.map(({ email }) => email)
  const id = await runMeeting({ title: 'Weekly' })
  await program.ask('PATCH', SETTINGS, { recapMail: 'participants' })
  await withDatabase(service.service, async (db) => {
    const { upcoming } = await plantCalendar(db, 'api', 'weekly')
    const attendees = [
      { address: ben, response: 'accepted' },
      { address: eve, response: 'declined' },
      { address: 'guest@example.com', response: 'accepted' },
    ]
    await db
      .updateTable('occurrence')
      .set({ meeting_id: id, organizer: null, attendees: JSON.stringify(attendees) })
      .where('id', '=', upcoming)
      .execute()
  })
  await makeRecap(id)
  const mails = await waitForFinished(program.admin, 1)
  assert.deepEqual(
    mails.map(({ email, state }) => [email, state]),
    [[ben, 'sent']],
  )
  assert.equal(server.mails.length, 1)
})

test('the recap of a new official transcript is mailed, and that of an old one or an imported file is not', async () => {
  await using server = await openMailServer()
  const env = { ...mailSettings(server), HANSARD_RECAP: 'on' }
  await using world = await startConnectionWorld(env)
  const { admin, microsoft, organizer, clock, db } = world
  const settings = `/web/projects/${PROJECT}/recap-settings`
  const { status } = await admin.request('PATCH', settings, { recapMail: 'members' }, {})
  assert.equal(status, 200)
  const day = 24 * 3_600_000
  const add = (subject: string, days: number) =>
    addTranscript(microsoft.tenant, organizer, {
      subject,
      createdAt: new Date(clock.now().getTime() - days * day),
    })
  add('Old', 3)
  add('New', 0.5)
  const readsFrom = new Date(clock.now().getTime() - 9 * day).toISOString()
  assert.equal((await addConnection(world, { readsFrom })).transcripts.imported, 2)
  const content = formatTeamsVtt('We decided to ship on Friday.')
  const startedAt = new Date(clock.now().getTime() - day / 2).toISOString()
  const imported = await admin.post('/web/meetings/import', {
    content,
    project: PROJECT,
    title: 'File',
    startedAt,
  })
  assert.equal(imported.status, 201, JSON.stringify(imported.body))
  await eventually(async () => {
    const made = await db
      .selectFrom('recap')
      .select('made_at')
      .where('made_at', 'is not', null)
      .execute()
    return made.length === 3 ? made : null
  })
  await waitForFinished(admin, 1)
  assert.deepEqual(
    server.mails.map(({ subject }) => subject),
    ['Recap: New'],
  )
})

test('without a mail server a project can not choose to send recaps', async () => {
  await using service = await openRecapService()
  await service.seedEndedMeeting([['Ada', 'Hello.']])
  const { status, body } = await service.program.ask('PATCH', SETTINGS, { recapMail: 'members' })
  assert.deepEqual([status, body['code']], [409, 'mail_off'])
  assert.equal((await service.program.ask('PATCH', SETTINGS, { recapMail: 'nobody' })).status, 200)
})
