import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import {
  endFrame,
  NAMELESS_MRI,
  recognitionMessage,
  rosterFrame,
  speakersMessage,
  SUB_CODES,
  ticksSince1900,
} from '../../../../../stage/wire/microsoft-teams.ts'
import type { JoinRequest } from '../../platform.ts'
import { decodeMainChannelMessage } from './main-channel.ts'
import { decodeSocketFrame, toEndReasonOrHostEnded, type ConversationEnd } from './socket-frames.ts'
import { createMicrosoftTeamsWireReader } from './wire-reader.ts'

/** A message of January 2025 with a shortened speaker id. */
const SAMPLE =
  '{"version":"1.1","recognitionResults":[{"speechRecognitionServiceLatency":720.7131,"source":"Ai","duration":8400000,"userId":"8:guest:1565c9e6","id":"7dec128d-711a-4dca-9539-14bda6fac3f8/164","spokenLanguage":"en-us","trackLanguage":"en-us","text":"There\'s no","isFinal":false,"timestampAudioSent":39465874128118696}]}'
const STREAM = '7dec128d-711a-4dca-9539-14bda6fac3f8'
const PREFIX = Uint8Array.of(1, 0, 2, 0)

const bytes = (text: string) => Uint8Array.from(Buffer.from(text))
const READ = {
  isDecoded: true,
  value: {
    recognitions: [
      {
        speakerId: '8:guest:1565c9e6',
        stream: STREAM,
        count: 164,
        text: "There's no",
        isFinal: false,
        language: 'en-US',
        ticks: 39465874128118696,
      },
    ],
    speakers: null,
  },
}

test('a main channel sample is decoded compressed or not, with or without a prefix', () => {
  const [gzip, zlib] = [gzipSync(SAMPLE), deflateSync(SAMPLE)]
  const forms = [
    bytes(SAMPLE),
    Buffer.concat([PREFIX, bytes(SAMPLE)]),
    Buffer.concat([bytes('{['), bytes(SAMPLE)]),
    bytes(`${SAMPLE}\0\0`),
    gzip,
    zlib,
    Buffer.concat([PREFIX, gzip]),
    Buffer.concat([PREFIX, zlib]),
  ]
  for (const form of forms) assert.deepEqual(decodeMainChannelMessage(form), READ)
})

test('every recognition that the stage sends is decoded to the same text', () => {
  const anything = fc.record({
    mri: fc.uuid().map((id) => `8:orgid:${id}`),
    name: fc.string({ minLength: 1 }),
    streamId: fc.uuid(),
    count: fc.nat(),
    text: fc.string({ minLength: 1, unit: 'grapheme' }),
    isFinal: fc.boolean(),
    language: fc.constantFrom('en-US', 'de-DE'),
    startedAtMs: fc.integer({ min: 1, max: 4_000_000_000_000 }),
    durationMs: fc.nat(),
  })
  fc.assert(
    fc.property(anything, (said) => {
      const found = decodeMainChannelMessage(recognitionMessage(said))
      assert.ok(found.isDecoded)
      const [recognition] = found.value.recognitions
      assert.ok(recognition)
      const { ticks, ...rest } = recognition
      assert.deepEqual(rest, {
        speakerId: said.mri,
        speakerName: said.name,
        stream: said.streamId,
        count: said.count,
        text: said.text.toWellFormed(),
        isFinal: said.isFinal,
        language: said.language,
      })
      assert.equal(ticks, ticksSince1900(said.startedAtMs))
    }),
  )
})

test('the latest speakers are decoded, and main channel messages about other things are ignored', () => {
  const read = (value: object) => ({ isDecoded: true, value: { recognitions: [], ...value } })
  assert.deepEqual(decodeMainChannelMessage(speakersMessage([7, 3])), read({ speakers: [7, 3] }))
  assert.deepEqual(decodeMainChannelMessage(bytes('[{"type":"sr"}]')), read({ speakers: null }))
  assert.deepEqual(decodeMainChannelMessage(bytes('{"pong":1}')), read({ speakers: null }))
  const deep = '['.repeat(400_000) + ']'.repeat(400_000)
  assert.deepEqual(decodeMainChannelMessage(bytes(deep)), read({ speakers: null }))
})

