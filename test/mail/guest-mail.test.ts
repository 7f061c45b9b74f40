import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { EventAttendee } from '../../src/calendars/ics/events.ts'
import { openRecapService } from '../recap/recap-client.ts'
import { plantCalendar } from '../support/access/planted-calendar.ts'
import {
  mailSettings,
  openMailServer,
  type MailTreatment,
  type TestMailServer,
} from '../support/mail/mail-server.ts'
import { openForFile } from '../support/open-for-file.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { eventually } from '../support/time/eventually.ts'
import { listMail, withDatabase } from './mail-client.ts'

type Guest = string | EventAttendee

/** A service whose project mails recaps to guests, and a mail server that refuses nothing unless a test says so. */
const world = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const state: { treatment: MailTreatment } = { treatment: 'accept' }
  const server = stack.use(await openMailServer({ treat: () => state.treatment }))
  const env = { ...mailSettings(server), HANSARD_RECAP: 'off' }
  const recap = stack.use(await openRecapService(env))
  const { program, service } = recap
  const opened = stack.move()
  let count = 0
  const own = {
    ...recap,
    admin: program.admin,
    server,
    state,
    settingsOf: (project: string) => `/projects/${project}/recap-settings`,
    /** A project with a meeting, so that it can have settings. */
    async addProject(change: object = { recapMail: 'participants', mailsGuests: true }) {
      const project = `guests-${(count += 1)}`
      await recap.runMeeting({ project })
      const { status, body } = await program.ask('PATCH', own.settingsOf(project), change)
      assert.equal(status, 200, JSON.stringify(body))
      return project
    },
    /** A meeting in the project with this calendar invitation, and its recap. */
    async meet(project: string, guests: readonly Guest[], title = 'Weekly') {
      const id = await recap.runMeeting({ project, title })
      const attendees = guests.map((guest) =>
        typeof guest === 'string' ? { address: guest, response: 'accepted' } : guest,
      )
      await withDatabase(service, async (db) => {
        const { upcoming } = await plantCalendar(db, project, `weekly-${(count += 1)}`)
        const invitation = { meeting_id: id, attendees: JSON.stringify(attendees) }
        await db.updateTable('occurrence').set(invitation).where('id', '=', upcoming).execute()
      })
      await recap.makeRecap(id)
      return id
    },
    async makeDue() {
      state.treatment = 'accept'
      await withDatabase(service, (db) =>
        db
          .updateTable('mail')
          .set({ due_at: new Date(0) })
          .where('state', '=', 'waiting')
          .execute(),
      )
    },
    waitFor: (address: string, isEnough: (mail: { state: string; attempts: number }) => boolean) =>
      eventually(async () => {
        const mails = await listMail(program.admin)
        return mails.find((mail) => mail.email === address && isEnough(mail)) ?? null
      }, 60_000),
    mailsTo: (address: string) => server.mails.filter(({ to }) => to[0] === address),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
  return own
})

const isFinished = ({ state }: { state: string }) => state !== 'waiting'

function shareLinkIn({ text }: TestMailServer['mails'][number]): string {
  const [, path = ''] = /http:\/\/hansard\.example(\/s\/\w+)$/m.exec(text) ?? []
  return path
}

test('guests get nothing unless an owner of the project turns it on, which is audited', async () => {
  const { addProject, meet, settingsOf, program, admin, service, server } = world()
  const project = await addProject({ recapMail: 'participants' })
  const url = settingsOf(project)
  assert.partialDeepStrictEqual((await program.ask('GET', url)).body, {
    mailsGuests: false,
    guestLinkDays: 14,
  })
  await meet(project, ['nobody-asked@example.com'])
  assert.equal((await listMail(admin)).filter(({ kind }) => kind === 'guest_recap').length, 0)
  const ben = await invitePerson(service, admin)
  const asBen = (change: object) => ben.client.request('PATCH', `/web${url}`, change, {})
  for (const change of [{ mailsGuests: true }, { guestLinkDays: 90 }])
    assert.equal((await asBen(change)).status, 403)
  const { body } = await program.ask('PATCH', url, { mailsGuests: true, guestLinkDays: 3 })
  assert.partialDeepStrictEqual(body, { mailsGuests: true, guestLinkDays: 3 })
  const off = await asBen({ mailsGuests: false })
  assert.deepEqual([off.status, off.body['mailsGuests']], [200, false])
  const action = encodeURIComponent('recap mail to guests changed')
  const { body: audit } = await admin.get(`/web/audit?action=${action}&object=${project}`)
  const details = (audit['entries'] as Array<{ detail: string }>).map(({ detail }) => detail)
  assert.deepEqual(details, ['off', 'on, links for 3 days'])
  for (const wrong of [0, 91])
    assert.equal((await program.ask('PATCH', url, { guestLinkDays: wrong })).status, 400)
  assert.equal(server.mails.length, 0)
})

