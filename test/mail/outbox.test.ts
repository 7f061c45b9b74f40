import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { enqueueMail } from '../../src/mail/outbox/enqueue.ts'
import { MAX_MAILS_PER_HOUR } from '../../src/mail/outbox/mail-claims.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { mailSettings, openMailServer, type MailTreatment } from '../support/mail/mail-server.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'
import { MASTER_KEY, startTwoNodes } from '../support/service/start-nodes.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { eventually } from '../support/time/eventually.ts'
import { listMail, waitForFinished, withDatabase } from './mail-client.ts'

/** Stores test mails to a user, as if they had been asked for. */
function enqueueTests(service: Pick<TestService, 'databaseUrl'>, userId: string, count: number) {
  return withDatabase(service, (db) =>
    enqueueMail(
      db,
      Array.from({ length: count }, (_, i) => ({
        kind: 'test' as const,
        uniqueKey: `test ${userId} ${i}`,
        to: { userId },
      })),
      new Date(),
    ),
  )
}

const makeDue = (service: Pick<TestService, 'databaseUrl'>) =>
  withDatabase(service, (db) =>
    db
      .updateTable('mail')
      .set({ due_at: new Date(0) })
      .where('state', '=', 'waiting')
      .execute(),
  )

test('an admin sends themselves a test mail, at most five in an hour, and sees what became of it', async () => {
  await using server = await openMailServer({ tls: 'starttls', needsLogin: true })
  await using service = await startService(mailSettings(server))
  const admin = await service.adminClient()
  const check = await admin.post('/web/system/checks/mail')
  assert.equal(check.body['ok'], true, String(check.body['detail']))
  assert.doesNotMatch(String(check.body['detail']), /p:w/)
  for (let i = 0; i < 5; i += 1) assert.equal((await admin.post('/web/mail/test')).status, 202)
  const refused = await admin.post('/web/mail/test')
  assert.deepEqual([refused.status, refused.body['code']], [429, 'too_many_requests'])
  const mails = await waitForFinished(admin, 5)
  assert.equal(server.mails.length, 5)
  for (const mail of mails)
    assert.partialDeepStrictEqual(mail, {
      kind: 'test',
      name: 'Ada',
      state: 'sent',
      response: '250 Queued',
      attempts: 1,
    })
  const [sent] = server.mails
  assert.equal(sent?.subject, 'Test mail from Hansard')
  assert.match(sent?.html ?? '', /href="http:\/\/hansard\.example\/system\?tab=mail"/)
  assert.deepEqual(sent?.headers.get('auto-submitted'), ['auto-generated'])
  const { body: status } = await admin.get('/web/mail/status')
  assert.deepEqual(status, {
    isOn: true,
    server: `localhost:${server.port}`,
    tls: 'opportunistic',
    from: 'hansard@example.com',
    counts: { waiting: 0, sent: 5, failed: 0, dropped: 0 },
  })
  const { body: audit } = await admin.get('/web/audit?action=test%20mail%20sent')
  assert.equal((audit['entries'] as unknown[]).length, 5)
  const { client: member } = await invitePerson(service, admin)
  for (const path of ['/web/mail', '/web/mail/status'])
    assert.equal((await member.get(path)).status, 403)
  assert.equal((await member.post('/web/mail/test')).status, 403)
})

test('without a mail server there is no mail, and the check says so', async () => {
  await using service = await startService()
  const admin = await service.adminClient()
  const { status, body } = await admin.post('/web/mail/test')
  assert.deepEqual([status, body['code']], [409, 'mail_off'])
  assert.partialDeepStrictEqual((await admin.get('/web/mail/status')).body, {
    isOn: false,
    server: null,
  })
  const check = await admin.post('/web/system/checks/mail')
  assert.deepEqual(
    [check.body['ok'], check.body['detail']],
    [true, 'not set up: HANSARD_SMTP_URL is not set'],
  )
})

