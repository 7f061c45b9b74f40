import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { openStream } from '../support/http/event-stream.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'
import { createRandomName } from '../support/access/random-name.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'

type Person = Credentials & { userId: string }
type ApiComment = {
  commentId: string
  segmentNumber: number
  author: string
  text: string
  editedAt: string | null
  canEdit: boolean
  canDelete: boolean
}

let world: AccessWorld
let [owner, reader, otherReader, outside]: Person[] = []
before(async () => {
  world = await startAccessWorld()
  ;[owner, reader, otherReader, outside] = await Promise.all([
    world.addUser(),
    world.addUser(),
    world.addUser(),
    world.addUser(),
  ])
})
after(() => world[Symbol.asyncDispose]())

/** A private project with an ended meeting of one line, an owner and two readers. */
async function openMeeting() {
  assert.ok(owner && reader && otherReader && outside)
  const project = createRandomName()
  await world.setAccess(project, 'private')
  await world.addMember(project, owner.userId, 'owner')
  await world.addMember(project, reader.userId, 'reader')
  await world.addMember(project, otherReader.userId, 'reader')
  const { meeting } = await world.plant(project, createRandomName())
  const path = `/meetings/${meeting}`
  return {
    project,
    meeting,
    path,
    owner,
    reader,
    otherReader,
    outside,
    async comment(headers: Record<string, string>, text: string) {
      const { status, body } = await world.call(headers, 'POST', `/api/v1${path}/comments`, {
        segmentNumber: 1,
        text,
      })
      assert.equal(status, 201, JSON.stringify(body))
      return body['comment'] as ApiComment
    },
    async comments(headers: Record<string, string>) {
      const { status, body } = await world.call(headers, 'GET', `/api/v1${path}/comments`)
      assert.equal(status, 200, JSON.stringify(body))
      return body['comments'] as ApiComment[]
    },
    async bookmarks(headers: Record<string, string>) {
      const { body } = await world.call(headers, 'GET', `/api/v1${path}/bookmarks`)
      return (body['bookmarks'] as Array<{ segmentNumber: number }>).map(
        ({ segmentNumber }) => segmentNumber,
      )
    },
  }
}

const refusalOf = async (call: ReturnType<AccessWorld['call']>) => {
  const { status, body } = await call
  return [status, body['code']]
}

test('readers comment, only the author edits, and the author and owners delete', async () => {
  const { path, comment, comments, ...people } = await openMeeting()
  const first = await comment(people.reader.key, 'Is this the <b>final</b> price?')
  const item = `/api/v1${path}/comments/${first.commentId}`
  const [ofOther] = await comments(people.otherReader.key)
  assert.partialDeepStrictEqual(ofOther, {
    segmentNumber: 1,
    author: people.reader.userId,
    text: 'Is this the <b>final</b> price?',
    editedAt: null,
    canEdit: false,
    canDelete: false,
  })
  const change = { text: 'Is this the price?' }
  for (const { key } of [people.otherReader, people.owner])
    assert.deepEqual(await refusalOf(world.call(key, 'PATCH', item, change)), [403, 'forbidden'])
  const changed = await world.call(
    people.reader.session,
    'PATCH',
    item.replace('/api/v1', '/web'),
    {
      text: 'Is this the price?',
    },
  )
  assert.partialDeepStrictEqual(changed.body['comment'], { ...change, canEdit: true })
  assert.notEqual((await comments(people.otherReader.key))[0]?.editedAt, null)

  assert.deepEqual(await refusalOf(world.call(people.otherReader.key, 'DELETE', item)), [
    403,
    'forbidden',
  ])
  const { key: scopedKey } = await world.addToken({
    creatorId: people.owner.userId,
    scopes: ['meetings'],
  })
  assert.deepEqual(await refusalOf(world.call(scopedKey, 'DELETE', item)), [403, 'missing_scope'])
  assert.deepEqual(
    (await comments(people.owner.key)).map(({ canDelete }) => canDelete),
    [true],
  )
  assert.equal((await world.call(people.owner.key, 'DELETE', item)).status, 200)
  assert.deepEqual(await refusalOf(world.call(people.owner.key, 'DELETE', item)), [
    404,
    'comment_not_found',
  ])
  assert.deepEqual(await refusalOf(world.call(people.reader.key, 'PATCH', item, change)), [
    404,
    'comment_not_found',
  ])
  assert.deepEqual(await comments(people.reader.key), [])
})

