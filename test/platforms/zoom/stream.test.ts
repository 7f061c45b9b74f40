import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createChatOutbox } from '../../../src/bots/platforms/chat.ts'
import { startRtmsServer } from '../../support/zoom/rtms-server.ts'
import { eventually } from '../../support/time/eventually.ts'
import {
  announce,
  createStreamList,
  openReadingVisit,
  openVisit,
  spoken,
  STREAM,
  UUID,
} from './open-visit.ts'

test('a bot waits for the stream of its meeting, and reads the transcript with names and participants', async () => {
  await using server = await startRtmsServer()
  const list = createStreamList()
  await using visit = await openVisit({ server, list })
  const { because } = await visit.waitFor('not started')
  assert.equal(because, 'app_not_installed')
  list.isInstalled = true
  await visit.waitFor('not started', (event) => event.because === 'host_did_not_start')

  server.open(STREAM, UUID, [{ user_id: 1, user_name: 'Ana' }])
  announce(list, server)
  await visit.waitFor('admitted')
  server.say(STREAM, spoken('Ana', 'Good morning.'))
  server.join(STREAM, { user_id: 2, user_name: 'Ben' })
  server.say(STREAM, spoken('Ben', 'Hello Ana.', { id: 2 }))
  server.event(STREAM, 2, { user_id: 3, user_name: 'Cid' })
  server.leave(STREAM, 1)
  const { people } = await visit.waitFor(
    'people',
    (event) => event.people.length === 2 && event.people.every(({ name }) => name !== 'Ana'),
  )
  assert.deepEqual(people.map(({ name }) => name).toSorted(), ['Ben', 'Cid'])
  await visit.waitFor('caption', ({ speaker }) => speaker === 'Ben')
  assert.deepEqual(visit.record(), ['Ana: Good morning.', 'Ben: Hello Ana.'])
  const { late } = visit.captions()[0] ?? {}
  assert.ok(late !== undefined && late.startedMs >= late.changedMs)
})

test('the handshakes are signed, ask for the transcript alone and for its language', async () => {
  await using open = await openReadingVisit({ request: { language: 'de-DE' } })
  const media = await open.server.waitForMessage(3)
  assert.partialDeepStrictEqual(media, {
    media_type: 8,
    media_params: { transcript: { content_type: 5, src_language: 14, enable_lid: false } },
  })
  const subscribed = await open.server.waitForMessage(5, 'signalling')
  assert.deepEqual(
    (subscribed['events'] as Array<{ event_type: number }>).map((event) => event.event_type),
    [2, 3, 4],
  )
  open.server.say(STREAM, { ...spoken('Ana', 'Bonjour.'), language: 13 } as never)
  const problem = await open.visit.waitFor('caption problem')
  assert.deepEqual([problem.code, /fr-FR.*de-DE/.test(problem.detail)], ['caption_language', true])
})

test('doubled, repeated, grown and late utterances are recorded once, with their times', async () => {
  await using open = await openReadingVisit()
  const { server, visit } = open
  server.keepAlive(STREAM)
  const [first, second] = [
    spoken('Ana', 'One.', { agoMs: 900 }),
    spoken('Ana', 'Two.', { agoMs: 700 }),
  ]
  const again = { ...first, timestamp: Date.now() }
  server.say(STREAM, second, first, again, second)
  // The same words, said again, are new speech.
  server.say(STREAM, spoken('Ana', 'One.', { agoMs: 100, lengthMs: 50 }))
  server.say(STREAM, { ...second, data: 'Two. And three.' })
  server.say(STREAM, spoken('Ana', 'The end.', { agoMs: 5 }))
  await visit.waitFor('caption', ({ text }) => text === 'The end.')
  assert.deepEqual(visit.record(), [
    'Ana: Two.',
    'Ana: One.',
    'Ana: One.',
    'Ana: And three.',
    'Ana: The end.',
  ])
  assert.equal(new Set(visit.captions().map(({ captionId }) => captionId)).size, 5)
})

test('keep-alive requests are answered on both connections', async () => {
  await using open = await openReadingVisit()
  for (let i = 0; i < 5; i += 1) {
    open.server.keepAlive(STREAM)
    await eventually(() => {
      const { signalling, media } = open.server.unanswered(STREAM)
      return signalling === 0 && media === 0 ? true : null
    })
  }
  assert.deepEqual(open.server.counts, { signalling: 1, media: 1 })
})

