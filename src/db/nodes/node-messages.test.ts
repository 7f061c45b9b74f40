import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { decodeNodeMessage, encodeNodeMessage } from './node-messages.ts'

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
