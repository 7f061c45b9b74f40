import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { startAccessWorld } from '../support/access/access-world.ts'
import { openForFile } from '../support/open-for-file.ts'

const CALLBACK_URL = 'http://127.0.0.1:9/secret-hook?key=hidden'
const DENIED = 'practice://denied?speed=1000'

const opened = openForFile(async () => {
  const world = await startAccessWorld()
  const ada = await world.addUser()
  const token = await world.addToken({ creatorId: ada.userId })
  const post = (headers: Record<string, string>, path: string, body: object = {}) =>
    world.call(headers, 'POST', path, body)
  return {
    ...world,
    ada,
    token,
    retry: (headers: Record<string, string>, id: string, body: object = {}) =>
      post(headers, `/web/meetings/${id}/retry`, body),
    /** Starts a meeting whose host refuses the bot, and waits for its end. */
    async failedMeeting(more: object = {}, key = token.key): Promise<string> {
      const { body } = await post(key, '/api/v1/meetings/start', {
        url: DENIED,
        callbackUrl: CALLBACK_URL,
        ...more,
      })
      const id = String(body['meetingId'])
      await world.waitForEnd(id)
      return id
    },
    row: (id: string) =>
      world.db
        .selectFrom('meeting')
        .select(['url', 'title', 'project', 'callback_url', 'token_id', 'options', 'document_path'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
})

test('a failed meeting starts again with its settings and its callbacks, and names the one it repeats', async () => {
  const { ada, failedMeeting, retry, row, call } = opened()
  const id = await failedMeeting({
    title: 'Planning',
    project: 'sales',
    botName: 'Notes',
    language: 'de',
    events: ['meeting_status'],
    leave: { silence: 600 },
    saveTranscript: false,
  })
  const { status, body } = await retry(ada.session, id)
  assert.equal(status, 201, JSON.stringify(body))
  assert.partialDeepStrictEqual(body, { platform: 'practice', project: 'sales', joinAt: null })
  assert.doesNotMatch(JSON.stringify(body), /secret-hook|hidden/)
  const again = String(body['meetingId'])
  assert.notEqual(again, id)
  const { options, ...before } = await row(id)
  assert.equal(before.callback_url, CALLBACK_URL)
  assert.deepEqual(await row(again), { ...before, options: { ...options, retryOf: id } })
  const detail = await call(ada.session, 'GET', `/web/meetings/${again}`)
  assert.partialDeepStrictEqual(detail.body['meeting'], { retryOf: id, account: null })
  const first = await call(ada.session, 'GET', `/web/meetings/${id}`)
  assert.partialDeepStrictEqual(first.body['meeting'], {
    retryOf: null,
    retriedAs: { meetingId: again },
  })

  const listIds = async (query: string) => {
    const { body: list } = await call(ada.session, 'GET', `/web/meetings?project=sales${query}`)
    return (list['meetings'] as Array<{ meetingId: string }>).map(({ meetingId }) => meetingId)
  }
  assert.deepEqual(await listIds(''), [again, id])
  assert.deepEqual(await listIds('&retried=false'), [again])
})

test('two people who try again at the same time get the same meeting, also later while it is open', async () => {
  const { ada, token, addUser, call, retry, waitForEnd } = opened()
  // A call that lasts, so that the attempts stay open.
  const started = await call(token.key, 'POST', '/api/v1/meetings/start', {
    url: 'practice://standup',
    callbackUrl: CALLBACK_URL,
  })
  const id = String(started.body['meetingId'])
  const stop = (meetingId: string) => call(ada.session, 'POST', '/web/meetings/stop', { meetingId })
  await stop(id)
  await waitForEnd(id)
  const ben = await addUser()
  const answers = await Promise.all([
    retry(ada.session, id),
    retry(ben.session, id, { withoutCallbacks: true }),
    retry(ada.session, id),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  const ids = new Set(answers.map(({ body }) => String(body['meetingId'])))
  assert.equal(ids.size, 1)
  const [again = ''] = ids
  assert.equal((await retry(ada.session, id)).body['meetingId'], again)
  const first = await call(ada.session, 'GET', `/web/meetings/${id}`)
  assert.partialDeepStrictEqual(first.body['meeting'], { retriedAs: { meetingId: again } })
  await stop(again)
})

test('an attempt in a project that the viewer may not read is not named', async () => {
  const { db, ada, addUser, addMember, setAccess, call, failedMeeting, retry, waitForEnd } =
    opened()
  const reader = await addUser()
  const namesOf = async (id: string) => {
    const { body } = await call(reader.key, 'GET', `/api/v1/meetings/${id}`)
    const { retryOf, retriedAs } = body['meeting'] as Record<string, unknown>
    return { retryOf, retriedAs }
  }
  const first = await failedMeeting()
  const second = String((await retry(ada.session, first)).body['meetingId'])
  await waitForEnd(second)
  assert.partialDeepStrictEqual(await namesOf(first), { retriedAs: { meetingId: second } })
  assert.deepEqual(await namesOf(second), { retryOf: first, retriedAs: null })
  await setAccess('secret', 'private')
  await addMember('secret', ada.userId, 'owner')
  const move = (id: string, project: string) =>
    db.updateTable('meeting').set({ project }).where('id', '=', id).execute()
  await move(first, 'secret')
  assert.deepEqual(await namesOf(second), { retryOf: null, retriedAs: null })
  await move(first, 'team')
  await move(second, 'secret')
  assert.deepEqual(await namesOf(first), { retryOf: null, retriedAs: null })
})

test('events go to the receiver again only if its token may use the project that the meeting is in now', async () => {
  const { db, ada, addUser, addToken, addMember, setAccess, failedMeeting, retry } = opened()
  const admin = await addUser('admin')
  await setAccess('council', 'private')
  await addMember('council', admin.userId, 'owner')
  const moved = await failedMeeting()
  const move = (id: string, project: string) =>
    db.updateTable('meeting').set({ project }).where('id', '=', id).execute()
  await move(moved, 'council')
  // The person who created the token is not a member, so their program must not get the transcript.
  assert.equal((await retry(admin.session, moved)).body['code'], 'callbacks_not_allowed')
  await addMember('council', ada.userId, 'editor')
  assert.equal((await retry(admin.session, moved)).status, 201)

  const narrowed = await addToken({ creatorId: ada.userId, projects: ['sales'] })
  const id = await failedMeeting({ project: 'sales' }, narrowed.key)
  await move(id, 'support')
  assert.equal((await retry(ada.session, id)).body['code'], 'callbacks_not_allowed')
  await move(id, 'sales')
  assert.equal((await retry(ada.session, id)).status, 201)
})

test('a person who may not use the token of the callbacks tries again without callbacks', async () => {
  const { addUser, failedMeeting, retry, row } = opened()
  const ben = await addUser()
  const id = await failedMeeting()
  const refused = await retry(ben.session, id)
  assert.deepEqual([refused.status, refused.body['code']], [403, 'callbacks_not_allowed'])
  const { status, body } = await retry(ben.session, id, { withoutCallbacks: true })
  assert.equal(status, 201)
  const again = await row(String(body['meetingId']))
  assert.deepEqual(
    [again.callback_url, again.token_id, again.options.events],
    ['listen:nobody', null, []],
  )
  // A document is saved again, because the first meeting saved one.
  assert.notEqual(again.document_path, null)
})

test('the callbacks of a revoked token are not sent again', async () => {
  const { db, ada, addToken, call, waitForEnd, retry } = opened()
  const token = await addToken({ creatorId: ada.userId })
  const started = await call(token.key, 'POST', '/api/v1/meetings/start', {
    url: DENIED,
    callbackUrl: CALLBACK_URL,
  })
  const id = String(started.body['meetingId'])
  await waitForEnd(id)
  await db
    .updateTable('api_token')
    .set({ revoked_at: new Date() })
    .where('id', '=', token.id)
    .execute()
  assert.equal((await retry(ada.session, id)).body['code'], 'callbacks_not_allowed')
})

test('trying again needs the right to edit, a meeting that is over and a bot account that exists', async () => {
  const { addUser, setAccess, addMember, ada, token, failedMeeting, retry, call } = opened()
  const id = await failedMeeting({ project: 'board' })
  await setAccess('board', 'private')
  await addMember('board', ada.userId, 'owner')
  const reader = await addUser()
  await addMember('board', reader.userId, 'reader')
  const withoutCallbacks = true
  const stranger = await addUser()
  assert.equal((await retry(stranger.session, id, { withoutCallbacks })).status, 404)
  assert.equal((await retry(reader.session, id, { withoutCallbacks })).status, 403)
  const unknown = await retry(ada.session, id, { account: 'nobody' })
  assert.equal(unknown.status, 400)
  assert.partialDeepStrictEqual(unknown.body['details'], [{ path: 'account' }])
  assert.equal(unknown.body['hint'], 'Choose another bot account, or join as a guest')
  const active = await call(token.key, 'POST', '/api/v1/meetings/start', {
    url: 'practice://standup',
    callbackUrl: CALLBACK_URL,
  })
  const activeId = String(active.body['meetingId'])
  assert.equal((await retry(ada.session, activeId)).body['code'], 'meeting_active')
  await call(token.key, 'POST', '/api/v1/meetings/stop', { meetingId: activeId })
})

test('a person lists the bot accounts that a meeting can start again with', async () => {
  const { ada, call } = opened()
  const { status, body } = await call(ada.session, 'GET', '/web/bot-accounts')
  assert.deepEqual([status, body], [200, { botAccounts: [] }])
})