test('a lost media connection is opened again alone, and nothing that Zoom kept is lost', async () => {
  await using open = await openReadingVisit()
  const { server, visit } = open
  server.say(STREAM, spoken('Ana', 'Before.'))
  await visit.waitFor('caption')
  server.refusals.media.push(16, 45)
  server.drop(STREAM, 'media')
  await visit.waitForLoss()
  server.say(STREAM, spoken('Ana', 'Meanwhile.', { agoMs: 5 }))
  await visit.waitFor('captions back')
  await visit.waitFor('caption', ({ text }) => text === 'Meanwhile.')
  assert.deepEqual(visit.record(), ['Ana: Before.', 'lost', 'back', 'Ana: Meanwhile.'])
  assert.deepEqual(server.counts, { signalling: 1, media: 2 })
  // Zoom can also say so itself.
  server.event(STREAM, 7)
  await eventually(() => (server.counts.media === 3 ? true : null))
})

test('a lost signalling connection is opened again, also while Zoom still has the old one', async () => {
  await using open = await openReadingVisit()
  const { server, visit } = open
  const before = spoken('Ana', 'Before.')
  server.say(STREAM, before)
  await visit.waitFor('caption')
  server.refusals.signalling.push(8, 8)
  server.drop(STREAM, 'signalling')
  await visit.waitForLoss()
  server.say(STREAM, before, spoken('Ana', 'After.', { agoMs: 1 }))
  await visit.waitFor('caption', ({ text }) => text === 'After.')
  assert.deepEqual(visit.record(), ['Ana: Before.', 'lost', 'back', 'Ana: After.'])
  assert.deepEqual(server.counts, { signalling: 2, media: 2 })
})

test('a connection that no longer asks for signs of life is replaced', async () => {
  await using open = await openReadingVisit({ timeouts: { silenceMs: 300 } })
  await open.visit.waitForLoss()
  await eventually(() => (open.server.counts.signalling >= 2 ? true : null))
  await open.visit.waitFor('captions back')
})

test('a stream that Zoom moves to another server is read there', async () => {
  await using open = await openReadingVisit()
  await using other = await startRtmsServer()
  const { visit, list } = open
  // This server is not allowed, so the address of a webhook alone moves nobody.
  announce(list, other)
  other.open(STREAM, UUID)
  const over = await visit.waitFor('over')
  assert.deepEqual([over.because, over.detail?.includes('zoom.us')], ['stream_failed', true])
  assert.equal(other.received.length, 0)

  const moved = createStreamList()
  announce(moved, open.server)
  await using next = await openVisit({
    server: open.server,
    list: moved,
    testOrigins: [open.server.origin, other.origin],
  })
  await next.waitFor('admitted')
  announce(moved, other)
  const row = moved.rows.get(STREAM)
  if (row !== undefined) row.reservedBy = 'meeting-1'
  await other.waitForReady(STREAM)
  other.say(STREAM, spoken('Ana', 'Here now.'))
  await next.waitFor('caption')
})

test('a pause is a gap, and what is said before and after it is recorded', async () => {
  await using open = await openReadingVisit()
  const { server, visit } = open
  server.pause(STREAM)
  await visit.waitForLoss()
  server.resume(STREAM)
  await visit.waitFor('captions back')
  server.say(STREAM, spoken('Ana', 'On again.'))
  await visit.waitFor('caption')
  // A session of one of two people who run the app is no pause of the stream.
  const session = (id: string, state: number) =>
    server.send(STREAM, 'signalling', { msg_type: 9, state, rtms_session_id: id })
  session('a', 2)
  session('b', 2)
  session('a', 3)
  server.say(STREAM, spoken('Ana', 'Still on.', { agoMs: 1 }))
  await visit.waitFor('caption', ({ text }) => text === 'Still on.')
  session('b', 3)
  await eventually(() => (visit.record().at(-1) === 'lost' ? true : null))
  session('a', 5)
  session('b', 4)
  await eventually(() => (visit.record().at(-1) === 'back' ? true : null))
})

