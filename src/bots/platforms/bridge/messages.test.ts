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

test('sound is decoded to samples, and sound outside its limits is rejected', () => {
  const base64 = Buffer.from(Int16Array.of(1, -2, 32_767).buffer).toString('base64')
  const valid = ['sound', 3, [1_001, 4_294_967_295], base64, 220.5, true]
  assert.deepEqual(parseNetworkHookMessage(JSON.stringify([17, valid]))?.message, {
    kind: 'sound',
    sound: {
      track: 3,
      sources: [1_001, 4_294_967_295],
      samples: Int16Array.of(1, -2, 32_767),
      ageMs: 220.5,
      isEnd: true,
    },
  })
  assert.equal(parsePageWatcherMessage(JSON.stringify([17, valid])), null)
  const changes: Array<[index: number, value: unknown]> = [
    [1, -1],
    [1, 1.5],
    [2, 'Ana'],
    [2, [-1]],
    [2, Array.from({ length: 17 }, () => 1)],
    [3, Buffer.alloc(64_004).toString('base64')],
    [3, '<html>'],
    [4, -1],
    [4, 1e9],
    [5, 'no'],
  ]
  for (const [index, value] of changes) {
    const payload = JSON.stringify([17, valid.with(index, value as string)])
    assert.equal(parseNetworkHookMessage(payload), null, payload.slice(0, 60))
  }
})
