import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createChatOutbox } from '../../../src/bots/platforms/chat.ts'
import { systemTimers } from '../../../src/lib/time/clock.ts'
import { createBurstRecognition } from '../sound-call/burst-recognition.ts'
import { JOINED, openFakeGalene, type FakeGalene } from './fake-galene.ts'
import { openVisit } from './open-visit.ts'

const user = (id: string, username: string, permissions = ['present']) => ({
  type: 'user',
  kind: 'add',
  id,
  username,
  permissions,
})
const refuse = (value: string, error = '') => ({
  type: 'joined',
  kind: 'fail',
  group: 'talk',
  username: 'Notes',
  error,
  value,
})
const kick = (value: string, privileged = true) => ({
  type: 'usermessage',
  kind: 'kicked',
  privileged,
  value,
})

test('the bot joins, reports participants and their new names, and leaves', async () => {
  await using galene = await openFakeGalene()
  await using visit = await openVisit({ host: galene.host, password: 'secret' })
  await visit.waitFor('admitted')
  const { id } = await galene.waitForMessage('handshake')
  const join = await galene.waitForMessage('join')
  assert.deepEqual([join['group'], join['username'], join['password']], ['talk', 'Notes', 'secret'])
  assert.deepEqual((await galene.waitForMessage('request'))['request'], { '': ['audio'] })
  galene.send(user(String(id), 'Notes'), user('a', 'Ana', ['op', 'present']), user('b', ''))
  await visit.waitFor('people', ({ people }) => people.length === 2)
  galene.send({ ...user('b', 'Ben'), kind: 'change' })
  const { people } = await visit.waitFor('people', (event) =>
    event.people.some(({ name }) => name === 'Ben'),
  )
  assert.deepEqual(people, [
    { id: 'a', name: 'Ana', isHost: true },
    { id: 'b', name: 'Ben' },
  ])
  galene.send({ type: 'user', kind: 'delete', id: 'a' }, { type: 'ping' })
  await visit.waitFor('people', (event) => event.people.length === 1)
  await galene.waitForMessage('pong')
  await visit.leave()
  assert.equal((await galene.waitForMessage('join', { kind: 'leave' }))['group'], 'talk')
  assert.deepEqual(visit.events.slice(0, 2), [{ kind: 'way in' }, { kind: 'admitted' }])
})

test('the bot reads and posts chat messages, without history, private messages and its own', async () => {
  await using galene = await openFakeGalene()
  const outbox = createChatOutbox()
  outbox.add('I take notes.')
  await using visit = await openVisit({ host: galene.host, chat: { outbox, isRead: true } })
  const posted = await galene.waitForMessage('chat')
  assert.deepEqual(
    [posted['value'], posted['username'], posted['dest']],
    ['I take notes.', 'Notes', undefined],
  )
  const chat = { type: 'chat', source: 'a', username: 'Ana' }
  galene.send(
    { ...chat, type: 'chathistory', id: '1', value: 'earlier' },
    { ...chat, id: '2', value: 'for you only', dest: 'me' },
    { ...chat, id: '3', value: 'typed caption', kind: 'caption' },
    { ...chat, id: '4', value: { text: 'no text' } },
    { ...chat, id: '5', username: 'Notes', value: 'I take notes.' },
    { ...chat, id: '6', value: 'Hello' },
    { ...chat, id: '6', value: 'Hello' },
  )
  const { messages } = await visit.waitFor('chat')
  assert.deepEqual(messages, [{ messageId: '6', author: 'Ana', text: 'Hello' }])
})

test('without the permission to write, the chat is reported as unavailable', async () => {
  await using galene = await openFakeGalene({
    answerJoin: () => [{ ...JOINED, permissions: ['present'] }],
  })
  const outbox = createChatOutbox()
  outbox.add('I take notes.')
  await using visit = await openVisit({ host: galene.host, chat: { outbox, isRead: false } })
  await visit.waitFor('chat unavailable')
  assert.equal(outbox.first(), undefined)
})

