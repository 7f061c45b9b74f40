import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  decodeNodeMessage,
  encodeNodeMessage,
  createMessageOutbox,
  splitMessages,
} from './node-messages.ts'

test('a node message is decoded as it was sent', () => {
  const text = encodeNodeMessage('node_a', 'events_stored', { meetingIds: ['mtg_1', 'mtg_2'] })
  assert.deepEqual(decodeNodeMessage(text), {
    from: 'node_a',
    kind: 'events_stored',
    data: { meetingIds: ['mtg_1', 'mtg_2'] },
  })
})

test('a node message of an unknown kind or shape is ignored, never thrown', () => {
  const texts = [
    '',
    'node_a {"news":["mtg_1"]}',
    '{}',
    'null',
    '{"from":"node_a","kind":"constructor","data":{}}',
    '{"from":"node_a","kind":"moon_phase","data":{}}',
    '{"from":"node_a","kind":"events_stored","data":{"meetingIds":"mtg_1"}}',
    '{"from":7,"kind":"tasks_changed","data":{}}',
  ]
  for (const text of texts) assert.equal(decodeNodeMessage(text), null, text)
})

function openOutbox(windowMs: number) {
  const sent: string[][] = []
  const outbox = createMessageOutbox((messages) => sent.push(splitMessages(messages)), windowMs)
  return { sent, outbox, [Symbol.dispose]: () => outbox[Symbol.dispose]() }
}

test('the first message is sent at once, those that follow together, and a later one at once again', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  using opened = openOutbox(50)
  for (const message of ['a', 'b', 'c']) opened.outbox.add(message)
  assert.deepEqual(opened.sent, [['a']])
  t.mock.timers.tick(50)
  assert.deepEqual(opened.sent, [['a'], ['b', 'c']])
  opened.outbox.add('d')
  t.mock.timers.tick(50)
  t.mock.timers.tick(50)
  opened.outbox.add('e')
  assert.deepEqual(opened.sent, [['a'], ['b', 'c'], ['d'], ['e']])
})

test('a notification is never longer than PostgreSQL allows; a message that is too long is dropped', () => {
  using opened = openOutbox(60_000)
  const message = 'é'.repeat(1_000)
  opened.outbox.add('first')
  for (let i = 0; i < 7; i += 1) opened.outbox.add(message)
  opened.outbox.add('é'.repeat(4_000))
  opened.outbox[Symbol.dispose]()
  assert.deepEqual(
    opened.sent.map((messages) => messages.length),
    [1, 3, 3, 1],
  )
  for (const messages of opened.sent) assert.ok(Buffer.byteLength(messages.join('\n')) < 8_000)
})

test('messages that wait are sent when the outbox is closed, and none afterwards', () => {
  const opened = openOutbox(60_000)
  for (const message of ['a', 'b']) opened.outbox.add(message)
  opened.outbox[Symbol.dispose]()
  opened.outbox.add('c')
  assert.deepEqual(opened.sent, [['a'], ['b']])
})
