import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { openRecapService, type SpokenLine } from '../recap/recap-client.ts'
import { openChatServer } from '../support/callbacks/chat-server.ts'
import { assertError } from '../support/http/raw-requests.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const LINES: SpokenLine[] = [
  ['Ada', 'We decided to ship the new search page on Friday.'],
  ['Ben', 'I will fix the search page by Wednesday.'],
  ['Ada', 'I will tell the customers about the change tomorrow.'],
]

const shared = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const chat = stack.use(await openChatServer())
  const opened = stack.use(await openRecapService())
  // Creates the project.
  await opened.seedEndedMeeting(LINES)
  const moved = stack.move()
  return { chat, opened, [Symbol.asyncDispose]: () => moved.disposeAsync() }
})

type ApiNotification = {
  id: string
  state: string
  isPaused: boolean
  problem: { label: string } | null
  answer: string | null
  pending: number
  delivered: number
}
const ALL = ['recaps', 'decisions', 'actions', 'failures']
const BASE = '/projects/api/notifications'

async function addNotification(path: string, format = 'slack', topics = ALL) {
  const { chat, opened } = shared()
  const { program } = opened
  const body = { name: 'Channel', format, url: chat.url(path), topics }
  const added = await program.ask('POST', BASE, body)
  assert.equal(added.status, 201, JSON.stringify(added.body))
  const { id } = added.body['notification'] as ApiNotification
  const url = `${BASE}/${id}`
  const find = async () => {
    const { notifications } = (await program.ask('GET', BASE)).body as unknown as {
      notifications: ApiNotification[]
    }
    return notifications.find((one) => one.id === id)
  }
  return {
    id,
    find,
    update: (change: object) => program.ask('PATCH', url, change),
    test: () => program.ask('POST', `${url}/test`),
    attempts: async () =>
      (await program.ask('GET', `${url}/attempts`)).body['attempts'] as Array<{ outcome: string }>,
    remove: () => program.ask('DELETE', url),
    waitUntil: (isEnough: (one: ApiNotification) => boolean) =>
      eventually(async () => {
        const one = await find()
        return one !== undefined && isEnough(one) ? one : null
      }, 60_000),
  }
}

test('a recap is one message with the chosen topics in each chat, and then what changes', async () => {
  const { chat, opened } = shared()
  const { seedEndedMeeting, makeRecap, updateAction } = opened
  const slack = await addNotification('/services/all')
  const teams = await addNotification('/workflows/actions', 'teams', ['actions'])
  const mattermost = await addNotification('/hooks/decisions', 'mattermost', ['decisions'])
  chat.answerWith(({ path }) => ({ status: path.startsWith('/workflows') ? 202 : 200 }))
  const id = await seedEndedMeeting(LINES, 'Launch <!channel>')
  const { actions } = await makeRecap(id)
  const [message] = await chat.waitFor('/services/all')
  assert.match(message?.text ?? '', /Recap · api.*Launch &lt;!channel&gt;.*Decisions.*Action items/)
  assert.doesNotMatch(message?.text ?? '', /<!channel/)
  assert.equal(message?.headers['content-type'], 'application/json')
  assert.equal(message?.headers['x-service-signature'], undefined)
  const [card] = await chat.waitFor('/workflows/actions')
  assert.match(card?.text ?? '', /adaptive.*fix the search page/)
  assert.doesNotMatch(card?.text ?? '', /Decisions|Summary/)
  const [post] = await chat.waitFor('/hooks/decisions')
  assert.match(post?.text ?? '', /ship the new search page/)
  assert.doesNotMatch(post?.text ?? '', /Action items|Summary/)

  await updateAction(actions[0]?.actionId ?? '', { state: 'done' })
  const [, change] = await chat.waitFor('/services/all', 2)
  assert.match(change?.text ?? '', /Changed action items.*done/)
  assert.equal((await chat.waitFor('/workflows/actions', 2)).length, 2)
  await slack.waitUntil(({ pending, delivered }) => pending === 0 && delivered === 2)
  await makeRecap(id)
  await slack.waitUntil(({ delivered }) => delivered === 3)
  assert.doesNotMatch(chat.messagesAt('/services/all').at(-1)?.text ?? '', /Action items|Decisions/)
  assert.equal(chat.messagesAt('/workflows/actions').length, 2)
  assert.equal(chat.messagesAt('/hooks/decisions').length, 1)
  for (const one of [slack, teams, mattermost]) assert.equal((await one.remove()).status, 200)
})