const STOPS: ReadonlyArray<readonly [number, string]> = [
  [1, 'stream_ended_by_host'],
  [3, 'stream_ended_by_host'],
  [5, 'stream_not_allowed'],
  [6, 'host_ended'],
  [8, 'stream_revoked'],
  [18, 'credentials_rejected'],
  [23, 'stream_not_allowed'],
  [99, 'stream_ended_by_host'],
]

test('each stop reason of Zoom is one end reason, and the last words are recorded', async () => {
  for (const [reason, because] of STOPS) {
    await using open = await openReadingVisit()
    open.server.stop(STREAM, reason)
    const over = await eventually(
      () => open.visit.events.find(({ kind }) => kind === 'over') ?? null,
    )
    assert.partialDeepStrictEqual(over, { kind: 'over', because })
  }
  await using open = await openReadingVisit()
  const { visit, server, list } = open
  // The webhook can be first.
  const row = list.rows.get(STREAM)
  if (row !== undefined) row.stopped = { reason: 6 }
  server.say(STREAM, spoken('Ana', 'Goodbye.'))
  await visit.waitFor('caption')
  assert.equal((await visit.waitFor('over')).because, 'host_ended')
})

test('after a technical end, the bot reads the next stream of the meeting, or says that there was none', async () => {
  await using open = await openReadingVisit({ timeouts: { restartMs: 60_000 } })
  const { server, visit, list } = open
  server.stop(STREAM, 10)
  await visit.waitForLoss()
  server.open('stream-2', UUID)
  announce(list, server, 'stream-2')
  await visit.waitFor('captions back')
  server.say('stream-2', spoken('Ana', 'We are back.'))
  await visit.waitFor('caption')

  await using lost = await openReadingVisit({ timeouts: { restartMs: 50 } })
  lost.server.stop(STREAM, 24)
  const over = await lost.visit.waitFor('over')
  assert.deepEqual([over.because, /keep-alive/.test(over.detail ?? '')], ['stream_failed', true])
})

test('refused handshakes have exact reasons', async () => {
  const cases = [
    { because: 'credentials_rejected', secret: 'wrong' },
    { because: 'stream_not_allowed', mediaUrls: 'none' as const },
    { because: 'stream_not_allowed', media: 12 },
    { because: 'stream_failed', signalling: 4 },
  ]
  for (const { because, secret, mediaUrls, media, signalling } of cases) {
    await using server = await startRtmsServer()
    const list = createStreamList()
    server.open(STREAM, UUID)
    announce(list, server)
    if (mediaUrls) server.options.mediaUrls = mediaUrls
    if (media) server.refusals.media.push(media)
    if (signalling) server.refusals.signalling.push(signalling)
    await using visit = await openVisit({ server, list, ...(secret && { secret }) })
    assert.equal((await visit.waitFor('over')).because, because)
  }
})

test('a stream of which Zoom knows nothing is passed over, and a silent server is left', async () => {
  await using server = await startRtmsServer()
  const list = createStreamList()
  announce(list, server, 'old')
  await using _ = await openVisit({ server, list })
  await eventually(() => list.rows.get('old')?.stopped ?? null)
  server.options.isSilent = true
  server.open(STREAM, UUID)
  announce(list, server)
  await using slow = await openVisit({
    server,
    list: (() => {
      const silent = createStreamList()
      announce(silent, server)
      return silent
    })(),
    timeouts: { handshakeMs: 5, signallingWindowMs: 50 },
    request: { wasAdmittedBefore: true },
  })
  const over = await slow.waitFor('over')
  assert.match(over.detail ?? '', /did not answer/)
})

test('a host name is resolved by the guarded lookup, which can refuse its addresses', async () => {
  await using server = await startRtmsServer()
  const list = createStreamList()
  const named = server.signallingUrl.replace('127.0.0.1', 'localhost')
  announce(list, { signallingUrl: named })
  server.open(STREAM, UUID)
  await using visit = await openVisit({
    server,
    list,
    testOrigins: [server.origin, server.origin.replace('127.0.0.1', 'localhost')],
    timeouts: { signallingWindowMs: 1, restartMs: 1 },
    request: { wasAdmittedBefore: true },
  })
  const over = await visit.waitFor('over')
  assert.equal(over.because, 'stream_failed')
  assert.equal(server.received.length, 0)
})

