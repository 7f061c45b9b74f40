import { strict as assert } from 'node:assert'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createChatOutbox } from '../../../src/bots/platforms/chat.ts'
import { systemTimers } from '../../../src/lib/time/clock.ts'
import { encode } from '../../../stage/wire/protobuf.ts'
import { createBurstRecognition } from '../sound-call/burst-recognition.ts'
import { BOT_SIGNALS, encodeJoin, openFakeLivekit, subscribedTracks } from './fake-livekit.ts'
import { openVisit } from './open-visit.ts'
import { TEST_KEY } from './real-livekit.ts'

const ana = { sid: 'PA_a', identity: 'ana', name: 'Ana' }
/** Timers whose pauses end a hundred times sooner. */
const quickTimers = {
  ...systemTimers,
  after: (ms: number, run: () => void) => systemTimers.after(ms / 100, run),
}

test('the bot joins with a token of its own, reports participants and new names, and leaves', async () => {
  await using livekit = await openFakeLivekit()
  await using visit = await openVisit({ host: livekit.host, room: 'Équipe 1' })
  await visit.waitFor('admitted')
  const [validate, connect] = livekit.requests
  assert.equal(validate?.url, '/rtc/validate')
  assert.match(connect?.url ?? '', /^\/rtc\?/)
  assert.doesNotMatch(connect?.url ?? '', /token/)
  const claims = readToken(connect?.headers.authorization ?? '')
  assert.partialDeepStrictEqual(claims, {
    iss: TEST_KEY.apiKey,
    name: 'Notes',
    video: {
      room: 'Équipe 1',
      roomJoin: true,
      canPublish: false,
      canPublishData: true,
      hidden: false,
    },
  })
  assert.equal(livekit.queries[0]?.get('auto_subscribe'), '0')

  const tracks = [{ sid: 'TR_1' }, { sid: 'TR_video', type: 1 }, { sid: 'TR_e2ee', encryption: 1 }]
  livekit.sendMembers({ ...ana, tracks, role: 'owner' }, { sid: 'PA_b', identity: 'ben' })
  await visit.waitFor('people', ({ people }) => people.length === 2)
  assert.deepEqual(subscribedTracks(await livekit.waitForSignal(BOT_SIGNALS.subscription)), [
    'TR_1',
  ])
  livekit.sendMembers({ sid: 'PA_b', identity: 'ben', name: 'Ben' })
  const { people } = await visit.waitFor('people', (event) =>
    event.people.some(({ name }) => name === 'Ben'),
  )
  assert.deepEqual(people, [
    { id: 'ana', name: 'Ana', isHost: true },
    { id: 'ben', name: 'Ben' },
  ])
  // Ana loads the page again: the new stay begins before the old one ends.
  livekit.sendMembers({ ...ana, sid: 'PA_a2' }, { ...ana, isGone: true })
  livekit.sendMembers({ sid: 'PA_b', identity: 'ben', isGone: true })
  const last = await visit.waitFor('people', (event) => event.people.length === 1)
  assert.equal(last.people[0]?.id, 'ana')
  await visit.leave()
  await livekit.waitForSignal(BOT_SIGNALS.leave)
  assert.deepEqual(visit.events.slice(0, 2), [{ kind: 'way in' }, { kind: 'admitted' }])
})

const DISCONNECTS = [
  [2, 'removed', /identity of the bot/],
  [4, 'removed', /was removed from the room/],
  [5, 'host_ended', /closed for all/],
  [10, 'everyone_left', /alone/],
] as const

test('a server that tells the bot to leave ends the visit with its reason', async () => {
  for (const [reason, because, detail] of DISCONNECTS) {
    await using livekit = await openFakeLivekit()
    await using visit = await openVisit({ host: livekit.host })
    await visit.waitFor('admitted')
    livekit.sendLeave(reason)
    const over = await visit.waitFor('over')
    assert.equal(over.because, because)
    assert.match(over.detail ?? '', detail)
  }
})

