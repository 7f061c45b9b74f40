import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readHeard, readWatched } from './messages.ts'

test('what none of our scripts sends is no message', () => {
  const strange = [
    '',
    'null',
    '{}',
    '["look"]',
    '["look",{"address":1}]',
    '["rows",[["id","speaker","text"]]]',
    `["rows",[["id","speaker",${JSON.stringify('x'.repeat(70_000))},false]]]`,
    '["people","everybody"]',
    '["call","name","bytes"]',
    '["eval","name","text","x"]',
    '[[[[',
  ]
  for (const payload of strange) {
    assert.equal(readWatched(payload), null, payload.slice(0, 40))
    assert.equal(readHeard(payload), null, payload.slice(0, 40))
  }
})

test('each world of a page is believed only what is its own to tell', () => {
  assert.deepEqual(readWatched('["same"]'), { kind: 'same' })
  assert.equal(readHeard('["same"]'), null)
  const heard = readHeard('["channel","captions","bytes","AQI="]')
  assert.deepEqual(heard, {
    kind: 'heard',
    heard: { via: 'channel', name: 'captions', data: new Uint8Array([1, 2]) },
  })
  assert.equal(readWatched('["channel","captions","bytes","AQI="]'), null)
})
