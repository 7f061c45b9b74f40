import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { mailSettings, openMailServer } from '../support/mail/mail-server.ts'
import { seedMeetingsWithRecaps } from '../support/meetings/seed-recap.ts'
import { startTwoNodes } from '../support/service/start-nodes.ts'
import { eventually } from '../support/time/eventually.ts'
import { listMail, withDatabase } from './mail-client.ts'

const HOUR_MS = 3_600_000

test('a person who chose a digest gets it once from two nodes, and turns it off with its link', async () => {
  await using server = await openMailServer()
  await using nodes = await startTwoNodes(mailSettings(server))
  const { one } = nodes
  const ada = await one.adminClient()
  const now = new Date()
  const choice = { weekday: 'monday', hour: now.getUTCHours(), timeZone: 'utc' }
  const digest = { ...choice, frequency: 'daily' }
  const [id] = await seedMeetingsWithRecaps(one.databaseUrl, [
    {
      title: 'Planning <script>alert(1)</script>',
      startedAt: new Date(now.getTime() - 5 * HOUR_MS),
      summary: ['We planned.'],
      decisions: [{ text: 'We ship on Friday', speaker: 'Ben' }],
      actions: [{ text: 'Send the offer', owner: 'Ada' }],
    },
  ])
  for (const wrong of [{ hour: 24 }, { hour: 1.5 }, { weekday: 'noday' }, { timeZone: 'Nowhere' }])
    assert.equal(
      (await ada.put('/web/notifications', { digest: { ...digest, ...wrong } })).status,
      400,
    )
  const { body } = await ada.put('/web/notifications', { digest })
  assert.deepEqual(body, {
    recapMail: 'all',
    digest: { ...digest, timeZone: 'UTC' },
    briefMinutes: null,
    feed: null,
  })
  // As if it was chosen before the hour began.
  await withDatabase(one, (db) =>
    db
      .updateTable('mail_choice')
      .set({ digest_due_at: new Date(now.getTime() - 120_000) })
      .execute(),
  )
  const [mail] = await server.waitForMails(1)
  assert.ok(mail)
  assert.equal(mail.subject, 'Daily digest: 1 meeting, 1 decision, 1 action item for you')
  assert.doesNotMatch(mail.html, /<script|<img|src=/)
  const headings = [...mail.html.matchAll(/<h2[^>]*>([^<]+)</g)].map(([, text]) => text)
  assert.deepEqual(headings, ['Your action items', 'Meetings', 'Decisions'])
  assert.match(mail.html, new RegExp(`href="http://hansard\\.example/meetings/${id}#line-1"`))
  assert.match(mail.text, /^YOUR ACTION ITEMS\n\n- Send the offer\n {2}Planning <script>/m)
  await eventually(async () => {
    const [listed] = await listMail(ada)
    return listed?.state === 'sent' && listed.kind === 'digest' ? listed : null
  })
  assert.equal((await listMail(ada)).length, 1)
  assert.deepEqual(mail.headers.get('list-unsubscribe-post'), ['List-Unsubscribe=One-Click'])
  const link = mail.headers.get('list-unsubscribe')?.[0]?.slice(1, -1) ?? ''
  const url = `http://127.0.0.1:${one.port}${new URL(link).pathname}`
  assert.match(await (await fetch(url)).text(), /<h1>Get no digests by mail\?<\/h1>/)
  const done = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  assert.match(await done.text(), /You get no more digests by mail/)
  const { body: after } = await ada.get('/web/notifications')
  assert.deepEqual(after, {
    recapMail: 'all',
    digest: { ...digest, frequency: 'none', timeZone: 'UTC' },
    feed: null,
    briefMinutes: null,
  })
})