test('a lost connection for signals is resumed, and the bot stays in the room', async () => {
  await using livekit = await openFakeLivekit()
  await using visit = await openVisit({ host: livekit.host })
  await visit.waitFor('admitted')
  livekit.sendMembers({ ...ana, tracks: [{ sid: 'TR_1' }] })
  await livekit.waitForSignal(BOT_SIGNALS.subscription)
  livekit.drop()
  const state = await livekit.waitForSignal(BOT_SIGNALS.syncState)
  assert.ok(Buffer.from(state).includes('TR_1'))
  assert.deepEqual(
    [livekit.queries[1]?.get('reconnect'), livekit.queries[1]?.get('sid')],
    ['1', 'PA_bot'],
  )
  // The server may ask for the same.
  livekit.sendLeave(0, 1)
  await livekit.waitForSignal(BOT_SIGNALS.syncState, () => livekit.queries.length === 3)
  assert.ok(visit.events.every(({ kind }) => kind !== 'call lost'))
})

test('a bot that the server does not know any longer joins again, and the record has a gap', async () => {
  await using livekit = await openFakeLivekit({
    answerConnection(count, server) {
      if (count === 2) server.sendLeave(6, 2)
      else server.sendBytes(encodeJoin({ sid: `PA_bot${count}`, identity: 'bot', name: 'Notes' }))
    },
  })
  await using visit = await openVisit({ host: livekit.host })
  await visit.waitFor('admitted')
  livekit.drop()
  const lost = await visit.waitFor('call lost')
  assert.match(lost.detail, /does not know the bot/)
  await visit.waitFor('admitted', (event) => visit.events.indexOf(event) > 2)
  assert.deepEqual(
    livekit.queries.map((query) => query.get('reconnect')),
    [null, '1', null],
  )
})

test('a LiveKit server that stays away ends the visit', async () => {
  const livekit = await openFakeLivekit()
  await using visit = await openVisit({ host: livekit.host, timers: quickTimers })
  await visit.waitFor('admitted')
  await livekit[Symbol.asyncDispose]()
  const over = await visit.waitFor('over')
  assert.equal(over.because, 'page_not_loaded')
  assert.match(over.detail ?? '', /could not stay connected to the LiveKit server.*ECONNREFUSED/)
})

const REFUSALS: ReadonlyArray<
  readonly [status: number, text: string, because: string, detail: RegExp]
> = [
  [401, 'invalid token: token is expired (exp)', 'sign_in_required', /“.*expired.*clocks/],
  [200, '<html>', 'page_not_loaded', /does not answer like a LiveKit server/],
  [404, 'Not Found', 'page_not_loaded', /does not answer like a LiveKit server/],
  [500, '', 'page_not_loaded', /answered 500/],
  [200, 'x'.repeat(100_000), 'page_not_loaded', /could not be reached/],
]

test('a room that cannot be joined ends the visit with its reason', async () => {
  for (const [status, text, because, detail] of REFUSALS) {
    await using livekit = await openFakeLivekit({
      answer: (_, response) => response.writeHead(status).end(text),
    })
    await using visit = await openVisit({ host: livekit.host })
    const over = await visit.waitFor('over')
    assert.equal(over.because, because, text)
    assert.match(over.detail ?? '', detail)
    assert.equal(livekit.queries.length, 0)
  }
})

test('without a key or without speech recognition, the server is not contacted', async () => {
  await using livekit = await openFakeLivekit()
  {
    await using visit = await openVisit({ host: livekit.host, key: null })
    const over = await visit.waitFor('over')
    assert.equal(over.because, 'sign_in_required')
    assert.match(over.detail ?? '', /HANSARD_LIVEKIT_API_KEY/)
  }
  await using visit = await openVisit({
    host: livekit.host,
    speech: createBurstRecognition('Install the model first.'),
  })
  assert.equal((await visit.waitFor('over')).because, 'captions_unavailable')
  assert.equal(livekit.requests.length, 0)
})

