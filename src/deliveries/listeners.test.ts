import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import type { Timers } from '../lib/time/clock.ts'
import {
  createListenerConnections,
  parseListenerName,
  type CallbackForListener,
  type ListenerStream,
  createRefusedLanes,
} from './listeners.ts'
import type { PostRequest, CallbackTransport } from './transport.ts'

const NEVER = new AbortController().signal
const ANSWER = { status: 200, error: null, answer: 'ok', durationMs: 3 }
const NO_HTTP: CallbackTransport = {
  post: () => Promise.reject(new Error('not for a listener')),
  [Symbol.asyncDispose]: async () => undefined,
}

/** Two nodes that receive each other's messages, with timers that the test fires. */
function createNodes() {
  type Listener = (data: never) => void
  const allListeners: Listener[] = []
  const messages: string[] = []
  const timersDue = new Map<() => void, number>()
  const timers: Timers = {
    now: () => 0,
    after(ms, run) {
      timersDue.set(run, ms)
      return () => void timersDue.delete(run)
    },
  }
  const node = () => {
    const ownListeners: Listener[] = []
    const membership: NodeMembership = {
      nodeId: 'node',
      hasRole: () => true,
      hasMasterKey: true,
      isOnlyNode: () => false,
      hasFreshHeartbeat: () => true,
      requireFreshHeartbeat: async () => undefined,
      heartbeatAgeMs: () => 0,
      announceDocuments: async () => {},
      send: () => undefined,
      broadcast(_, data) {
        messages.push(JSON.stringify(data))
        for (const listener of allListeners)
          if (!ownListeners.includes(listener)) listener(data as never)
      },
      onMessage(_, listener) {
        ownListeners.push(listener)
        allListeners.push(listener)
      },
      onNodeLost: () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    }
    const listeners = createListenerConnections({ membership, timers, onConnect: () => undefined })
    return { ...listeners, post: listeners.wrapTransport(NO_HTTP).post }
  }
  return { one: node(), two: node(), messages, timersDue }
}

function createStream(caller = 'user:ana') {
  const received: CallbackForListener[] = []
  let isDisconnected = false
  const stream: ListenerStream = {
    caller,
    mayAnswer: async () => true,
    ownsToken: async () => true,
    send: (callback) => void received.push(callback),
    disconnect() {
      isDisconnected = true
    },
  }
  return { ...stream, received, isDisconnected: () => isDisconnected }
}

/** Resolves after the access check, when a callback is sent. */
const accessChecked = () => new Promise<void>((resolve) => setImmediate(resolve))

function callback(deliveryId: string, type = 'meeting_status'): PostRequest {
  const headers = { 'x-service-delivery-id': deliveryId, 'x-service-event': type }
  const body = Buffer.from('{}')
  const to = { url: 'listen:dev', tokenId: 'token_ana' }
  return { ...to, headers, body, timeoutMs: 100, pool: 'healthy', connection: 'any' }
}

test('a listener name is parsed only from a listen: address', () => {
  assert.equal(parseListenerName('listen:dev-1.a_b'), 'dev-1.a_b')
  for (const url of ['listen:', 'listen://dev', 'listen:-a', 'http://listen:1/', 'Listen:dev']) {
    assert.equal(parseListenerName(url), null)
  }
})

test('the newest stream of a listener gets the callbacks, and the older one after it disconnects', async () => {
  const { one } = createNodes()
  const [older, newer] = [createStream(), createStream()]
  using _ = one.connect('dev', older)
  const second = one.connect('dev', newer)
  const first = one.post(callback('a'), NEVER)
  await accessChecked()
  assert.deepEqual([older.received.length, newer.received.length], [0, 1])
  one.reportAnswer('a', 'user:ana', ANSWER)
  assert.deepEqual(await first, { ...ANSWER, retryAfterMs: null })
  second[Symbol.dispose]()
  second[Symbol.dispose]()
  assert.deepEqual(one.addresses(), ['listen:dev'])
  void one.post(callback('b'), NEVER)
  await accessChecked()
  assert.equal(older.received[0]?.deliveryId, 'b')
})

test('no attempt is made on a node without the listener', async () => {
  const { one, two } = createNodes()
  using _ = two.connect('dev', createStream())
  await assert.rejects(one.post(callback('a'), NEVER), { name: 'ListenerNotConnectedError' })
  assert.deepEqual(one.addresses(), [])
})

test('a listener that may not answer for the meeting differs from one that is not connected', async () => {
  const { one } = createNodes()
  using _ = one.connect('dev', { ...createStream(), mayAnswer: async () => false })
  await assert.rejects(one.post(callback('a'), NEVER), { name: 'ListenerNotAllowedError' })
})