const REFUSALS = [
  [
    refuse('not authorised'),
    {},
    'sign_in_required',
    /“not authorised”\. .*HANSARD_GALENE_PASSWORD/,
  ],
  [refuse('not authorised'), { password: 'x' }, 'denied', /Check HANSARD_GALENE_PASSWORD/],
  [refuse('this username is taken', 'duplicate-username'), {}, 'denied', /another name/],
  [refuse('group does not exist'), {}, 'meeting_not_found', /Check the link/],
  [refuse('this group is locked'), {}, 'denied', /“this group is locked”.*unlock/],
  [refuse('Board only today'), {}, 'denied', /“Board only today”/],
  [refuse('this group is closed'), {}, 'meeting_not_found', /expired/],
  [refuse('too many users'), {}, 'denied', /max-clients/],
  [
    { ...refuse('https://b.example/group/x/'), kind: 'redirect' },
    {},
    'meeting_not_found',
    /moved to https:\/\/b/,
  ],
] as const

test('a refusal ends the visit with its reason and the words of the server', async () => {
  for (const [answer, given, because, detail] of REFUSALS) {
    await using galene = await openFakeGalene({ answerJoin: () => [answer] })
    await using visit = await openVisit({ host: galene.host, ...given })
    const over = await visit.waitFor('over')
    assert.equal(over.because, because, answer.value)
    assert.match(over.detail ?? '', detail)
  }
})

const STATUSES: ReadonlyArray<
  readonly [NonNullable<Parameters<typeof openFakeGalene>[0]>['answerStatus'], string, RegExp]
> = [
  [(response) => response.writeHead(404).end(), 'meeting_not_found', /no group with this name/],
  [
    (response) => response.writeHead(301, { location: 'http://10.0.0.1/group/talk/.status' }).end(),
    'meeting_not_found',
    /moved to http:\/\/10\.0\.0\.1\/group\/talk\/\./,
  ],
  [(response) => response.end('<html>'), 'page_not_loaded', /not answer like a Galène server/],
  [
    (response) => response.end('{"endpoint":"ws://10.0.0.1/ws"}'),
    'page_not_loaded',
    /sends participants to 10\.0\.0\.1\. Add it to HANSARD_GALENE_HOSTS/,
  ],
  [
    (response, host) => response.end(`{"endpoint":"http://${host}/ws"}`),
    'page_not_loaded',
    /starts with http: instead of ws:/,
  ],
  [(response) => response.writeHead(500).end(), 'page_not_loaded', /answered 500/],
  [(response) => response.end('x'.repeat(100_000)), 'page_not_loaded', /could not be reached/],
  [(response) => response.destroy(), 'page_not_loaded', /could not be reached/],
]

test('a group that cannot be opened ends the visit, and no other server is contacted', async () => {
  for (const [answerStatus, because, detail] of STATUSES) {
    await using galene = await openFakeGalene({ ...(answerStatus && { answerStatus }) })
    await using visit = await openVisit({ host: galene.host })
    const over = await visit.waitFor('over')
    assert.equal(over.because, because, String(detail))
    assert.match(over.detail ?? '', detail)
    assert.ok(galene.requests.every((path) => path === '/group/talk/.status'))
  }
})

test('a group that is not open yet is asked for again', async () => {
  await using galene = await openFakeGalene({
    answerJoin: (_, count) => [count < 3 ? refuse('there are no operators in this group') : JOINED],
  })
  const timers = {
    ...systemTimers,
    after: (ms: number, run: () => void) => systemTimers.after(ms / 100, run),
  }
  await using visit = await openVisit({ host: galene.host, timers })
  await visit.waitFor('admitted')
  assert.deepEqual(
    visit.events.slice(0, 3).map(({ kind }) => kind),
    ['way in', 'not started', 'admitted'],
  )
})

test('without speech recognition the visit ends before the server is contacted', async () => {
  const findings = [
    [{ speech: undefined }, /hansard speech install/],
    [{ speech: createBurstRecognition('Install the model first.') }, /Install the model first\./],
  ] as const
  for (const [given, detail] of findings) {
    await using galene = await openFakeGalene()
    await using visit = await openVisit({ host: galene.host, ...(given as object) })
    const over = await visit.waitFor('over')
    assert.equal(over.because, 'captions_unavailable')
    assert.match(over.detail ?? '', detail)
    assert.deepEqual(galene.requests, [])
  }
})

const KICKS = [
  ['go away', 'removed', /“go away”/],
  ['there are no operators in this group', 'host_ended', /no operators/],
] as const

test('a removed bot ends its visit with the words of the server, unless a participant only pretends', async () => {
  for (const [words, because, detail] of KICKS) {
    await using galene = await openFakeGalene()
    await using visit = await openVisit({ host: galene.host })
    await visit.waitFor('admitted')
    galene.send(kick('a trick', false), kick(words))
    const over = await visit.waitFor('over')
    assert.equal(over.because, because)
    assert.match(over.detail ?? '', detail)
  }
})