test('main channel messages that cannot be decoded give the reason', () => {
  const cases: Array<[Uint8Array, string]> = [
    [bytes(SAMPLE.slice(0, -5)), 'malformed'],
    [bytes('['.repeat(900_000)), 'malformed'],
    [bytes(`[${' '.repeat(900_000)}x`), 'malformed'],
    [new Uint8Array(0), 'malformed'],
    [new Uint8Array(2_000_000), 'too large'],
    [gzipSync('['.repeat(50_000_000)), 'too large'],
    [gzipSync(SAMPLE).subarray(0, 60), 'cut off'],
    [bytes('{"recognitionResults":[{"speaker":"ana","words":"hello"}]}'), 'unknown'],
  ]
  for (const [given, why] of cases)
    assert.deepEqual(decodeMainChannelMessage(given), { isDecoded: false, why })
})

test('an invalid recognition does not affect the others in its message', () => {
  const given = JSON.parse(SAMPLE) as { recognitionResults: unknown[] }
  given.recognitionResults.unshift(null, { userId: 7 }, { userId: '8:a', text: '' })
  assert.deepEqual(decodeMainChannelMessage(bytes(JSON.stringify(given))), READ)
})

test('a roster frame is decoded with and without the newer nesting', () => {
  const people = [
    { mri: '8:orgid:ana', name: 'Ana Ribeiro', isHost: true, isPresent: true, sourceId: 1 },
    { mri: '8:guest:ben', name: 'Ben Okoye (Guest)', isHost: false, isPresent: false, sourceId: 2 },
    { mri: NAMELESS_MRI, name: '', isHost: false, isPresent: true, sourceId: 9 },
  ]
  const expected = {
    isDecoded: true,
    value: {
      kind: 'roster',
      callId: 'call-1',
      people: [
        {
          id: '8:orgid:ana',
          presence: 'here',
          name: 'Ana Ribeiro',
          isHost: true,
          audioSources: [1],
        },
        {
          id: '8:guest:ben',
          presence: 'gone',
          name: 'Ben Okoye (Guest)',
          isHost: false,
          audioSources: [2],
        },
        { id: NAMELESS_MRI, presence: 'here', isHost: false, audioSources: [9] },
      ],
    },
  }
  assert.deepEqual(decodeSocketFrame(rosterFrame('call-1', people)), expected)
  const participants = {
    '8:orgid:ana': { details: { displayName: 'Ana Ribeiro' }, state: 'active' },
    __proto__: null,
  }
  const body = deflateSync(JSON.stringify({ roster: { participants } })).toString('base64')
  const found = decodeSocketFrame(frame('/v4/f/x/rosterUpdate/?a=b', body))
  assert.deepEqual(found, {
    isDecoded: true,
    value: {
      kind: 'roster',
      callId: 'c',
      people: [{ id: '8:orgid:ana', presence: 'here', name: 'Ana Ribeiro' }],
    },
  })
})

test('the wire names the participant of a source, also after the source has changed', () => {
  const reader = createMicrosoftTeamsWireReader({ displayName: 'Notes Bot' } as JoinRequest)
  const speakerOf = (source: number) => reader.speakerIdOfSource?.(source) ?? null
  const receive = (data: string) => reader.read({ via: 'socket', name: 'host', data })
  const ana = { mri: '8:orgid:ana', name: 'Ana', isHost: true, isPresent: true, sourceId: 11 }
  assert.equal(speakerOf(11), null)
  receive(rosterFrame('c', [ana]))
  assert.equal(speakerOf(11), '8:orgid:ana')
  receive(rosterFrame('c', [{ ...ana, sourceId: 12 }]))
  assert.deepEqual([speakerOf(11), speakerOf(12)], [null, '8:orgid:ana'])
  const streams = [
    { type: 'audio', sourceId: '13' },
    { type: 'video', sourceId: 14 },
    { type: 'audio', sourceId: -1 },
    null,
  ]
  const participants = {
    '8:orgid:ana': { state: 'active' },
    '8:orgid:ben': {
      details: { displayName: 'Ben' },
      endpoints: { a: { call: { mediaStreams: streams } }, b: null, c: { call: {} } },
    },
  }
  receive(frame('/v4/f/x/rosterUpdate/', JSON.stringify({ participants })))
  assert.deepEqual([12, 13, 14].map(speakerOf), ['8:orgid:ana', '8:orgid:ben', null])
})