test('while a meeting is moved, the rights of the new project decide who deletes a comment', async () => {
  const { path, meeting, comment, ...people } = await openMeeting()
  const { commentId } = await comment(people.reader.key, 'Here')
  const elsewhere = createRandomName()
  await world.setAccess(elsewhere, 'private')
  await world.addMember(elsewhere, people.reader.userId, 'reader')
  const item = `/api/v1${path}/comments/${commentId}`
  const moving = await world.db.startTransaction().execute()
  await moving
    .updateTable('meeting')
    .set({ project: elsewhere })
    .where('id', '=', meeting)
    .execute()
  const deleted = world.call(people.owner.key, 'DELETE', item)
  await waitForLockWaiters(world.db, 'transactionid', 1)
  await moving.commit().execute()
  assert.deepEqual(await refusalOf(deleted), [404, 'meeting_not_found'])
  assert.equal((await world.call(people.reader.key, 'DELETE', item)).status, 200)
})

test('a comment is changed only under its own meeting', async () => {
  const [one, two] = [await openMeeting(), await openMeeting()]
  const { commentId } = await one.comment(one.reader.key, 'Here')
  const elsewhere = `/api/v1${two.path}/comments/${commentId}`
  const answer = world.call(one.reader.key, 'DELETE', elsewhere)
  assert.deepEqual(await refusalOf(answer), [404, 'comment_not_found'])
  assert.equal((await one.comments(one.reader.key)).length, 1)
})

test('bookmarks are private to a person, and service tokens have none', async () => {
  const { path, bookmarks, ...people } = await openMeeting()
  const line = `${path}/bookmarks/1`
  for (const surface of ['/api/v1', '/web'] as const) {
    const headers = surface === '/web' ? people.reader.session : people.reader.key
    assert.equal((await world.call(headers, 'PUT', `${surface}${line}`, {})).status, 200)
  }
  assert.deepEqual(await bookmarks(people.reader.key), [1])
  assert.deepEqual(await bookmarks(people.owner.key), [])
  const service = await world.addToken({})
  assert.deepEqual(await bookmarks(service.key), [])
  const refused = world.call(service.key, 'PUT', `/api/v1${line}`, {})
  assert.deepEqual(await refusalOf(refused), [403, 'forbidden'])
  // The owner has no bookmark there, so the reader's bookmark stays.
  assert.equal((await world.call(people.owner.key, 'DELETE', `/api/v1${line}`)).status, 200)
  assert.deepEqual(await bookmarks(people.reader.key), [1])
  assert.equal((await world.call(people.reader.key, 'DELETE', `/api/v1${line}`)).status, 200)
  assert.deepEqual(await bookmarks(people.reader.key), [])
})

test('tokens comment in the name of their person, or in their own', async () => {
  const { path, project, comment, comments, ...people } = await openMeeting()
  const service = await world.addToken({})
  const otherService = await world.addToken({ projects: [project] })
  const ofService = await comment(service.key, 'From a program')
  const item = `/api/v1${path}/comments/${ofService.commentId}`
  const change = { text: 'Changed' }
  const refused = world.call(otherService.key, 'PATCH', item, change)
  assert.deepEqual(await refusalOf(refused), [403, 'forbidden'])
  assert.equal((await world.call(service.key, 'PATCH', item, change)).status, 200)
  const narrowed = await world.addToken({ creatorId: people.reader.userId, projects: [project] })
  await comment(narrowed.key, 'From my script')
  const listed = await comments(people.reader.key)
  assert.deepEqual(
    listed.map(({ author, canEdit }) => [author, canEdit]),
    [
      ['test', false],
      [people.reader.userId, true],
    ],
  )
  const reading = await world.addToken({ creatorId: people.reader.userId, scopes: ['read'] })
  assert.equal((await comments(reading.key)).length, 2)
  const body = { segmentNumber: 1, text: 'No' }
  const unscoped = world.call(reading.key, 'POST', `/api/v1${path}/comments`, body)
  assert.deepEqual(await refusalOf(unscoped), [403, 'missing_scope'])
})

test('texts are stored as plain text, and invalid ones and unknown lines are refused', async () => {
  const {
    path,
    comment,
    reader: { key },
  } = await openMeeting()
  const hostile = '<img src=x onerror=alert(1)>\r\n=1+1 \u202Egpj.exe [x](javascript:1)'
  const { text } = await comment(key, hostile)
  assert.equal(text, '<img src=x onerror=alert(1)>\n=1+1 gpj.exe [x](javascript:1)')
  const add = (body: object) => refusalOf(world.call(key, 'POST', `/api/v1${path}/comments`, body))
  const invalid = [
    { segmentNumber: 1, text: '  ' },
    { segmentNumber: 1, text: '\u200b\u202e' },
    { segmentNumber: 1, text: 'a\u0000b' },
    { segmentNumber: 1, text: 'x'.repeat(2_001) },
    { segmentNumber: 0, text: 'x' },
    { text: 'x' },
  ]
  for (const body of invalid) assert.deepEqual(await add(body), [400, 'invalid_request'])
  assert.deepEqual(await add({ segmentNumber: 2, text: 'x' }), [404, 'line_not_found'])
  const line = world.call(key, 'PUT', `/api/v1${path}/bookmarks/2`, {})
  assert.deepEqual(await refusalOf(line), [404, 'line_not_found'])
  assert.equal((await comment(key, 'x'.repeat(2_000))).text.length, 2_000)
})

