import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { listMail, withDatabase } from '../mail/mail-client.ts'
import { openChatServer, type ChatAnswer } from '../support/callbacks/chat-server.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  createAddressSettings,
  mailSettings,
  openMailServer,
  type MailTreatment,
} from '../support/mail/mail-server.ts'
import { invitePerson, type InvitedPerson } from '../support/service/invite-person.ts'
import {
  createTestDataFolder,
  signInAsAdmin,
  startServiceProcess,
} from '../support/service/service-process.ts'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import { eventually } from '../support/time/eventually.ts'
import { openRecapService } from './recap-client.ts'

const ALL_STEPS = [
  'the meeting ended',
  'the recap was stored',
  'the mail was taken',
  'the post was taken',
] as const
type Step = (typeof ALL_STEPS)[number]
/** After which steps the service is killed. */
const STEPS = IS_FULL_SIZE ? ALL_STEPS : ALL_STEPS.slice(2)

test('mail, post and feed entry of a meeting come once, although the service is killed after each step', async () => {
  let treatment: MailTreatment = 'accept'
  let answer: ChatAnswer | null = { status: 200, body: 'ok' }
  await using server = await openMailServer({ treat: () => treatment })
  await using chat = await openChatServer()
  chat.answerWith(() => answer)
  await using database = await createTestDatabase()
  await using folder = createTestDataFolder()
  const env = {
    ...folder.env,
    ...mailSettings(server),
    ...(await createAddressSettings()),
    DATABASE_URL: database.url,
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_RECAP: 'on',
    HANSARD_LOG_LEVEL: 'error',
  }
  await using first = await startServiceProcess(env)
  let running: Awaited<ReturnType<typeof startServiceProcess>> = first
  const admin = await signInAsAdmin(first)
  const { apiKey } = await admin.createToken()
  const call = (method: string, path: string, body?: object) =>
    new HttpClient(running.url).request(method, `/api/v1${path}`, body, { 'x-api-key': apiKey })
  const start = async (title: string) => {
    const meeting = { url: 'practice://standup?speed=1000', callbackUrl: 'listen:nobody', title }
    return String((await call('POST', '/meetings/start', meeting)).body['meetingId'])
  }
  await start('Creates the project')
  const settings = { recapMail: 'members' }
  assert.equal((await call('PATCH', '/projects/api/recap-settings', settings)).status, 200)
  const topics = ['recaps', 'decisions', 'actions']
  const notification = { name: 'Channel', format: 'slack', url: chat.url('/hook'), topics }
  assert.equal((await call('POST', '/projects/api/notifications', notification)).status, 201)
  const feed = await admin.post('/web/notifications/feed', { timeZone: 'UTC' })
  const feedPath = new URL(String(feed.body['url'])).pathname

  const mailsAbout = (title: string) =>
    server.mails.filter(({ subject }) => subject.includes(title))
  const postsAbout = (title: string) => chat.messages.filter(({ text }) => text.includes(title))
  const isReached: Record<Step, (id: string) => Promise<boolean>> = {
    'the meeting ended': async (id) => {
      const { meeting } = (await call('GET', `/meetings/${id}`)).body as {
        meeting: { status: string }
      }
      return meeting.status === 'ended'
    },
    'the recap was stored': async (id) =>
      (await call('GET', `/meetings/${id}/recap`)).status === 200,
    'the mail was taken': async () => mailsAbout('the mail was taken').length > 0,
    'the post was taken': async () => postsAbout('the post was taken').length > 0,
  }
  for (const step of STEPS) {
    treatment = step === 'the mail was taken' ? 'hang' : 'accept'
    answer = step === 'the post was taken' ? null : { status: 200, body: 'ok' }
    const id = await start(step)
    await eventually(async () => ((await isReached[step](id)) ? true : null), 120_000)
    running.kill('SIGKILL')
    await running.exited
    treatment = 'accept'
    answer = { status: 200, body: 'ok' }
    running = await startServiceProcess(env)
  }
  await using last = running
  await eventually(
    () =>
      STEPS.every((step) => mailsAbout(step).length > 0 && postsAbout(step).length > 0)
        ? true
        : null,
    120_000,
  )
  await eventually(async () => {
    const waiting = await listMail(await signInAsAdmin(last), '&state=waiting')
    const { notifications } = (await call('GET', '/projects/api/notifications')).body as {
      notifications: Array<{ pending: number }>
    }
    return waiting.length === 0 && notifications[0]?.pending === 0 ? true : null
  }, 120_000)
  for (const step of STEPS) {
    const ids = new Set(mailsAbout(step).map(({ headers }) => headers.get('message-id')?.[0]))
    assert.equal(ids.size, 1, step)
    assert.equal(new Set(postsAbout(step).map(({ text }) => text)).size, 1, step)
  }
  // As if the day of these meetings was over.
  await withDatabase({ databaseUrl: database.url }, (db) =>
    db
      .updateTable('recap')
      .set({ ready_at: sql<Date>`ready_at - interval '1 day'` })
      .execute(),
  )
  const xml = await (await fetch(`${last.url}${feedPath}`)).text()
  for (const step of STEPS) assert.ok(xml.includes(step), `${step} in the feed`)
  // With the meeting that created the project.
  assert.deepEqual(xml.match(/\d+ meetings?/g)?.slice(0, 1), [`${STEPS.length + 1} meetings`])
  assert.equal(xml.split('<entry>').length, 2)
})

