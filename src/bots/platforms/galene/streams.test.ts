import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { InjectedScriptError } from '../bridge/bridge.ts'
import { createStreams } from './streams.ts'

const offer = (id: string, sdp = 'sdp', replace = '') => ({
  type: 'offer' as const,
  id,
  sdp,
  replace,
  source: 'a',
  username: 'Ana',
})
const candidate = (id: string, text: string) => ({
  type: 'ice' as const,
  id,
  candidate: { candidate: text },
})

/** Streams with a page that records what it is asked, and answers when the test says so. */
function openStreams() {
  const calls: string[] = []
  const sent: string[] = []
  const closed: string[] = []
  const timers: Array<() => void> = []
  const clock = { now: 0 }
  const streams = createStreams({
    page: {
      async answer(key, sdp) {
        calls.push(`answer ${key} ${sdp}`)
        await setImmediate()
        if (sdp === 'bad') throw new InjectedScriptError('bad')
        return `answer to ${sdp}`
      },
      addCandidate(key, given) {
        calls.push(`candidate ${key} ${given.candidate}`)
        return given.candidate === 'bad'
          ? Promise.reject(new InjectedScriptError('bad'))
          : Promise.resolve()
      },
      close: (key) => Promise.resolve(void calls.push(`close ${key}`)),
    },
    timers: {
      now: () => clock.now,
      after(_, run) {
        timers.push(run)
        return () => void (timers.includes(run) && timers.splice(timers.indexOf(run), 1))
      },
    },
    send(message) {
      const { type, id, sdp = '' } = message as { type: string; id: string; sdp?: string }
      sent.push(`${type} ${id} ${sdp}`.trim())
    },
    iceServers: () => Promise.resolve([]),
    onClosed: (key) => closed.push(key),
    onError: (error) => assert.fail(String(error)),
  })
  const settle = async () => {
    for (let round = 0; round < 10; round += 1) await setImmediate()
    return { calls: calls.splice(0), sent: sent.splice(0), closed: closed.splice(0) }
  }
  return { streams, settle, timers, clock }
}

test('offers and candidates of a stream reach the page in order, and only the newest waiting offer', async () => {
  const { streams, settle } = openStreams()
  assert.equal(streams.takeOffer(offer('s', 'first')), 'stream-1')
  assert.equal(streams.takeOffer(offer('s', 'second')), 'stream-1')
  assert.equal(streams.takeOffer(offer('s', 'third')), 'stream-1')
  streams.takeCandidate(candidate('s', 'bad'))
  streams.takeCandidate(candidate('s', 'good'))
  streams.takeCandidate(candidate('other', 'x'))
  assert.deepEqual(await settle(), {
    calls: [
      'answer stream-1 first',
      'answer stream-1 third',
      'candidate stream-1 bad',
      'candidate stream-1 good',
    ],
    sent: ['answer s answer to first', 'answer s answer to third'],
    closed: [],
  })
})

test('a stream that ends or is replaced is closed, and its id can be used again', async () => {
  const { streams, settle } = openStreams()
  streams.takeOffer(offer('s'))
  streams.close('s')
  streams.close('s')
  assert.equal(streams.takeOffer(offer('s')), 'stream-2')
  await settle()
  assert.equal(streams.takeOffer(offer('t', 'sdp', 's')), 'stream-3')
  const { calls, closed } = await settle()
  assert.deepEqual(closed, ['stream-2'])
  assert.deepEqual(calls.toSorted(), ['answer stream-3 sdp', 'close stream-2'])
})

test('an offer that the browser refuses is aborted, and so are more streams than a group has', async () => {
  const { streams, settle } = openStreams()
  streams.takeOffer(offer('s', 'bad'))
  const refused = await settle()
  assert.deepEqual([refused.sent, refused.closed], [['abort s'], ['stream-1']])
  for (let index = 0; index < 100; index += 1) streams.takeOffer(offer(`s${index}`))
  assert.equal(streams.takeOffer(offer('more')), null)
  for (let index = 0; index < 1_000; index += 1) streams.takeCandidate(candidate('s0', 'x'))
  const { sent, calls } = await settle()
  assert.ok(sent.includes('abort more'))
  assert.equal(calls.filter((call) => call.startsWith('candidate')).length, 50)
})

test('a failed stream is asked for again, but not endlessly', async () => {
  const { streams, settle, timers } = openStreams()
  streams.takeOffer(offer('s'))
  await settle()
  for (let round = 0; round < 10; round += 1) {
    streams.setState('stream-1', 'failed')
    timers.splice(0).forEach((run) => run())
  }
  assert.deepEqual((await settle()).sent, Array(5).fill('renegotiate s'))
})

test('streams that fail, or do not connect in time, cannot be heard', () => {
  const { streams, clock } = openStreams()
  assert.equal(streams.areAllFailed(), false)
  streams.takeOffer(offer('s'))
  streams.takeOffer(offer('t'))
  streams.setState('stream-1', 'failed')
  assert.equal(streams.areAllFailed(), false)
  clock.now = 15_000
  assert.equal(streams.areAllFailed(), true)
  streams.setState('stream-2', 'connected')
  clock.now = 60_000
  assert.deepEqual([streams.areAllFailed(), streams.isAnyConnected()], [false, true])
})

test('closed streams leave no timer behind, and disposed streams start nothing', async () => {
  const { streams, settle, timers } = openStreams()
  for (const id of ['s', 't', 'u']) streams.takeOffer(offer(id))
  await settle()
  for (const key of ['stream-1', 'stream-2']) streams.setState(key, 'failed')
  assert.equal(timers.length, 2)
  streams.close('s')
  assert.equal(timers.length, 1)
  streams.takeOffer(offer('u', 'another'))
  streams[Symbol.dispose]()
  assert.equal(timers.length, 0)
  assert.equal(streams.takeOffer(offer('v')), null)
  streams.setState('stream-4', 'failed')
  assert.equal(timers.length, 0)
  assert.deepEqual((await settle()).sent, [])
})