test('a temporary failure is tried again with the same Message-ID, a permanent one is not', async () => {
  let treatment: MailTreatment = { reject: 451, text: 'Come back later' }
  await using server = await openMailServer({ treat: () => treatment })
  await using service = await startService(mailSettings(server))
  const admin = await service.adminClient()
  await admin.post('/web/mail/test')
  const [waiting] = await eventually(async () => {
    const mails = await listMail(admin)
    return mails[0]?.attempts === 1 ? mails : null
  })
  assert.partialDeepStrictEqual(waiting, { state: 'waiting', response: '451 Come back later' })
  treatment = 'accept'
  await makeDue(service)
  const [sent] = await waitForFinished(admin, 1)
  assert.partialDeepStrictEqual(sent, { state: 'sent', attempts: 2 })
  assert.deepEqual(server.mails[0]?.headers.get('message-id'), [`<${sent?.id}@example.com>`])
  treatment = { refuse: 550, text: 'No such user <b>here</b>' }
  await admin.post('/web/mail/test')
  await waitForFinished(admin, 2)
  const [failed] = await listMail(admin, '&state=failed')
  assert.partialDeepStrictEqual(failed, { reason: 'refused', attempts: 1 })
  assert.match(failed?.response ?? '', /^550 No such user/)
  treatment = 'accept'
  const retry = (id = '') => admin.post(`/web/mail/${id}/retry`)
  const { apiKey } = await admin.createToken()
  await using folder = createTestDataFolder()
  const address = { HANSARD_URL: `http://127.0.0.1:${service.port}` }
  const run = (...args: string[]) =>
    runLoadedCommand(['mail', ...args], { ...folder.env, ...address, HANSARD_API_KEY: apiKey })
  const listed = await run('list', '--state', 'failed')
  assert.match(listed.stdout, new RegExp(`^${failed?.id}.* failed .*550 No such user`, 'm'))
  assert.equal((await run('retry', failed?.id ?? '')).stdout, `sending ${failed?.id}\n`)
  await eventually(async () => {
    const mails = await listMail(admin, '&state=sent')
    return mails.length === 2 ? mails : null
  })
  assert.equal(server.mails.length, 2)
  const metrics = await fetch(`http://127.0.0.1:${service.port}/metrics`, {
    headers: { 'x-api-key': apiKey },
  })
  assert.match(await metrics.text(), /^hansard_mails\{state="sent",kind="test"\} 2$/m)
  const answers = [await retry(failed?.id), await retry('mail_unknown')]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body['code']]),
    [
      [409, 'mail_not_retryable'],
      [404, 'mail_not_found'],
    ],
  )
})

test('a person gets a limited number of mails in an hour, and the mail of others goes on', async () => {
  await using server = await openMailServer()
  await using service = await startService(mailSettings(server))
  const admin = await service.adminClient()
  const ben = await invitePerson(service, admin)
  const { recipient } = MAX_MAILS_PER_HOUR
  await enqueueTests(service, ben.id, recipient + 5)
  await admin.post('/web/mail/test')
  await eventually(() => (server.mails.length === recipient + 1 ? true : null))
  const { body } = await admin.get('/web/mail/status')
  assert.partialDeepStrictEqual(body, { counts: { waiting: 5, sent: recipient + 1 } })
  // After an hour the others follow.
  await withDatabase(service, (db) =>
    db
      .updateTable('mail')
      .set({ attempted_at: new Date(Date.now() - 3_700_000) })
      .where('state', '=', 'sent')
      .execute(),
  )
  await eventually(() => (server.mails.length === recipient + 6 ? true : null))
})

test('two nodes send each mail once', async () => {
  await using server = await openMailServer()
  await using nodes = await startTwoNodes(mailSettings(server))
  const admin = await nodes.one.adminClient()
  const people = [await invitePerson(nodes.one, admin), await invitePerson(nodes.one, admin)]
  for (const { id } of people) await enqueueTests(nodes.one, id, 30)
  await waitForFinished(admin, 60)
  const ids = server.mails.map(({ headers }) => headers.get('message-id')?.[0])
  assert.deepEqual([ids.length, new Set(ids).size], [60, 60])
})

test('a service that stops does not wait for a mail server that does not answer', async () => {
  await using server = await openMailServer({ treat: () => 'hang' })
  await using database = await createTestDatabase()
  const url = { databaseUrl: database.url }
  {
    await using service = await startService({
      ...mailSettings(server),
      DATABASE_URL: database.url,
      HANSARD_MASTER_KEY: MASTER_KEY,
    })
    await (await service.adminClient()).post('/web/mail/test')
    await server.waitForMails(1)
  }
  const rows = await withDatabase(url, (db) =>
    db.selectFrom('mail').select(['state', 'owner', 'attempts']).execute(),
  )
  assert.deepEqual(rows, [{ state: 'waiting', owner: null, attempts: 0 }])
})
