import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import type { Timers } from '../../lib/time/timers.ts'
import {
  createListeners,
  listenerName,
  type ListenedCallback,
  type ListenerStream,
} from './listeners.ts'
import type { PostRequest, Transport } from '../network/transport.ts'

const NEVER = new AbortController().signal
const ANSWER = { status: 200, error: null, answer: 'ok', durationMs: 3 }
const NO_HTTP: Transport = {
  post: () => Promise.reject(new Error('not for a listener')),
  [Symbol.asyncDispose]: async () => undefined,
}

/** Two nodes that hear each other's calls, under timers that the test sets off. */
function openNodes() {
  type Listener = (data: never) => void
  const hearing: Listener[] = []
  const calls: string[] = []
  const due = new Map<() => void, number>()
  const timers: Timers = {
    now: () => 0,
    after(ms, run) {
      due.set(run, ms)
      return () => void due.delete(run)
    },
  }
  const node = () => {
    const here: Listener[] = []
    const presence: NodeMembership = {
      nodeId: 'node',
      isOnlyNode: () => false,
      broadcast(_, data) {
        calls.push(JSON.stringify(data))
        for (const listener of hearing) if (!here.includes(listener)) listener(data as never)
      },
      onMessage(_, listener) {
        here.push(listener)
        hearing.push(listener)
      },
      onNodeLost: () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    }
    const listeners = createListeners({ presence, timers, onOpen: () => undefined })
    return { ...listeners, post: listeners.wrapTransport(NO_HTTP).post }
  }
  return { one: node(), two: node(), calls, due }
}

function stream() {
  const handed: ListenedCallback[] = []
  let isDropped = false
  const way: ListenerStream = {
    send: (given) => void handed.push(given),
    disconnect() {
      isDropped = true
    },
  }
  return { ...way, handed, isDropped: () => isDropped }
}

function callback(deliveryId: string): PostRequest {
  const headers = { 'x-service-delivery-id': deliveryId, 'x-service-event': 'meeting_status' }
  return { url: 'listen:dev', headers, body: Buffer.from('{}'), timeoutMs: 100, pool: 'healthy' }
}

test('the name of a listener is what follows listen: and nothing else is one', () => {
  assert.equal(listenerName('listen:dev-1.a_b'), 'dev-1.a_b')
  for (const url of ['listen:', 'listen://dev', 'listen:-a', 'http://listen:1/', 'Listen:dev']) {
    assert.equal(listenerName(url), null)
  }
})

test('the newest stream of a name is handed the callbacks, and the one before once it is gone', async () => {
  const { one } = openNodes()
  const [older, newer] = [stream(), stream()]
  using _ = one.connect('dev', older)
  const second = one.connect('dev', newer)
  const first = one.post(callback('a'), NEVER)
  assert.deepEqual([older.handed.length, newer.handed.length], [0, 1])
  one.reportAnswer('a', ANSWER)
  assert.deepEqual(await first, { ...ANSWER, retryAfterMs: null })
  second[Symbol.dispose]()
  second[Symbol.dispose]()
  assert.deepEqual(one.addresses(), ['listen:dev'])
  void one.post(callback('b'), NEVER)
  assert.equal(older.handed[0]?.deliveryId, 'b')
})

test('where nobody listens no attempt is made', async () => {
  const { one, two } = openNodes()
  using _ = two.connect('dev', stream())
  await assert.rejects(one.post(callback('a'), NEVER), { name: 'NoListenerError' })
  assert.deepEqual(one.addresses(), [])
})

test('a callback is lost with the stream that it was handed to', async () => {
  const { one } = openNodes()
  const opened = one.connect('dev', stream())
  const posted = one.post(callback('a'), NEVER)
  opened[Symbol.dispose]()
  assert.partialDeepStrictEqual(await posted, { status: null, error: 'connection_reset' })
})

test('a stream on which not even a failure is reported in time is dropped', async () => {
  const { one, due } = openNodes()
  const way = stream()
  using _ = one.connect('dev', way)
  const posted = one.post(callback('a'), NEVER)
  const [[run, ms] = [() => undefined, 0]] = due
  assert.ok(ms > 100, 'later than the receiver has to answer')
  run()
  assert.partialDeepStrictEqual(await posted, { status: null, error: 'timeout' })
  assert.equal(way.isDropped(), true)
  assert.equal(due.size, 0)
})

test('who gives an attempt up does not wait for its answer', async () => {
  const { one, due } = openNodes()
  using _ = one.connect('dev', stream())
  const giving = new AbortController()
  const posted = one.post(callback('a'), giving.signal)
  giving.abort(new Error('enough'))
  await assert.rejects(posted, /enough/)
  assert.equal(due.size, 0)
  await assert.rejects(one.post(callback('b'), giving.signal), /enough/)
})

test('an answer that comes in elsewhere is called over, in a form that any store takes', async () => {
  const { one, two, calls } = openNodes()
  using _ = one.connect('dev', stream())
  const posted = one.post(callback('a'), NEVER)
  two.reportAnswer('a', { ...ANSWER, answer: `\0\ud800${'\u0001'.repeat(2_000)}` })
  const { status, answer } = await posted
  assert.equal(status, 200)
  assert.ok(answer.startsWith('\ufffd\ufffd\u0001') && answer.isWellFormed())
  assert.ok(Buffer.byteLength(calls[0] ?? '') < 7_500)
})
