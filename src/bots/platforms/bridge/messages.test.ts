import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseNetworkHookMessage, parsePageWatcherMessage } from './messages.ts'

test('payloads that do not match a schema are rejected', () => {
  const strange = [
    '',
    'null',
    '{}',
    '["observation"]',
    '["observation",{"address":1}]',
    '["rows",[["id","speaker","text"]]]',
    `["rows",[["id","speaker",${JSON.stringify('x'.repeat(70_000))},false]]]`,
    '["participants","everybody"]',
    '["call","name","bytes"]',
    '["eval","name","text","x"]',
    '[[[[',
    '["soon",["unchanged"]]',
    '[null,["unchanged"]]',
  ]
  for (const payload of strange) {
    for (const given of [payload, `[17,${payload}]`]) {
      assert.equal(parsePageWatcherMessage(given), null, given.slice(0, 40))
      assert.equal(parseNetworkHookMessage(given), null, given.slice(0, 40))
    }
  }
})

test('each world of a page may send only its own message kinds', () => {
  assert.deepEqual(parsePageWatcherMessage('[17,["unchanged"]]'), {
    sentAtPageTimeMs: 17,
    message: { kind: 'unchanged' },
  })
  assert.equal(parseNetworkHookMessage('[17,["unchanged"]]'), null)
  const heard = parseNetworkHookMessage('[17.5,["channel","captions","bytes","AQI="]]')
  assert.deepEqual(heard, {
    sentAtPageTimeMs: 17.5,
    message: {
      kind: 'traffic',
      traffic: { via: 'channel', name: 'captions', data: new Uint8Array([1, 2]) },
    },
  })
  assert.equal(parsePageWatcherMessage('[17.5,["channel","captions","bytes","AQI="]]'), null)
})
