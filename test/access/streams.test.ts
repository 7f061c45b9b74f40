import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { createAnswerAccess, type ListenerCaller } from '../../src/deliveries/callback-copies.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'
import { openStream } from '../support/http/event-stream.ts'
import { eventually } from '../support/time/eventually.ts'

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
  meetingId = await startMeeting(key, 'listen:nobody', 'board')
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
  // A meeting that the outsider may read comes later. Its event shows that nothing was left out by chance.
  const own = await startMeeting(outside.key, 'listen:nobody', 'open')
  await outsiders.waitUntil((messages) => messages.some(({ data }) => data.meetingId === own))
  await listener.waitUntil((messages) => JSON.stringify(messages).includes(own))
  assert.equal(ofMeeting(outsiders.messages), false)
  assert.equal(ofMeeting(listener.messages), false)
})

type CallbackMessage = {
  data: {
    deliveryId: string
    isAnswerWanted: boolean
    headers?: Record<string, string>
    body?: string
  }
}

test('only listeners of the person who started a meeting are asked for answers, and others get copies, which only editors get signed', async () => {
  const ana = await world.addUser()
  await world.addMember('board', ana.userId, 'editor')
  const { key: otherToken } = await world.addToken({})
  using anas = await openListener('/web', 'board', ana.session)
  using readers = await openListener('/api/v1', 'board', reader.key)
  using tokens = await openListener('/api/v1', 'board', otherToken)
  using strangers = await openStream(`${url}/api/v1/listeners/board/stream`, outside.key)
  const id = await startMeeting(ana.key, 'listen:board', 'board')
  const callbacksIn = ({ messages }: { messages: unknown[] }) =>
    (messages as CallbackMessage[])
      .map(({ data }) => data)
      .filter(({ body }) => body?.includes(id) === true)
  const isAsked = (stream: { messages: unknown[] }) =>
    callbacksIn(stream).some(({ isAnswerWanted }) => isAnswerWanted)
  await anas.waitUntil(() => isAsked(anas))
  for (const others of [readers, tokens]) {
    await others.waitUntil(() => callbacksIn(others).length > 0)
    assert.equal(isAsked(others), false)
  }
  assert.deepEqual(callbacksIn(strangers), [])
  const listSigned = (stream: { messages: unknown[] }) =>
    callbacksIn(stream).map(({ headers }) => /signature/.test(JSON.stringify(headers)))
  assert.ok(listSigned(tokens).every((isSigned) => isSigned))
  assert.ok(listSigned(readers).every((isSigned) => !isSigned))

  const [asked] = callbacksIn(anas)
  const answerAs = (headers: Record<string, string>, prefix: string, answer: string) =>
    world.call(headers, 'POST', `${prefix}/listeners/board/answers`, {
      deliveryId: asked?.deliveryId,
      status: 200,
      error: null,
      answer,
      durationMs: 1,
    })
  for (const headers of [reader.key, otherToken, outside.key])
    assert.equal((await answerAs(headers, '/api/v1', 'forged')).status, 200)
  await answerAs(ana.session, '/web', 'from Ana')
  const attempts = await eventually(async () => {
    const { body } = await world.call(ana.key, 'GET', `/api/v1/meetings/${id}/deliveries`)
    const deliveries = body['deliveries'] as Array<{ answer: string }>
    return deliveries.length > 0 ? deliveries : null
  })
  assert.deepEqual(
    attempts.map(({ answer }) => answer),
    ['from Ana'],
  )
})

test('answering needs the right to edit the project, and the person or token that started the meeting', async () => {
  const [ana, bob, admin] = [
    await world.addUser(),
    await world.addUser(),
    await world.addUser('admin'),
  ]
  for (const { userId } of [ana, bob, admin]) await world.addMember('desk', userId, 'editor')
  await world.setAccess('desk', 'private')
  const [service, otherService] = [await world.addToken({}), await world.addToken({})]
  const byAna = await startMeeting(ana.key, 'listen:desk', 'desk')
  const byService = await startMeeting(service.key, 'listen:desk', 'desk')
  const asUser = (
    { userId }: { userId: string },
    caller: { role?: 'admin'; tokenId?: string; projects?: string[] } = {},
  ): ListenerCaller => {
    const { role = 'member', tokenId = null, projects = null } = caller
    return { viewer: { kind: 'user', userId, role, projects }, tokenId }
  }
  const asToken = ({ id: tokenId }: { id: string }): ListenerCaller => ({
    viewer: { kind: 'service', projects: null },
    tokenId,
  })
  const listAnswerable = async (caller: ListenerCaller) => {
    const { mayAnswer } = createAnswerAccess(world.db, () => caller)
    return [await mayAnswer(byAna), await mayAnswer(byService)]
  }
  assert.deepEqual(await listAnswerable(asUser(ana)), [true, false])
  assert.deepEqual(await listAnswerable(asUser(ana, { tokenId: 'any' })), [true, false])
  assert.deepEqual(await listAnswerable(asUser(ana, { projects: ['open'] })), [false, false])
  assert.deepEqual(await listAnswerable(asUser(bob)), [false, false])
  assert.deepEqual(await listAnswerable(asToken(service)), [false, true])
  assert.deepEqual(await listAnswerable(asToken(otherService)), [false, false])
  // An admin's inbox gets the callbacks of service tokens. A listener with an admin's key does not.
  assert.deepEqual(await listAnswerable(asUser(admin, { role: 'admin' })), [false, true])
  const withKey = asUser(admin, { role: 'admin', tokenId: 'any' })
  assert.deepEqual(await listAnswerable(withKey), [false, false])
  await world.removeMember('desk', ana.userId)
  assert.deepEqual(await listAnswerable(asUser(ana)), [false, false])
  await world.addMember('desk', ana.userId, 'reader')
  assert.deepEqual(await listAnswerable(asUser(ana)), [false, false])
})

test('a test event reaches only listeners of the caller', async () => {
  const callbackUrl = 'listen:tests'
  const send = (headers: Record<string, string>) =>
    world.call(headers, 'POST', '/api/v1/callbacks/test', { callbackUrl })
  using readers = await openListener('/api/v1', 'tests', reader.key)
  assert.equal((await send(outside.key)).body['error'], 'connection_refused')
  const sent = send(reader.key)
  const deliveryId = await eventually(() => {
    const messages = readers.messages as unknown as CallbackMessage[]
    return messages.find(({ data }) => data.isAnswerWanted)?.data.deliveryId ?? null
  })
  await world.call(reader.key, 'POST', '/api/v1/listeners/tests/answers', {
    deliveryId,
    status: 201,
    error: null,
    answer: '',
    durationMs: 1,
  })
  assert.equal((await sent).body['status'], 201)
})

/** A listener whose caller may read the live meeting. Its copies arrive only after it is connected. */
async function openListener(prefix: string, name: string, headers: Record<string, string>) {
  const stream = await openStream(`${url}${prefix}/listeners/${name}/stream?after=0.0.0`, headers)
  await stream.waitUntil((messages) => messages.some(({ event }) => event === 'callback'))
  return stream
}

async function startMeeting(
  key: Record<string, string>,
  callbackUrl: string,
  project: string,
): Promise<string> {
  const payload = { url: 'practice://standup', callbackUrl, project }
  const { status, body } = await world.call(key, 'POST', '/api/v1/meetings/start', payload)
  assert.equal(status, 201, JSON.stringify(body))
  return String(body['meetingId'])
}