test('a meeting has at most 500 comments, also when they are added at once', async () => {
  const {
    path,
    meeting,
    reader: { key },
    comments,
  } = await openMeeting()
  const rows = Array.from({ length: 498 }, (_, i) => ({
    id: `${meeting}-${i}`,
    meeting_id: meeting,
    segment_number: 1,
    author_id: null,
    token_id: null,
    author_name: 'Zoe',
    text: 'x',
    created_at: new Date(),
    edited_at: null,
  }))
  await world.db.insertInto('line_comment').values(rows).execute()
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      world.call(key, 'POST', `/api/v1${path}/comments`, { segmentNumber: 1, text: 'x' }),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 201, 409, 409, 409],
  )
  assert.equal((await comments(key)).length, 500)
})

test('a repeated request with an Idempotency-Key adds one comment', async () => {
  const {
    path,
    reader: { key },
    comments,
  } = await openMeeting()
  const send = () =>
    world.call({ ...key, 'idempotency-key': path }, 'POST', `/api/v1${path}/comments`, {
      segmentNumber: 1,
      text: 'Once',
    })
  assert.deepEqual((await send()).body, (await send()).body)
  assert.equal((await comments(key)).length, 1)
})

test('comments move and end with their meeting, and a removed person keeps a name', async () => {
  const { path, meeting, project, comment, comments, ...people } = await openMeeting()
  const leaving = await world.addUser()
  await world.addMember(project, leaving.userId, 'reader')
  await comment(leaving.key, 'Goodbye')
  await world.call(leaving.key, 'PUT', `/api/v1${path}/bookmarks/1`, {})
  await world.call(people.owner.key, 'PUT', `/api/v1${path}/bookmarks/1`, {})
  await world.db
    .updateTable('app_user')
    .set({ name: 'Lea' })
    .where('id', '=', leaving.userId)
    .execute()
  assert.equal((await comments(people.owner.key))[0]?.author, 'Lea')
  const admin = await world.addUser('admin')
  const gone = await world.call(admin.session, 'DELETE', `/web/users/${leaving.userId}`)
  assert.equal(gone.status, 200, JSON.stringify(gone.body))
  const [kept] = await comments(people.owner.key)
  assert.deepEqual([kept?.author, kept?.canDelete], [leaving.userId, true])

  const to = createRandomName()
  await world.write(people.owner.key, to)
  const moved = await world.call(people.owner.key, 'PATCH', `/api/v1${path}`, { project: to })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
  // The project is now a team project, so a user who was not a member reads its comments.
  assert.equal((await comments(people.outside.key)).length, 1)
  const removed = await world.call(people.owner.key, 'DELETE', `/api/v1${path}`)
  assert.partialDeepStrictEqual(removed.body['removed'], { comments: 1 })
  assert.ok(!JSON.stringify(removed.body).includes('bookmark'))
  const left = await world.db.selectFrom('line_bookmark').selectAll().execute()
  assert.deepEqual(
    left.filter((mark) => mark.meeting_id === meeting || mark.user_id === leaving.userId),
    [],
  )
})

test('open consoles of readers learn that comments have changed, programs and others do not', async () => {
  const { comment, meeting, ...people } = await openMeeting()
  const startForAll = async () => {
    const { body } = await world.call(people.owner.key, 'POST', '/api/v1/meetings/start', {
      url: 'practice://standup',
      callbackUrl: 'listen:nobody',
    })
    return String(body['meetingId'])
  }
  const open = (surface: string, headers: Record<string, string>) =>
    openStream(`http://127.0.0.1:${world.port}${surface}/events/stream?after=0.0.0`, headers)
  const earlier = await startForAll()
  using ofReader = await open('/web', people.otherReader.session)
  using ofOther = await open('/web', people.outside.session)
  using ofProgram = await open('/api/v1', people.otherReader.key)
  // A stream that has sent an event is subscribed to changes.
  for (const stream of [ofReader, ofOther, ofProgram])
    await stream.waitUntil((messages) => messages.some(({ data }) => data.meetingId === earlier))
  await comment(people.reader.key, 'See this')
  await ofReader.waitUntil((messages) =>
    messages.some(({ event, data }) => event === 'comments_changed' && data.meetingId === meeting),
  )
  // A meeting for all comes later. Its event shows that nothing was left out by chance.
  const later = await startForAll()
  for (const stream of [ofOther, ofProgram]) {
    await stream.waitUntil((messages) => messages.some(({ data }) => data.meetingId === later))
    assert.ok(!stream.messages.some(({ event }) => event === 'comments_changed'))
  }
})