test('an answer counts only if the caller whose stream got the callback reports it, to any node', async () => {
  const { one, two } = createNodes()
  using _ = one.connect('dev', createStream('user:ana'))
  const posted = one.post(callback('a'), NEVER)
  await accessChecked()
  for (const node of [one, two]) node.reportAnswer('a', 'user:bob', { ...ANSWER, answer: 'forged' })
  two.reportAnswer('a', 'user:ana', ANSWER)
  assert.equal((await posted).answer, 'ok')
})

test('a test event goes only to a listener that owns the token which signs it', async () => {
  const { one } = createNodes()
  const ownsToken = async (tokenId: string) => tokenId === 'token_ana'
  const [owners, others] = [createStream(), createStream('user:bob')]
  const connectOthers = () => one.connect('dev', { ...others, ownsToken: async () => false })
  const first = connectOthers()
  const refused = one.post(callback('a', 'test'), NEVER)
  await accessChecked()
  assert.deepEqual(others.received, [])
  assert.equal((await refused).error, 'connection_refused')
  first[Symbol.dispose]()
  one.connect('dev', { ...owners, ownsToken, mayAnswer: async () => false })
  connectOthers()
  const posted = one.post(callback('b', 'test'), NEVER)
  await accessChecked()
  one.reportAnswer('b', 'user:ana', ANSWER)
  assert.equal((await posted).status, 200)
  assert.deepEqual(others.received, [])
})

test('a stream that closes during the check of its access gets no callback', async () => {
  const { one } = createNodes()
  const stream = createStream()
  const opened = one.connect('dev', stream)
  const posted = one.post(callback('a'), NEVER)
  opened[Symbol.dispose]()
  await assert.rejects(posted, { name: 'ListenerNotConnectedError' })
  assert.deepEqual(stream.received, [])
})

test('a callback fails when the stream it was sent to closes', async () => {
  const { one } = createNodes()
  const opened = one.connect('dev', createStream())
  const posted = one.post(callback('a'), NEVER)
  await accessChecked()
  opened[Symbol.dispose]()
  assert.partialDeepStrictEqual(await posted, { status: null, error: 'connection_reset' })
})

test('a listener that reports nothing in time is disconnected', async () => {
  const { one, timersDue } = createNodes()
  const stream = createStream()
  using _ = one.connect('dev', stream)
  const posted = one.post(callback('a'), NEVER)
  await accessChecked()
  const [[run, ms] = [() => undefined, 0]] = timersDue
  assert.ok(ms > 100, 'the timer is longer than the time limit of the receiver')
  run()
  assert.partialDeepStrictEqual(await posted, { status: null, error: 'timeout' })
  assert.equal(stream.isDisconnected(), true)
  assert.equal(timersDue.size, 0)
})

test('an aborted attempt stops waiting for the answer of the listener', async () => {
  const { one, timersDue } = createNodes()
  using _ = one.connect('dev', createStream())
  const abort = new AbortController()
  const posted = one.post(callback('a'), abort.signal)
  await accessChecked()
  abort.abort(new Error('aborted'))
  await assert.rejects(posted, /aborted/)
  assert.equal(timersDue.size, 0)
  await assert.rejects(one.post(callback('b'), abort.signal), /aborted/)
})

test('an answer reported to another node reaches the waiting node, short and storable', async () => {
  const { one, two, messages } = createNodes()
  using _ = one.connect('dev', createStream())
  const posted = one.post(callback('a'), NEVER)
  await accessChecked()
  two.reportAnswer('a', 'user:ana', { ...ANSWER, answer: `\0\ud800${'\u0001'.repeat(2_000)}` })
  const { status, answer } = await posted
  assert.equal(status, 200)
  assert.ok(answer.startsWith('\ufffd\ufffd\u0001') && answer.isWellFormed())
  assert.ok(Buffer.byteLength(messages[0] ?? '') < 7_500)
})

test('a refused lane is left alone until its time is over or another listener connects under its name', () => {
  let now = 0
  const refused = createRefusedLanes(() => now)
  refused.add({ id: 'one', url: 'listen:a' })
  now = 10_000
  refused.add({ id: 'two', url: 'listen:b' })
  refused.add({ id: 'three', url: 'listen:b' })
  assert.deepEqual(refused.listIds(), ['one', 'two', 'three'])
  now = 15_000
  assert.deepEqual(refused.listIds(), ['two', 'three'])
  refused.clear('listen:a')
  assert.deepEqual(refused.listIds(), ['two', 'three'])
  refused.clear('listen:b')
  assert.deepEqual(refused.listIds(), [])
})