test('only those who may read a private project get its recap, its digest and its brief', async () => {
  await using server = await openMailServer()
  await using opened = await openRecapService(mailSettings(server))
  const { program, service, waitForRecap } = opened
  const invite = (name: string, role: 'admin' | 'member' = 'member') =>
    invitePerson(service, program.admin, { name, role })
  const [editor, reader, former, outsider, otherAdmin] = [
    await invite('Eve'),
    await invite('Ben'),
    await invite('Dan'),
    await invite('Cal'),
    await invite('Amy', 'admin'),
  ]
  await waitForRecap(await opened.runMeeting({ project: 'plans', title: 'First' }))
  const members = '/web/projects/plans/members'
  const access = await program.admin.put('/web/projects/plans/access', { access: 'private' })
  assert.equal(access.status, 200)
  for (const [person, role] of [
    [editor, 'editor'],
    [reader, 'reader'],
    [former, 'reader'],
  ] as const)
    assert.equal((await program.admin.post(members, { userId: person.id, role })).status, 200)
  assert.equal((await program.admin.delete(`${members}/${former.id}`)).status, 200)
  const settings = await program.ask('PATCH', '/projects/plans/recap-settings', {
    recapMail: 'members',
  })
  assert.equal(settings.status, 200)
  const secret = 'Secret plan'
  await waitForRecap(await opened.runMeeting({ project: 'plans', title: secret }))
  const joinAt = new Date(Date.now() + 3_600_000).toISOString()
  const upcomingId = await program.start('practice://standup', {
    project: 'plans',
    title: secret,
    joinAt,
  })
  await server.waitForMails(3)
  await withDatabase(service, (db) =>
    db
      .updateTable('recap')
      .set({ ready_at: sql<Date>`ready_at - interval '1 day'` })
      .execute(),
  )

  const whatReaches = async ({ client, email }: Pick<InvitedPerson, 'client' | 'email'>) => {
    const { body } = await client.post('/web/notifications/feed', { timeZone: 'UTC' })
    const { pathname } = new URL(String(body['url']))
    const feed = await (await fetch(`http://127.0.0.1:${service.port}${pathname}`)).text()
    const brief = await client.get(`/web/upcoming/${upcomingId}/brief`)
    return {
      mail: server.mails.some(({ to, subject }) => to[0] === email && subject.includes(secret)),
      feed: feed.includes(secret),
      brief: JSON.stringify(brief.body).includes(secret),
    }
  }
  const ada = { client: program.admin, email: 'ada@example.com' }
  const everything = { mail: true, feed: true, brief: true }
  const nothing = { mail: false, feed: false, brief: false }
  for (const [name, person, expected] of [
    ['the owner', ada, everything],
    ['an editor', editor, everything],
    ['a reader', reader, everything],
    ['a former reader', former, nothing],
    ['a user who is no member', outsider, nothing],
    ['an admin who is no member', otherAdmin, nothing],
  ] as const)
    assert.deepEqual(await whatReaches(person), expected, name)
  assert.equal(server.mails.length, 3)
})
