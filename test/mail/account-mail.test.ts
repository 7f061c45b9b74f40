import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { mailSettings, openMailServer, type MailTreatment } from '../support/mail/mail-server.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'
import { listMail, waitForFinished, withDatabase } from './mail-client.ts'

test('the links of invitations and password resets are mailed, and their codes are stored encrypted until then', async () => {
  let treatment: MailTreatment = { refuse: 451 }
  await using server = await openMailServer({ treat: () => treatment })
  await using service = await startService(mailSettings(server))
  const admin = await service.adminClient()
  const ben = await invitePerson(service, admin, { name: 'Ben' })
  const anyone = await admin.post('/web/invitations', { role: 'member' })
  assert.equal(anyone.body['isMailed'], false)
  const invited = await admin.post('/web/invitations', { role: 'member', email: 'eve@example.com' })
  const reset = await admin.post(`/web/users/${ben.id}/reset-link`)
  assert.deepEqual([invited.body['isMailed'], reset.body['isMailed']], [true, true])
  const links = [String(invited.body['link']), String(reset.body['link'])]
  await eventually(async () =>
    (await listMail(admin)).every(({ attempts }) => attempts > 0) ? true : null,
  )
  const stored = await withDatabase(service, async (db) => {
    const rows = await db.selectFrom('mail').selectAll().execute()
    await db
      .updateTable('mail')
      .set({ due_at: new Date(0) })
      .execute()
    return rows
  })
  assert.equal(stored.length, 2)
  for (const link of links) {
    const code = link.split('#')[1] ?? ''
    assert.ok(stored.every((row) => !row.sealed_code?.includes(code)))
    assert.ok(!JSON.stringify(stored).includes(code))
  }
  treatment = 'accept'
  await waitForFinished(admin, 2)
  const mailed = new Map(server.mails.map(({ to, text, html }) => [to[0], { text, html }]))
  assert.deepEqual(new Set(mailed.keys()), new Set(['eve@example.com', ben.email]))
  assert.ok(mailed.get('eve@example.com')?.text.includes(links[0] ?? '-'))
  assert.ok(mailed.get('eve@example.com')?.html.includes(`href="${links[0]}"`))
  assert.ok(mailed.get(ben.email)?.text.includes(links[1] ?? '-'))
  await withDatabase(service, async (db) => {
    const rows = await db.selectFrom('mail').select('sealed_code').execute()
    assert.deepEqual(rows, [{ sealed_code: null }, { sealed_code: null }])
  })
})

test('a link that was withdrawn or replaced before its mail was sent is not mailed', async () => {
  let treatment: MailTreatment = { refuse: 451 }
  await using server = await openMailServer({ treat: () => treatment })
  await using service = await startService(mailSettings(server))
  const admin = await service.adminClient()
  const ben = await invitePerson(service, admin, { name: 'Ben' })
  const { body } = await admin.post('/web/invitations', {
    role: 'member',
    email: 'eve@example.com',
  })
  await admin.post(`/web/users/${ben.id}/reset-link`)
  await eventually(async () =>
    (await listMail(admin)).every(({ attempts }) => attempts > 0) ? true : null,
  )
  const { id } = body['invitation'] as { id: string }
  await admin.delete(`/web/invitations/${id}`)
  const { body: newer } = await admin.post(`/web/users/${ben.id}/reset-link`)
  treatment = 'accept'
  await withDatabase(service, (db) =>
    db
      .updateTable('mail')
      .set({ due_at: new Date(0) })
      .where('due_at', 'is not', null)
      .execute(),
  )
  const mails = await waitForFinished(admin, 3)
  assert.deepEqual(
    mails.map(({ kind, state, reason }) => [kind, state, reason]),
    [
      ['password_reset', 'sent', null],
      ['password_reset', 'dropped', 'link_ended'],
      ['invitation', 'dropped', 'link_ended'],
    ],
  )
  assert.equal(server.mails.length, 1)
  assert.ok(server.mails[0]?.text.includes(String(newer['link'])))
})
