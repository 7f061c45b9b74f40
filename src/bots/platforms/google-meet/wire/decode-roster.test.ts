import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import {
  collectionsMessage,
  encodeRoster,
  encodeOwnDevice,
  type WireUser,
} from '../../../../../stage/wire/google-meet.ts'
import { decodeCollectionsRoot, decodeRosterChanges, decodeFullRoster } from './decode-roster.ts'
import { createGoogleMeetWireReader, decodeOwnDevice } from './wire-reader.ts'

const ANA: WireUser = {
  deviceId: 'spaces/x/devices/1',
  name: 'Ana Ribeiro',
  avatar: 'https://lh3.googleusercontent.com/a/ana',
  status: 'inCall',
  isSelf: false,
  isHost: true,
}
const BOT: WireUser = { ...ANA, deviceId: 'spaces/x/devices/2', name: 'Hansard', isSelf: true }
const SCREEN: WireUser = {
  ...ANA,
  deviceId: 'spaces/x/devices/3',
  parentDeviceId: 'spaces/x/devices/1',
  isHost: false,
}
const READ = [
  { id: 'spaces/x/devices/1', presence: 'here', name: 'Ana Ribeiro', isHost: true },
  { id: 'spaces/x/devices/2', presence: 'here', name: 'Hansard', isHost: true, isSelf: true },
  {
    id: 'spaces/x/devices/3',
    presence: 'here',
    name: 'Ana Ribeiro',
    parentId: 'spaces/x/devices/1',
  },
]

function readChanges(message: Uint8Array) {
  const root = decodeCollectionsRoot(message)
  return root.isDecoded ? decodeRosterChanges(root.value) : root
}

test('Google Meet participants are decoded from the data channel and from the full roster', () => {
  const users = [ANA, BOT, SCREEN]
  const message = collectionsMessage({ eventNumber: 1, users })
  assert.deepEqual(readChanges(message), { isDecoded: true, value: READ })
  assert.deepEqual(decodeFullRoster(encodeRoster(users)), { isDecoded: true, value: READ })
})

test('a roster change is decoded with every compression', () => {
  const message = collectionsMessage({ eventNumber: 1, users: [ANA] })
  const plain = gunzipSync(message)
  const expected = readChanges(message)
  const forms = [plain, deflateSync(plain), Buffer.concat([Uint8Array.of(1, 2, 3), message])]
  for (const form of forms) assert.deepEqual(readChanges(form), expected)
})

test('participants who left and participants who were removed are distinguished', () => {
  const users: WireUser[] = [
    { ...ANA, status: 'gone' },
    { ...BOT, status: 'removed' },
  ]
  const found = readChanges(collectionsMessage({ eventNumber: 9, users }))
  assert.ok(found.isDecoded)
  assert.deepEqual(
    found.value.map(({ presence }) => presence),
    ['gone', 'removed'],
  )
})

test('messages about chat or streams change no participant', () => {
  const chats = [{ messageId: 'm', deviceId: ANA.deviceId, atMs: 1, text: 'hello' }]
  const streams = [{ streamId: 4, deviceId: ANA.deviceId }]
  const message = collectionsMessage({ eventNumber: 2, chats, streams })
  assert.deepEqual(readChanges(message), { isDecoded: true, value: [] })
})

test('the wire names the device of a source, also after the source went to another device', () => {
  const reader = createGoogleMeetWireReader()
  const speakerOf = (source: number) => reader.speakerIdOfSource?.(source) ?? null
  const receive = (streams: Parameters<typeof collectionsMessage>[0]['streams'] = []) =>
    reader.read({
      via: 'channel',
      name: 'collections',
      data: collectionsMessage({ eventNumber: 1, streams }),
    })
  receive([
    { streamId: 4_294_967_295, deviceId: ANA.deviceId },
    { streamId: 5, deviceId: BOT.deviceId, isVideo: true },
    { streamId: 6, deviceId: BOT.deviceId, isDisabled: true },
  ])
  assert.deepEqual([4_294_967_295, 5, 6, 7].map(speakerOf), [
    ANA.deviceId,
    null,
    BOT.deviceId,
    null,
  ])
  receive([{ streamId: 6, deviceId: ANA.deviceId }])
  receive()
  assert.equal(speakerOf(6), ANA.deviceId)
})

test('an empty full roster is rejected', () => {
  assert.deepEqual(decodeFullRoster(encodeRoster([])), { isDecoded: false, why: 'unknown' })
  assert.deepEqual(decodeFullRoster(''), { isDecoded: false, why: 'unknown' })
  assert.deepEqual(decodeFullRoster('<html>'), { isDecoded: false, why: 'malformed' })
  assert.deepEqual(decodeFullRoster('A'.repeat(9_000_000)), { isDecoded: false, why: 'too large' })
})

test('a roster that decompresses to too many bytes is rejected', () => {
  const bomb = gzipSync(new Uint8Array(60_000_000))
  assert.deepEqual(readChanges(bomb), { isDecoded: false, why: 'too large' })
  // Data that was compressed twice is decompressed only once.
  assert.equal(readChanges(gzipSync(bomb)).isDecoded, false)
})

test('decoding hostile Google Meet rosters never throws', () => {
  const whole = gunzipSync(collectionsMessage({ eventNumber: 3, users: [ANA, BOT] }))
  const damaged = fc.tuple(fc.nat(), fc.nat({ max: 255 })).map(([at, byte]) => {
    const changed = Uint8Array.from(whole)
    changed[at % changed.length] = byte
    return changed
  })
  fc.assert(
    fc.property(
      fc.oneof(damaged, fc.uint8Array({ maxLength: 100 })),
      fc.string(),
      (given, text) => {
        for (const body of [text, Buffer.from(given).toString('base64')]) {
          assert.ok('isDecoded' in decodeFullRoster(body))
          assert.ok('isDecoded' in decodeOwnDevice(body))
        }
        assert.ok('isDecoded' in readChanges(given))
      },
    ),
  )
})

test("the own device is decoded, with the platform's suspicion of an automated client", () => {
  const deviceId = 'spaces/stage/devices/12'
  for (const suspicion of [0, 2]) {
    assert.deepEqual(decodeOwnDevice(encodeOwnDevice(deviceId, suspicion)), {
      isDecoded: true,
      value: { deviceId, isFlaggedAsBot: suspicion > 0 },
    })
  }
  // The device id at another position of the response: in field 1 of field 3.
  const elsewhere = Buffer.from(`\x1a\x19\x0a\x17${deviceId}`, 'latin1').toString('base64')
  assert.deepEqual(decodeOwnDevice(elsewhere), {
    isDecoded: true,
    value: { deviceId, isFlaggedAsBot: false },
  })
})
