import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { captionMessage, captionV2Message } from '../../../../../stage/wire/google-meet.ts'
import { decodeCaptions, decodeCaptionsV2 } from './decode-captions.ts'

const DEVICE = 'spaces/x/devices/7'
const HEX = Buffer.from(DEVICE).toString('hex')
const CAPTION = {
  deviceId: DEVICE,
  utteranceId: 5,
  version: 2,
  text: 'Hi',
  language: 'en-US',
  isFinal: true,
}
const TOLD = { speakerId: DEVICE, version: 2, isFinal: true, text: 'Hi', language: 'en-US' }
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

const CAPTIONS = fc.record({
  deviceId: fc.nat().map((n) => `spaces/AbC-_9/devices/${n}`),
  utteranceId: fc.maxSafeNat(),
  version: fc.maxSafeNat(),
  text: fc.string({ minLength: 1, unit: 'grapheme' }),
  language: fc.constantFrom('en-US', 'de-DE', 'hu-HU', 'ar-EG'),
  isFinal: fc.boolean(),
})

test('Google Meet captions are decoded in both formats and at both nesting levels', () => {
  const older = decodeCaptions(bytes(`0a20 0a12${HEX} 1005 1802 2001 32024869 4001`))
  assert.deepEqual(older, {
    isDecoded: true,
    value: [{ captionId: `${DEVICE}/captions/5`, channel: 'captions', ...TOLD }],
  })
  const inner = `08051002 1a28 1a024869 2205656e2d5553 2a05656e2d5553 3212${HEX} 4801`
  for (const hex of [`0a2e ${inner}`, `0a30 0a2e ${inner}`]) {
    assert.deepEqual(decodeCaptionsV2(bytes(hex)), {
      isDecoded: true,
      value: [{ captionId: `${DEVICE}/captions_v2/5`, channel: 'captions_v2', ...TOLD }],
    })
  }
})

test('every caption that the stage sends is decoded to the same text', () => {
  fc.assert(
    fc.property(CAPTIONS, fc.constantFrom(1 as const, 2 as const), (caption, wrappers) => {
      const { deviceId: speakerId, utteranceId, version, text, language, isFinal } = caption
      const fields = { speakerId, version, text: text.toWellFormed(), language, isFinal }
      const older = decodeCaptions(captionMessage(caption))
      const captionId = `${speakerId}/captions/${utteranceId}`
      assert.deepEqual(older, {
        isDecoded: true,
        value: [{ captionId, channel: 'captions', ...fields }],
      })
      const newer = decodeCaptionsV2(captionV2Message(caption, wrappers))
      const newerId = `${speakerId}/captions_v2/${utteranceId}`
      assert.deepEqual(newer, {
        isDecoded: true,
        value: [{ captionId: newerId, channel: 'captions_v2', ...fields }],
      })
    }),
  )
})

test('a compressed Google Meet caption is decoded, also after three leading bytes', () => {
  const plain = decodeCaptions(captionMessage(CAPTION))
  const packed = gzipSync(captionMessage(CAPTION))
  assert.deepEqual(decodeCaptions(packed), plain)
  assert.deepEqual(decodeCaptions(Buffer.concat([bytes('000000'), packed])), plain)
})

test('an internal message of the caption channel gives no caption and no error', () => {
  assert.deepEqual(decodeCaptions(bytes('12020801')), { isDecoded: true, value: [] })
})

test('an omitted number is decoded as zero', () => {
  const hex = `0a1a 0a12${HEX} 32024869 4001`
  assert.deepEqual(decodeCaptions(bytes(hex)), {
    isDecoded: true,
    value: [
      {
        ...TOLD,
        captionId: `${DEVICE}/captions/0`,
        channel: 'captions',
        version: 0,
        isFinal: false,
      },
    ],
  })
  const newer = decodeCaptionsV2(bytes(`0a1a 1a18 1a024869 3212${HEX}`))
  assert.ok(newer.isDecoded)
  assert.equal(newer.value[0]?.captionId, `${DEVICE}/captions_v2/0`)
})

test('fields with types that captions do not use are skipped', () => {
  // Field 15 has eight bytes, field 14 four bytes, field 13 a number.
  const more = '79 0102030405060708 75 01020304 68 05'
  const found = decodeCaptions(bytes(`0a30 0a12${HEX} 1005 1802 2001 32024869 4001 ${more}`))
  assert.ok(found.isDecoded)
  assert.equal(found.value[0]?.text, 'Hi')
})

test('a 64-bit utterance number is exact in the caption id', () => {
  const body = `1a28 1a024869 2205656e2d5553 2a05656e2d5553 3212${HEX} 4801`
  const found = decodeCaptionsV2(bytes(`0a37 08ffffffffffffffffff01 1002 ${body}`))
  assert.ok(found.isDecoded)
  assert.equal(found.value[0]?.captionId, `${DEVICE}/captions_v2/${2n ** 64n - 1n}`)
})

test('captions that cannot be decoded give the reason', () => {
  const whole = captionMessage(CAPTION)
  const cases: Array<[Uint8Array, string]> = [
    [whole.subarray(0, 20), 'cut off'],
    [bytes('0b'), 'malformed'],
    [bytes('00'), 'malformed'],
    [bytes(`0a${'ff'.repeat(11)}`), 'malformed'],
    [bytes('0a020801'), 'unknown'],
    [new Uint8Array(0), 'unknown'],
    [new Uint8Array(1_000_000), 'too large'],
    [gzipSync(new Uint8Array(50_000_000)), 'too large'],
    [gzipSync(whole).subarray(0, 20), 'cut off'],
    [captionMessage({ ...CAPTION, deviceId: 'x'.repeat(500) }), 'unknown'],
  ]
  for (const [given, why] of cases) {
    assert.deepEqual(decodeCaptions(given), { isDecoded: false, why })
  }
})

test('decoding hostile bytes of a caption channel never throws', () => {
  const damaged = fc
    .tuple(CAPTIONS, fc.nat(), fc.nat({ max: 255 }), fc.boolean())
    .map(([caption, at, byte, isNewer]) => {
      const message = isNewer ? captionV2Message(caption, 2) : captionMessage(caption)
      const changed = Uint8Array.from(message)
      changed[at % changed.length] = byte
      return changed
    })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), (given) => {
      for (const reading of [decodeCaptions(given), decodeCaptionsV2(given)]) {
        assert.ok(reading.isDecoded || reading.why !== undefined)
      }
      const packed = gzipSync(given)
      packed[packed.length >> 1] = given[0] ?? 0
      assert.ok('isDecoded' in decodeCaptions(packed))
    }),
  )
})

test('a message with thousands of nesting levels is decoded only as deep as captions', () => {
  let nested = new Uint8Array(0)
  for (let i = 0; i < 2_000; i += 1) {
    const length: number[] = []
    for (let rest = nested.length; ; rest >>= 7) {
      if (rest < 0x80) {
        length.push(rest)
        break
      }
      length.push((rest & 0x7f) + 0x80)
    }
    nested = Uint8Array.from([0x0a, ...length, ...nested])
  }
  assert.deepEqual(decodeCaptionsV2(nested), { isDecoded: false, why: 'unknown' })
})