test('the address is a secret: it is encrypted, and neither in answers nor in the audit log', async () => {
  const { chat, opened } = shared()
  const { program, service } = opened
  const {
    id,
    remove,
    update,
    test: sendTest,
    attempts,
  } = await addNotification('/services/T0PSECRET')
  const answers = [
    await program.ask('GET', BASE),
    await update({ name: 'Renamed' }),
    await sendTest(),
    await program.ask('GET', `${BASE}/${id}/attempts`),
  ]
  const text = JSON.stringify(answers.map(({ body }) => body))
  assert.ok(!text.includes('T0PSECRET'), text)
  assert.match(text, /127\.0\.0\.1/)
  assert.equal(chat.messagesAt('/services/T0PSECRET').length, 1)
  assert.equal((await attempts()).length, 1)
  const { db, close } = await connectToDatabase(
    { connectionString: service.databaseUrl },
    { max: 1, log: createLog('silent') },
  )
  try {
    const rows = [
      await db.selectFrom('notification').selectAll().execute(),
      await db.selectFrom('lane').selectAll().execute(),
      await db.selectFrom('notification_message').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
    ]
    const stored = JSON.stringify(rows, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    assert.ok(!stored.includes('T0PSECRET'))
    assert.match(stored, /notification added/)
  } finally {
    await close()
  }
  assert.equal((await remove()).status, 200)
  assert.equal((await remove()).status, 404)
})

test('a chat that answers 404 pauses its notification with its reason, and resuming sends what waits', async () => {
  const { chat, opened } = shared()
  const { seedEndedMeeting, makeRecap } = opened
  const { waitUntil, update, remove } = await addNotification('/services/gone', 'slack', ['recaps'])
  chat.answerWith(() => ({ status: 404, body: 'no_service' }))
  await makeRecap(await seedEndedMeeting(LINES, 'First'))
  const paused = await waitUntil(({ isPaused }) => isPaused)
  assert.partialDeepStrictEqual(paused, {
    state: 'closed',
    problem: { label: '404', hint: 'The webhook or its channel was deleted' },
    answer: 'no_service',
    pending: 1,
  })
  await makeRecap(await seedEndedMeeting(LINES, 'Second'))
  await waitUntil(({ pending }) => pending === 2)
  assert.equal(chat.messagesAt('/services/gone').length, 1)
  chat.answerWith(() => ({ status: 200 }))
  await update({ isPaused: false, url: chat.url('/services/back') })
  const messages = await chat.waitFor('/services/back', 2)
  assert.deepEqual(
    messages.map(({ text }) => /\|(First|Second)>/.exec(text)?.[1]),
    ['First', 'Second'],
  )
  assert.partialDeepStrictEqual(await waitUntil(({ pending }) => pending === 0), {
    state: 'ok',
    isPaused: false,
    problem: null,
    answer: null,
  })
  await update({ isPaused: true })
  assert.partialDeepStrictEqual(await waitUntil(() => true), { isPaused: true, problem: null })
  await remove()
})

test('a message waits as long as the chat asks, and one of a meeting that left the project is not sent', async () => {
  const { chat, opened } = shared()
  const { seedEndedMeeting, makeRecap, program } = opened
  const { waitUntil, attempts, update, remove } = await addNotification('/services/busy')
  chat.answerWith(() => ({ status: 429, headers: { 'retry-after': '600' } }))
  const id = await seedEndedMeeting(LINES, 'Moved')
  await makeRecap(id)
  const busy = await waitUntil(({ problem }) => problem !== null)
  assert.equal(busy.problem?.label, '429')
  const waitMs =
    Date.parse(
      ((await waitUntil(() => true)) as unknown as { nextAttemptAt: string }).nextAttemptAt,
    ) - Date.now()
  assert.ok(waitMs > 400_000 && waitMs <= 600_000, String(waitMs))
  const moved = await program.ask('PATCH', `/meetings/${id}`, { project: 'secret' })
  assert.equal(moved.status, 200)
  chat.answerWith(() => ({ status: 200 }))
  const before = (await attempts()).length
  await update({ isPaused: false })
  await waitUntil(({ pending }) => pending === 0)
  assert.equal((await attempts()).length, before)
  assert.equal(chat.messagesAt('/services/busy').length, before)
  await remove()
})

test('failed meetings and tasks of the project are reported to those who want them', async () => {
  const { chat, opened } = shared()
  const { program } = opened
  const failures = await addNotification('/services/failures', 'slack', ['failures'])
  const others = await addNotification('/services/others', 'slack', ['recaps'])
  chat.answerWith(() => ({ status: 200 }))
  const id = await program.start('practice://denied?speed=1000')
  await program.waitForStatus(id, ['error'])
  const [meeting] = await chat.waitFor('/services/failures')
  assert.match(meeting?.text ?? '', /Meeting failed · api/)
  const prompts = join(opened.service.dataFolder, 'scheduled-prompts')
  writeFileSync(join(prompts, 'needs-a-model.md'), 'Say hello.')
  const task = { name: 'summary-of-today', promptName: 'needs-a-model', project: 'api' }
  assert.equal((await program.ask('POST', '/tasks', task)).status, 201)
  assert.equal((await program.ask('POST', `/tasks/${task.name}/run`)).status, 200)
  const [, failed] = await chat.waitFor('/services/failures', 2)
  assert.match(failed?.text ?? '', /Task failed · api.*summary-of-today/)
  await failures.remove()
  assert.equal(chat.messagesAt('/services/others').length, 0)
  await others.remove()
})

test('requests that cannot be fulfilled are refused', async () => {
  const { chat, opened } = shared()
  const { program } = opened
  const good = { name: 'x', format: 'slack', url: chat.url('/x'), topics: ['recaps'] }
  for (const bad of [
    { ...good, url: 'listen:laptop' },
    { ...good, url: 'https://user:password@chat.example.com/' },
    { ...good, url: 'ftp://chat.example.com/' },
    { ...good, url: 'http://169.254.169.254/latest' },
    { ...good, format: 'irc' },
    { ...good, topics: [] },
    { ...good, topics: ['recaps', 'recaps'] },
    { ...good, name: ' ' },
  ])
    assert.equal((await program.ask('POST', BASE, bad)).status, 400, JSON.stringify(bad))
  assertError(await program.ask('GET', '/projects/nowhere/notifications'), 404, 'project_not_found')
  assertError(
    await program.ask('PATCH', `${BASE}/ntf_none`, { isPaused: true }),
    404,
    'notification_not_found',
  )
  const preview = await program.ask('POST', `${BASE}/preview`, { format: 'teams', topics: ALL })
  assert.match(String(preview.body['body']), /AdaptiveCard/)
  assert.match(String(preview.body['text']), /^Recap · api\n/)
})
