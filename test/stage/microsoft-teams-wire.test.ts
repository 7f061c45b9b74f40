import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import {
  endFrame,
  recognitionMessage,
  rosterFrame,
  speakersMessage,
  ticksSince1900,
} from '../../stage/wire/microsoft-teams.ts'

/** Parses from the first bracket that starts valid JSON, as readers do. */
function jsonIn(message: Uint8Array): unknown {
  const text = new TextDecoder().decode(message)
  assert.ok(message[0] !== 0x5b && message[0] !== 0x7b, 'there is something before the JSON')
  return JSON.parse(text.slice(text.search(/[[{]/)))
}

test('a recognition on the main channel has a short prefix and the fields of the sample', () => {
  const startedAtMs = Date.parse('2025-01-23T02:16:52.811Z')
  const message = recognitionMessage({
    mri: '8:guest:1565c9e6',
    name: 'Ana Ribeiro',
    streamId: '7dec128d-711a-4dca-9539-14bda6fac3f8',
    count: 164,
    text: "There's no",
    isFinal: false,
    language: 'en-US',
    startedAtMs,
    durationMs: 840,
  })
  const { version, recognitionResults } = jsonIn(message) as {
    version: string
    recognitionResults: Array<Record<string, unknown>>
  }
  assert.equal(version, '1.1')
  assert.partialDeepStrictEqual(recognitionResults[0], {
    source: 'Ai',
    duration: 8_400_000,
    userId: '8:guest:1565c9e6',
    id: '7dec128d-711a-4dca-9539-14bda6fac3f8/164',
    spokenLanguage: 'en-us',
    trackLanguage: 'en-us',
    text: "There's no",
    isFinal: false,
  })
  const ticks = Number(recognitionResults[0]?.['timestampAudioSent'])
  assert.equal(Math.round((ticks / 1e7 - 2_208_988_800) * 1_000), startedAtMs)
  assert.equal(
    new Date((39_465_874_128_118_696 / 1e7 - 2_208_988_800) * 1_000).getUTCFullYear(),
    2025,
  )
  assert.equal(ticksSince1900(-2_208_988_800_000), 0)
})

test('the recent speakers are an array on the main channel', () => {
  assert.deepEqual(jsonIn(speakersMessage([1_002, 1_001])), [
    { type: 'dsh', history: [1_002, 1_001] },
  ])
})

test('socket frames name their call, and only a roster is gzipped', () => {
  const person = {
    mri: '8:orgid:1',
    name: 'Ana Ribeiro',
    isHost: true,
    isPresent: false,
    sourceId: 1_001,
  }
  const roster = rosterFrame('call-1', [person])
  assert.equal(roster.slice(0, 4), '3:::')
  const { url, headers, body } = JSON.parse(roster.slice(4)) as {
    url: string
    headers: unknown
    body: string
  }
  assert.match(url, /rosterUpdate\/$/)
  assert.deepEqual(headers, { 'X-Microsoft-Skype-Chain-ID': 'call-1' })
  const { participants } = JSON.parse(gunzipSync(Buffer.from(body, 'base64')).toString()) as {
    participants: Record<string, unknown>
  }
  assert.partialDeepStrictEqual(participants['8:orgid:1'], {
    details: { id: '8:orgid:1', displayName: 'Ana Ribeiro' },
    state: 'inactive',
    meetingRole: 'organizer',
  })
  const end = JSON.parse(endFrame('call-1', { subCode: 5854 }).slice(4)) as Record<string, string>
  assert.match(end['url'] ?? '', /conversation\/conversationEnd\/$/)
  assert.deepEqual(JSON.parse(end['body'] ?? ''), { subCode: 5854 })
})