test('broken and hostile messages change nothing', async () => {
  await using open = await openReadingVisit()
  const { server, visit } = open
  const hostile = [
    'not json',
    '[]',
    '{"msg_type":17}',
    '{"msg_type":17,"content":{"data":7}}',
    '{"msg_type":6,"event":{"event_type":3,"participants":[null,{"user_id":{}},{"user_id":9,"user_name":"Zed"}]}}',
    '{"msg_type":99,"x":1}',
    '{"msg_type":8,"state":"4"}',
    '{"msg_type":12}',
    JSON.stringify({ msg_type: 17, content: { user_id: 1, data: '   ', timestamp: 1e300 } }),
    JSON.stringify({ msg_type: 17, content: { user_id: 1, data: 'No times.', start_time: -1 } }),
    JSON.stringify({
      msg_type: 17,
      content: {
        user_id: 1,
        user_name: `<b>${'x'.repeat(9_000)}`,
        data: 'Long name.',
        start_time: 1e300,
      },
    }),
  ]
  for (const text of hostile) {
    server.send(STREAM, 'media', text)
    server.send(STREAM, 'signalling', text)
  }
  server.say(STREAM, spoken('Ana', 'Fine.'))
  await visit.waitFor('caption', ({ text }) => text === 'Fine.')
  await visit.waitFor('people', ({ people }) => people.some(({ name }) => name === 'Zed'))
  const [first, second] = visit.captions()
  assert.deepEqual([first?.text, first?.speaker], ['No times.', 'Ana'])
  assert.equal(second?.speaker.length, 500)
  for (const { late } of visit.captions())
    assert.ok(late !== undefined && late.startedMs >= 0 && late.startedMs < 600_001)
  // A wrong time of one message does not move the others.
  server.keepAlive(STREAM)
  server.say(STREAM, spoken('Ana', 'On time.', { agoMs: 5 }))
  await visit.waitFor('caption', ({ text }) => text === 'On time.')
  assert.ok((visit.captions().at(-1)?.late?.startedMs ?? Infinity) < 60_000)
})

test('messages for the chat are reported as impossible, and speech recognition as unnecessary', async () => {
  const outbox = createChatOutbox()
  outbox.add('I take notes.')
  await using open = await openReadingVisit({
    request: { speech: 'always', chat: { outbox, isRead: true } },
  })
  await open.visit.waitFor('chat unavailable')
  assert.equal(outbox.first(), undefined)
  const { code } = await open.visit.waitFor('caption problem')
  assert.equal(code, 'speech_unavailable')
})

test('a bot with a join time connects at once, and records from that time on', async () => {
  await using server = await startRtmsServer()
  const list = createStreamList()
  server.open(STREAM, UUID, [{ user_id: 1, user_name: 'Ana' }])
  announce(list, server)
  const time = Promise.withResolvers<void>()
  const joinTime = { at: new Date(Date.now() + 60_000), wait: () => time.promise }
  await using visit = await openVisit({ server, list, request: { joinTime } })
  await server.waitForReady(STREAM)
  server.say(STREAM, spoken('Ana', 'Small talk.'))
  server.event(STREAM, 3, { participants: [{ user_id: 2, user_name: 'Ben' }] })
  server.keepAlive(STREAM)
  await server.waitForMessage(13, 'media')
  assert.ok(visit.events.every(({ kind }) => kind === 'way in'))
  time.resolve()
  await visit.waitFor('admitted')
  server.say(STREAM, spoken('Ana', 'Let us begin.', { agoMs: 1 }))
  await visit.waitFor('caption')
  assert.deepEqual(visit.record(), ['Ana: Let us begin.'])
})

test('a stream that the bot of another meeting reads is waited for', async () => {
  await using open = await openReadingVisit()
  await using second = await openVisit({
    server: open.server,
    list: open.list,
    request: { meetingKey: 'meeting-2' },
  })
  const { because } = await second.waitFor('not started')
  assert.equal(because, 'stream_failed')
  await second.leave()
  assert.ok(second.events.every(({ kind }) => kind !== 'over'))
})
