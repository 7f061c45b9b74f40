import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSegmenter, type Segment } from '../../../meetings/captions/segmenter.ts'
import {
  captionMessage,
  captionV2Message,
  collectionsMessage,
  type WireUser,
} from '../../../../stage/wire/google-meet.ts'
import { recognitionMessage } from '../../../../stage/wire/microsoft-teams.ts'
import { decodeCaptions, decodeCaptionsV2 } from '../google-meet/wire/decode-captions.ts'
import { decodeRosterChanges } from '../google-meet/wire/decode-roster.ts'
import { decodeMainChannel } from '../microsoft-teams/wire/main-channel.ts'
import { createUtteranceTracker } from '../microsoft-teams/wire/utterances.ts'
import type { Caption } from '../platform.ts'
import type { WireCaption } from './wire-types.ts'
import { createWireRoster } from './wire-roster.ts'
import type { DecodeResult } from './decode-result.ts'
import { createSpeakerResolver } from './speaker-resolver.ts'

function valueOf<T>(reading: DecodeResult<T>): T {
  assert.ok(reading.isDecoded)
  return reading.value
}

/** From bytes to segments, with the time in our hands. */
function createListener() {
  const people = createWireRoster()
  const speakers = createSpeakerResolver(people)
  const segmenter = createSegmenter({ selfNames: ['Hansard'] })
  const segments: Segment[] = []
  function take(captions: readonly Caption[], at: number): void {
    for (const caption of captions) segments.push(...segmenter.addCaption(caption, at).segments)
  }
  return {
    hear(captions: readonly WireCaption[], at: number) {
      for (const caption of captions) take(speakers.resolve(caption, at), at)
    },
    meet(bytes: Uint8Array, at: number) {
      people.applyChanges(valueOf(decodeRosterChanges(bytes)))
      take(speakers.releaseWaiting(at), at)
    },
    end(at: number) {
      take(speakers.releaseWaiting(at), at)
      segments.push(...segmenter.flush(at).segments)
      return segments.map(({ speaker, text }) => `${speaker}: ${text}`)
    },
  }
}

function user(n: number, name: string): WireUser {
  const deviceId = `spaces/x/devices/${n}`
  return { deviceId, name, avatar: '', status: 'inCall', isSelf: false, isHost: false }
}

test('captions on both channels of Google Meet are said once, by people whose names come later', () => {
  const listener = createListener()
  const drafts = ['So two', 'So two plus two', 'So 2 + 2 is 4.']
  for (const [i, text] of drafts.entries()) {
    const isFinal = i === drafts.length - 1
    const caption = { deviceId: 'spaces/x/devices/1', utteranceId: 5, version: i + 1, text }
    const message = { ...caption, language: 'en-US', isFinal }
    const newer = captionV2Message({ ...message, utteranceId: 77 }, 2)
    listener.hear(valueOf(decodeCaptions(captionMessage(message))), i * 330)
    listener.hear(valueOf(decodeCaptionsV2(newer)).captions, i * 330 + 20)
    // Nobody acknowledged it, so it came again.
    listener.hear(valueOf(decodeCaptionsV2(newer)).captions, i * 330 + 25)
  }
  listener.meet(collectionsMessage({ eventNumber: 1, users: [user(1, 'Ana Ribeiro')] }), 700)
  assert.deepEqual(listener.end(10_000), ['Ana Ribeiro: So 2 + 2 is 4.'])
})

/** How Google Meet's captions have been seen to grow and to be corrected. */
const TRACES: ReadonlyArray<readonly string[]> = [
  [
    'End.',
    'Endurance.',
    'Endurance training.',
    'Endurance training. End.',
    'Endurance training. Endurance.',
  ],
  ["Okay. Now I'm", "okay, now I'm gonna continue speaking."],
  ["What's 2 plus 2?", "What's 2 + 2?"],
]

test('captions of Google Meet that are corrected while they grow end as their last version', () => {
  for (const trace of TRACES) {
    const listener = createListener()
    listener.meet(collectionsMessage({ eventNumber: 1, users: [user(1, 'Ana')] }), 0)
    for (const [i, text] of trace.entries()) {
      const who = { deviceId: 'spaces/x/devices/1', utteranceId: 1, language: 'en-US' }
      const isFinal = i === trace.length - 1
      const bytes = captionV2Message({ ...who, version: i + 1, text, isFinal }, 1)
      listener.hear(valueOf(decodeCaptionsV2(bytes)).captions, i * 330)
    }
    assert.deepEqual(listener.end(9_000), [`Ana: ${trace.at(-1)}`])
  }
})

test('two people of one name in Google Meet who speak at once keep their words apart', () => {
  const listener = createListener()
  const users = [user(1, 'Ana'), user(2, 'Ana')]
  listener.meet(collectionsMessage({ eventNumber: 1, users }), 0)
  const say = (n: number, text: string, version: number, isFinal: boolean) => {
    const who = { deviceId: `spaces/x/devices/${n}`, utteranceId: n, language: 'en-US' }
    const bytes = captionMessage({ ...who, version, text, isFinal })
    listener.hear(valueOf(decodeCaptions(bytes)), version * 330 + n)
  }
  say(1, 'I would', 1, false)
  say(2, 'No we', 1, false)
  say(1, 'I would say yes.', 2, true)
  say(2, 'No we cannot.', 2, true)
  assert.deepEqual(listener.end(9_000), ['Ana: I would say yes.', 'Ana: No we cannot.'])
})

test('utterances of Microsoft Teams are said once each, in their order', () => {
  const listener = createListener()
  const utterances = createUtteranceTracker()
  const said: Array<[name: string, text: string, isFinal: boolean, startedAtMs: number]> = [
    ['Ana', "there's no", false, 1_000],
    ['Ben', 'are you', false, 1_500],
    ['Ana', "There's no problem.", true, 1_000],
    ['Ben', 'Are you sure?', true, 1_500],
    ['Ana', 'yes', false, 4_000],
    ['Ana', 'Yes.', true, 4_000],
    ['Ana', 'yes', false, 6_000],
    ['Ana', 'Yes.', true, 6_000],
  ]
  for (const [count, [name, text, isFinal, startedAtMs]] of said.entries()) {
    const stream = { streamId: 'guid', count, language: 'en-US', durationMs: 500 }
    const who = { mri: `8:orgid:${name}`, name }
    const bytes = recognitionMessage({ ...stream, ...who, text, isFinal, startedAtMs })
    for (const recognition of valueOf(decodeMainChannel(bytes)).recognitions) {
      const caption = utterances.track(recognition)
      if (caption !== null) listener.hear([caption], count * 1_000)
    }
  }
  assert.deepEqual(listener.end(20_000), [
    "Ana: There's no problem.",
    'Ben: Are you sure?',
    'Ana: Yes.',
    'Ana: Yes.',
  ])
})
