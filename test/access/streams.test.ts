import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { openStream } from '../support/http/event-stream.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'

/** A live meeting in a private project, with one reader. */
let world: AccessWorld
let reader: Credentials & { userId: string }
let outside: Credentials & { userId: string }
let meetingId: string
let url: string
before(async () => {
  world = await startAccessWorld()
  url = `http://127.0.0.1:${world.port}`
  reader = await world.addUser()
  outside = await world.addUser()
  const { key } = await world.addToken({})
  await world.setAccess('board', 'private')
  await world.addMember('board', reader.userId, 'reader')
  const { statusCode, body } = await world.app.inject({
    method: 'POST',
    url: '/api/v1/meetings/start',
    headers: key,
    payload: { url: 'practice://standup', callbackUrl: 'listen:nobody', project: 'board' },
  })
  assert.equal(statusCode, 201, body)
  meetingId = (JSON.parse(body) as { meetingId: string }).meetingId
})
after(() => world[Symbol.asyncDispose]())

test('an open stream of a meeting ends when its reader loses access, with a key and with a session', async () => {
  const streams = [
    await openStream(`${url}/api/v1/meetings/${meetingId}/events/stream`, reader.key),
    await openStream(`${url}/web/meetings/${meetingId}/events/stream`, reader.session),
  ]
  for (const stream of streams) {
    assert.equal(stream.status, 200)
    await stream.waitUntil((messages) => messages.length > 0)
  }
  await world.removeMember('board', reader.userId)
  for (const stream of streams) await stream.ended
  const again = await openStream(`${url}/api/v1/meetings/${meetingId}/events/stream`, reader.key)
  assert.equal(again.status, 404)
  await world.addMember('board', reader.userId, 'reader')
})

test('the stream of all meetings has only events of meetings that its caller may read', async () => {
  using readers = await openStream(`${url}/api/v1/events/stream?after=0.0.0`, reader.key)
  using outsiders = await openStream(`${url}/api/v1/events/stream?after=0.0.0`, outside.key)
  using listener = await openStream(`${url}/api/v1/listeners/dev/stream?after=0.0.0`, outside.key)
  const ofMeeting = (messages: Array<{ data: { meetingId?: string } }>) =>
    messages.some(({ data }) => JSON.stringify(data).includes(meetingId))
  await readers.waitUntil(ofMeeting)
  // A meeting that the outsider may read comes later, so that its event shows that nothing was left out by chance.
  const started = await world.app.inject({
    method: 'POST',
    url: '/api/v1/meetings/start',
    headers: outside.key,
    payload: { url: 'practice://standup', callbackUrl: 'listen:nobody', project: 'open' },
  })
  const own = (JSON.parse(started.body) as { meetingId: string }).meetingId
  await outsiders.waitUntil((messages) => messages.some(({ data }) => data.meetingId === own))
  await listener.waitUntil((messages) => JSON.stringify(messages).includes(own))
  assert.equal(ofMeeting(outsiders.messages), false)
  assert.equal(ofMeeting(listener.messages), false)
})

test('a listener gets no callbacks of a meeting that its caller may not read', async () => {
  const { key } = await world.addToken({})
  using strangers = await openStream(`${url}/api/v1/listeners/board/stream`, outside.key)
  using members = await openStream(`${url}/api/v1/listeners/board/stream`, reader.key)
  using newest = await openStream(`${url}/api/v1/listeners/board/stream`, outside.key)
  const started = await world.app.inject({
    method: 'POST',
    url: '/api/v1/meetings/start',
    headers: key,
    payload: { url: 'practice://standup', callbackUrl: 'listen:board', project: 'board' },
  })
  const id = (JSON.parse(started.body) as { meetingId: string }).meetingId
  const hasMeeting = (messages: unknown) => JSON.stringify(messages).includes(id)
  await members.waitUntil(hasMeeting)
  // The newest listener gets the callbacks of a later meeting that it may read, and still none of the other.
  const later = await world.app.inject({
    method: 'POST',
    url: '/api/v1/meetings/start',
    headers: key,
    payload: { url: 'practice://standup', callbackUrl: 'listen:board', project: 'open' },
  })
  const readable = (JSON.parse(later.body) as { meetingId: string }).meetingId
  await newest.waitUntil((messages) => JSON.stringify(messages).includes(readable))
  assert.equal(hasMeeting(strangers.messages), false)
  assert.equal(hasMeeting(newest.messages), false)
})