test('the end of a conversation is decoded with its reason', () => {
  const sender = { id: '8:orgid:ana', displayName: 'Ana' }
  const cases: Array<[Parameters<typeof endFrame>[1], string]> = [
    [{}, 'host_ended'],
    [{ subCode: 1 }, 'host_ended'],
    [{ subCode: SUB_CODES.denied, sender }, 'denied'],
    [{ subCode: SUB_CODES.removed, sender }, 'removed'],
    [{ subCode: SUB_CODES.removedOtherwise, sender }, 'removed'],
    [{ subCode: SUB_CODES.removed }, 'host_ended'],
    [{ subCode: SUB_CODES.signIn }, 'sign_in_required'],
  ]
  for (const [end, because] of cases)
    assert.equal(toEndReasonOrHostEnded(endIn(endFrame('c', end))), because)
  const packed = gzipSync(JSON.stringify({ subCode: 5854 })).toString('base64')
  const url = '/v4/f/x/conversation/conversationEnd/'
  assert.equal(toEndReasonOrHostEnded(endIn(frame(url, packed))), 'denied')
  assert.equal(toEndReasonOrHostEnded(endIn(frame(url, '{{'))), 'host_ended')
})

test('socket frames that are not about the call are ignored', () => {
  const other = { isDecoded: true, value: { kind: 'other' } }
  const frames = ['', '1::', '5:1::{"name":"ping"}', '3:::{"id":1}', '3:::[]', frame('/other/', '')]
  for (const text of frames) assert.deepEqual(decodeSocketFrame(text), other)
})

test('socket frames that cannot be decoded give the reason', () => {
  const bomb = gzipSync(new Uint8Array(60_000_000)).toString('base64')
  const cut = gzipSync('{"participants":{}}').subarray(0, 15).toString('base64')
  const cases: Array<[string, string]> = [
    ['3:::{', 'malformed'],
    [`3:::${' '.repeat(13_000_000)}`, 'too large'],
    [frame('/x/rosterUpdate/', bomb), 'too large'],
    [frame('/x/rosterUpdate/', cut), 'cut off'],
    [frame('/x/rosterUpdate/', '<html>'), 'malformed'],
    [frame('/x/rosterUpdate/', '{"people":[]}'), 'unknown'],
  ]
  for (const [text, why] of cases)
    assert.deepEqual(decodeSocketFrame(text), { isDecoded: false, why })
})

test('decoding hostile Microsoft Teams messages never throws', () => {
  fc.assert(
    fc.property(fc.json(), fc.uint8Array({ maxLength: 100 }), fc.nat(), (json, given, at) => {
      const damaged = bytes(SAMPLE)
      damaged[at % damaged.length] = given[0] ?? 0
      const packed = gzipSync(damaged)
      packed[at % packed.length] = given[1] ?? 0
      const results = bytes(`{"recognitionResults":[${json}]}`)
      for (const message of [given, damaged, packed, bytes(json), results]) {
        assert.ok('isDecoded' in decodeMainChannelMessage(message))
      }
      const body = Buffer.from(given).toString('base64')
      const texts = [`3:::${json}`, frame('/rosterUpdate/', json), frame('/rosterUpdate/', body)]
      const roster = frame('/rosterUpdate/', `{"participants":{"x":${json}}}`)
      const end = frame('/conversation/conversationEnd/', json)
      for (const text of [...texts, roster, end]) assert.ok('isDecoded' in decodeSocketFrame(text))
    }),
  )
})

function frame(url: string, body: string): string {
  return `3:::${JSON.stringify({ url, headers: { 'x-microsoft-skype-chain-id': 'c' }, body })}`
}

function endIn(text: string): ConversationEnd {
  const found = decodeSocketFrame(text)
  assert.ok(found.isDecoded && found.value.kind === 'end')
  return found.value.end
}