test('a room that does not exist yet is asked for again', async () => {
  let asked = 0
  await using livekit = await openFakeLivekit({
    answer(_, response) {
      asked += 1
      if (asked < 3) response.writeHead(404).end('requested room does not exist')
      else response.end('success')
    },
  })
  await using visit = await openVisit({ host: livekit.host, timers: quickTimers })
  await visit.waitFor('admitted')
  assert.deepEqual(
    visit.events.slice(0, 3).map(({ kind }) => kind),
    ['not started', 'way in', 'admitted'],
  )
})

test('a bot that may not write in the chat says so', async () => {
  await using livekit = await openFakeLivekit({ self: { mayWrite: false } })
  const outbox = createChatOutbox()
  outbox.add('I take notes.')
  await using visit = await openVisit({ host: livekit.host, chat: { outbox, isRead: true } })
  await visit.waitFor('chat unavailable')
  assert.equal(outbox.first(), undefined)
})

test('participants who all encrypt their sound end to end are reported', async () => {
  await using livekit = await openFakeLivekit()
  await using visit = await openVisit({ host: livekit.host, timeouts: { captionsMs: 1 } })
  await visit.waitFor('admitted')
  livekit.sendMembers({ ...ana, tracks: [{ sid: 'TR_1', encryption: 1 }] })
  await visit.waitFor('captions lost', ({ detail }) => detail.includes('end to end'))
  assert.equal((await visit.waitFor('over')).because, 'captions_unavailable')
})

test('hostile messages of a LiveKit server neither end the visit nor fill the memory', async () => {
  await using livekit = await openFakeLivekit()
  await using visit = await openVisit({ host: livekit.host })
  await visit.waitFor('admitted')
  const long = 'x'.repeat(300_000)
  livekit.sendBytes(Buffer.from('no protobuf'))
  livekit.sendBytes(Buffer.alloc(0))
  livekit.sendBytes(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]))
  livekit.sendBytes(encode([[5, [[1, 'not a member']]]]))
  livekit.sendMembers(
    { sid: '', identity: 'x' },
    { sid: 'PA_1', identity: long },
    { sid: long, identity: 'long sid' },
    { sid: 'PA_2', identity: 'long-name', name: long },
    { ...ana, tracks: Array.from({ length: 500 }, (_, index) => ({ sid: `TR_${index}` })) },
  )
  for (let index = 0; index < 1_000; index += 1)
    livekit.sendCandidate({ candidate: 'candidate:x', sdpMid: '0' })
  livekit.sendCandidate({ candidate: long })
  livekit.sendCandidate([])
  livekit.sendMembers(
    ...Array.from({ length: 3_000 }, (_, index) => ({
      sid: `PA_x${index}`,
      identity: `x${index}`,
      name: `Name ${index}`,
    })),
  )
  const { people } = await visit.waitFor('people', (event) => event.people.length === 3_002)
  assert.equal(people.find(({ id }) => id === 'long-name')?.name.length, 300)
  const tracks = subscribedTracks(await livekit.waitForSignal(BOT_SIGNALS.subscription))
  assert.equal(tracks.length, 50)
})

test('an offer that the browser refuses lets the bot join again', async () => {
  await using livekit = await openFakeLivekit()
  await using visit = await openVisit({ host: livekit.host })
  await visit.waitFor('admitted')
  livekit.sendOffer('no session description', 1)
  const { detail } = await visit.waitFor('call lost')
  assert.match(detail, /refused the offer/)
})

/** The claims of a token, if its signature is right. */
function readToken(authorization: string): object {
  const [head = '', claims = '', signature] = authorization.replace(/^Bearer /, '').split('.')
  const expected = createHmac('sha256', TEST_KEY.apiSecret).update(`${head}.${claims}`)
  assert.equal(signature, expected.digest('base64url'))
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
}