test('after a lost connection the bot joins again', async () => {
  await using galene = await openFakeGalene()
  await using visit = await openVisit({ host: galene.host })
  const losses: Array<(server: FakeGalene) => void> = [
    (server) => server.drop(),
    (server) => server.send(kick('server is shutting down')),
    (server) => server.send({ type: 'joined', kind: 'leave', group: 'talk' }),
  ]
  for (const [index, lose] of losses.entries()) {
    await visit.waitFor('admitted', () => countOf(visit.events, 'admitted') === index + 1)
    lose(galene)
  }
  await visit.waitFor('admitted', () => countOf(visit.events, 'admitted') === losses.length + 1)
  assert.deepEqual(
    visit.events
      .filter(({ kind }) => kind === 'call lost')
      .map((event) => 'detail' in event && event.detail),
    [
      'The connection to the server failed',
      'The server said: “server is shutting down”',
      'The server ended the membership of the bot',
    ],
  )
})

test('a server that stops answering counts as lost since its last message', async () => {
  await using galene = await openFakeGalene()
  const pings: Array<() => void> = []
  let passedMs = 0
  const timers = {
    now: () => systemTimers.now() + passedMs,
    after(ms: number, run: () => void) {
      if (ms !== 20_000) return systemTimers.after(ms, run)
      pings.push(run)
      return () => undefined
    },
  }
  await using visit = await openVisit({ host: galene.host, timers })
  await visit.waitFor('admitted')
  pings.shift()?.()
  await galene.waitForMessage('ping')
  passedMs = 60_000
  pings.shift()?.()
  const lost = await visit.waitFor('call lost')
  assert.ok(lost.sinceMs >= 60_000)
})

test('a server that stays away ends the visit', async () => {
  const galene = await openFakeGalene()
  await using visit = await openVisit({ host: galene.host })
  await visit.waitFor('admitted')
  await galene[Symbol.asyncDispose]()
  const over = await visit.waitFor('over')
  assert.equal(over.because, 'page_not_loaded')
  assert.match(over.detail ?? '', /could not stay connected.*ECONNREFUSED/)
})

test('hostile messages neither end the visit nor fill the memory', async () => {
  await using galene = await openFakeGalene()
  await using visit = await openVisit({
    host: galene.host,
    chat: { outbox: createChatOutbox(), isRead: true },
  })
  await visit.waitFor('admitted')
  const long = 'x'.repeat(500_000)
  galene.send(
    'no JSON',
    '[]',
    'null',
    { type: 'unknown' },
    { type: 'user' },
    { type: 'user', kind: 'add', id: long, username: 'long id' },
    user('long', long),
    {
      type: 'joined',
      kind: 'change',
      rtcConfiguration: { iceServers: [{ urls: 'turn:10.0.0.1?transport=tcp' }] },
    },
    { type: 'ice', id: 'nobody', candidate: { candidate: 'x' } },
    { type: 'offer', id: 'bad', source: 'a', sdp: 'no session description' },
    { type: 'ice', id: 'bad', candidate: { candidate: 'candidate:x' } },
    { type: 'close', id: 'nobody' },
  )
  await galene.waitForMessage('abort', { id: 'bad' })
  for (let index = 0; index < 300; index += 1)
    galene.send({ type: 'offer', id: `flood-${index}`, source: 'a', sdp: 'v=0' })
  await galene.waitForMessage('abort', { id: 'flood-299' })
  for (let index = 0; index < 3_000; index += 1) {
    galene.send(user(`u-${index}`, `Name ${index}`))
    galene.send({
      type: 'chat',
      id: `c-${index}`,
      source: 'a',
      username: 'Ana',
      value: long.slice(0, 100),
    })
  }
  const { people } = await visit.waitFor('people', (event) => event.people.length === 3_001)
  assert.equal(people[0]?.name.length, 300)
})

test('a message that is larger than the server itself accepts ends the connection', async () => {
  await using galene = await openFakeGalene()
  await using visit = await openVisit({ host: galene.host })
  await visit.waitFor('admitted')
  galene.send({ type: 'chat', value: 'x'.repeat(2_000_000) })
  await visit.waitFor('call lost')
})

function countOf(events: ReadonlyArray<{ kind: string }>, kind: string): number {
  return events.filter((event) => event.kind === kind).length
}