test('invited people without an account get the recap once, each with a link of their own that expires', async () => {
  const { addProject, meet, makeRecap, admin, service, waitFor, mailsTo, state } = world()
  const project = await addProject()
  const ben = await invitePerson(service, admin)
  state.treatment = { refuse: 451 }
  const response = (address: string, answer: EventAttendee['response']): EventAttendee => ({
    address: `${address}@example.com`,
    response: answer,
  })
  const id = await meet(project, [
    response('yes', 'accepted'),
    response('maybe', 'tentative'),
    response('silent', null),
    response('no', 'declined'),
    { ...response('room', 'accepted'), isPerson: false },
    response('team@group.calendar.google.com', 'accepted').address.replace('@example.com', ''),
    'no address',
    ben.email,
  ])
  const guests = ['yes', 'maybe', 'silent'].map((name) => `${name}@example.com`)
  await waitFor('yes@example.com', ({ attempts }) => attempts > 0)
  const sealed = await withDatabase(service, (db) =>
    db.selectFrom('mail').selectAll().where('meeting_id', '=', id).execute(),
  )
  assert.deepEqual(
    sealed.map(({ kind, address }) => `${kind} ${address}`).toSorted(),
    [...guests.map((guest) => `guest_recap ${guest}`), 'recap null'].toSorted(),
  )
  assert.ok(sealed.every(({ kind, sealed_code: code }) => (code === null) === (kind === 'recap')))
  await world().makeDue()
  for (const guest of guests) await waitFor(guest, isFinished)
  const links = guests.map((guest) => {
    const [mail] = mailsTo(guest)
    assert.ok(mail)
    assert.equal(mail.subject, 'Recap: Weekly')
    assert.doesNotMatch(mail.html, /\/meetings\/|\/account/)
    assert.deepEqual(mail.headers.get('list-unsubscribe-post'), ['List-Unsubscribe=One-Click'])
    return shareLinkIn(mail)
  })
  assert.equal(new Set(links).size, 3)
  const origin = `http://127.0.0.1:${service.port}`
  for (const link of links) {
    const page = await fetch(origin + link)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /Weekly[\s\S]*Transcript/)
  }
  const { body } = await admin.get(`/web/meetings/${id}/shares`)
  const shares = body['shares'] as Array<{
    shareId: string
    recipient: string
    createdAt: string
    expiresAt: string
  }>
  assert.deepEqual(shares.map(({ recipient }) => recipient).toSorted(), guests.toSorted())
  for (const { createdAt, expiresAt } of shares)
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 14 * 24 * 3_600_000)
  const revoked = shares.find(({ recipient }) => recipient === guests[0])
  assert.equal((await admin.delete(`/web/meetings/${id}/shares/${revoked?.shareId}`)).status, 200)
  const statuses = await Promise.all(links.map(async (link) => (await fetch(origin + link)).status))
  assert.deepEqual(statuses, [404, 200, 200])
  const [silent] = mailsTo('silent@example.com')
  const unsubscribeUrl = silent?.headers.get('list-unsubscribe')?.[0]?.slice(1, -1) ?? ''
  const url = origin + new URL(unsubscribeUrl).pathname
  const optOuts = () =>
    withDatabase(service, (db) => db.selectFrom('mail_opt_out').selectAll().execute())
  assert.match(await (await fetch(url)).text(), /<form method="post"><button/)
  assert.equal((await optOuts()).length, 0)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const _ of [1, 2]) {
    const done = await fetch(url, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })
    assert.equal(done.status, 200)
  }
  assert.equal((await optOuts()).length, 1)
  const { body: audit } = await admin.get('/web/audit?action=guest%20unsubscribed')
  assert.equal((audit['entries'] as unknown[]).length, 1)
  await makeRecap(id)
  const again = (await admin.get(`/web/meetings/${id}/shares`)).body['shares'] as unknown[]
  assert.equal(again.length, 3)
  assert.ok(guests.every((guest) => mailsTo(guest).length === 1))
  const rest = await withDatabase(service, (db) =>
    db.selectFrom('mail').selectAll().where('sealed_code', 'is not', null).execute(),
  )
  assert.deepEqual(rest, [])
})
