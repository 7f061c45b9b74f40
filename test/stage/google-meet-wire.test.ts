import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import {
  captionMessage,
  captionV2Message,
  collectionsMessage,
  encodeRoster,
  encodeOwnDevice,
  readAcknowledgement,
  readLanguageUpdate,
  readLanguageRequest,
  sessionAcknowledgement,
} from '../../stage/wire/google-meet.ts'
import { decode, encode, numberAt, textAt, valueAt } from '../../stage/wire/protobuf.ts'
import { acknowledgement } from '../../stage/pages/google-meet/wire/acknowledge.js'
import { fixPropertySeed } from '../support/property-seed.ts'

fixPropertySeed()

const CAPTION = {
  deviceId: 'spaces/x/devices/7',
  utteranceId: 5,
  version: 2,
  text: 'Hi',
  language: 'en-US',
  isFinal: true,
}
const DEVICE = Buffer.from('spaces/x/devices/7').toString('hex')
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

test('a final caption has the bytes of the older layout with the final mark', () => {
  assert.equal(hex(captionMessage(CAPTION)), `0a200a12${DEVICE}100518022001320248694001`)
})

test('a growing caption has no final field in the older layout, not even a zero', () => {
  const growing = captionMessage({ ...CAPTION, isFinal: false })
  assert.equal(hex(growing), `0a1e0a12${DEVICE}10051802320248694001`)
})

test('a caption has the bytes of the newer layout at both depths', () => {
  const inner =
    `08051002 1a28 1a024869 2205656e2d5553 2a05656e2d5553 3212${DEVICE} 4801`.replaceAll(' ', '')
  assert.equal(hex(captionV2Message(CAPTION, 1)), `0a2e${inner}`)
  assert.equal(hex(captionV2Message(CAPTION, 2)), `0a300a2e${inner}`)
})

test('the acknowledgement of a newer-layout caption is readable at both depths', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat({ max: 1_000_000 }), fc.string(), (utteranceId, version, text) => {
      for (const wrappers of [1, 2] as const) {
        const message = captionV2Message({ ...CAPTION, utteranceId, version, text }, wrappers)
        const answer = acknowledgement(Uint8Array.from(message).buffer)
        assert.ok(answer)
        assert.deepEqual(readAcknowledgement(answer), { id: utteranceId, version })
      }
    }),
  )
})

test('decoding an encoded message returns its fields', () => {
  fc.assert(
    fc.property(fc.nat(), fc.string(), fc.uint8Array(), (number, text, raw) => {
      const message = encode([
        [1, number],
        [2, text],
        [3, raw],
        [4, [[5, [[6, true]]]]],
      ])
      assert.equal(numberAt(message, 1), number)
      assert.equal(textAt(message, 2), text)
      assert.deepEqual(Buffer.from(valueAt(message, 3) as Uint8Array), Buffer.from(raw))
      assert.equal(numberAt(message, 4, 5, 6), 1)
    }),
  )
})

test('bytes that are not a message decode to null', () => {
  for (const nonsense of ['ff', '0a05', '0d00000000', '08'])
    assert.equal(decode(bytes(nonsense)), null)
})

test('numbers of more than 32 bits are encoded and decoded exactly', () => {
  assert.equal(numberAt(encode([[1, 1_789_000_000_000]]), 1), 1_789_000_000_000)
})

const USER = {
  deviceId: 'spaces/x/devices/7',
  name: 'Ana Ribeiro',
  avatar: 'https://lh3.googleusercontent.com/a/ana',
  status: 'inCall',
  isSelf: false,
  isHost: true,
} as const

test('a roster change is gzipped and has the fields of the user', () => {
  const packed = collectionsMessage({
    eventNumber: 3,
    users: [USER, { ...USER, status: 'removed', isSelf: true, isHost: false, parentDeviceId: 'p' }],
    chats: [{ messageId: 'spaces/x/messages/1', deviceId: USER.deviceId, atMs: 5, text: 'hello' }],
    streams: [{ streamId: 1_001, deviceId: USER.deviceId }],
  })
  assert.equal(hex(packed.subarray(0, 3)), '1f8b08')
  const plain = gunzipSync(packed)
  assert.equal(numberAt(plain, 1, 2, 13, 1, 1, 1), 3)
  const [first, second] = decode(valueAt(plain, 1, 2, 13, 1) as Uint8Array)?.get(2) ?? []
  assert.ok(first instanceof Uint8Array && second instanceof Uint8Array)
  assert.deepEqual(
    [textAt(first, 1), textAt(first, 2), numberAt(first, 4), textAt(first, 7), textAt(first, 21)],
    [USER.deviceId, USER.name, 1, undefined, undefined],
  )
  assert.deepEqual([textAt(first, 29), numberAt(first, 34)], [USER.name, 1])
  assert.deepEqual(
    [numberAt(second, 4), textAt(second, 21), numberAt(second, 34)],
    [7, 'p', undefined],
  )
  assert.notEqual(textAt(second, 7), undefined)
  assert.equal(textAt(plain, 1, 2, 13, 4, 2, 5, 1), 'hello')
  const stream = valueAt(plain, 1, 2, 3, 2) as Uint8Array
  assert.deepEqual(
    [numberAt(stream, 2), textAt(stream, 4), textAt(stream, 6)],
    [1, '1001', USER.deviceId],
  )
})

test('the HTTP responses for the roster and the device are base64', () => {
  const roster = Buffer.from(encodeRoster([USER]), 'base64')
  assert.equal(textAt(roster, 2, 2, 2, 2), 'Ana Ribeiro')
  const device = Buffer.from(encodeOwnDevice('spaces/x/devices/9', 2), 'base64')
  assert.deepEqual([textAt(device, 1), numberAt(device, 36)], ['spaces/x/devices/9', 2])
  assert.equal(numberAt(Buffer.from(encodeOwnDevice('d', 0), 'base64'), 36), undefined)
})

test('a language request is read from the channel and from HTTP, and acknowledged by its number', () => {
  const config = [
    9,
    [
      [1, 'de-DE'],
      [2, 'de-DE'],
    ],
  ] as const
  const wish = encode([
    [
      1,
      [
        [
          2,
          [
            [1, 4],
            [
              3,
              [
                [1, [config]],
                [2, [[1, 'client_config.caption_config']]],
              ],
            ],
          ],
        ],
      ],
    ],
  ])
  assert.deepEqual(readLanguageRequest(wish), { operation: 4, language: 'de-DE' })
  assert.equal(hex(sessionAcknowledgement(4)), '0a060a0410041801')
  assert.equal(
    readLanguageUpdate(
      encode([
        [
          1,
          [
            [1, 'mediasessions/m'],
            [3, [config]],
          ],
        ],
      ]),
    ),
    'de-DE',
  )
  assert.equal(readLanguageRequest(bytes('0a00')), null)
})
