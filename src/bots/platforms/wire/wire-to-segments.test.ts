import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  captionMessage,
  captionV2Message,
  collectionsMessage,
  type WireUser,
} from '../../../../stage/wire/google-meet.ts'
import { recognitionMessage } from '../../../../stage/wire/microsoft-teams.ts'
import { createSegmenter } from '../../../meetings/captions/segmenter.ts'
import type { CaptionSegment } from '../../../meetings/captions/turns/segments.ts'
import { decodeCaptions, decodeCaptionsV2 } from '../google-meet/wire/decode-captions.ts'
import { decodeCollectionsRoot, decodeRosterChanges } from '../google-meet/wire/decode-roster.ts'
import {
  decodeMainChannelMessage,
  createUtteranceTracker,
} from '../microsoft-teams/wire/main-channel.ts'
import type { Caption } from '../platform.ts'
import type { DecodeResult } from './decoding.ts'
import { createCaptionSpeakerResolver } from './speaker-resolver.ts'
import { createWireRoster } from './wire-roster.ts'
import type { WireCaption } from './wire-types.ts'

function valueOf<T>(reading: DecodeResult<T>): T {
  assert.ok(reading.isDecoded)
  return reading.value
}

/** Decodes bytes into segments with a simulated clock. */
function createListener() {
  const people = createWireRoster()
  const speakers = createCaptionSpeakerResolver(people)
  const segmenter = createSegmenter({ selfNames: ['Hansard'] })
  const segments: CaptionSegment[] = []
  function take(captions: readonly Caption[], at: number): void {
    for (const caption of captions) segments.push(...segmenter.addCaption(caption, at).segments)
  }
  return {
    addCaptions(captions: readonly WireCaption[], at: number) {
      for (const caption of captions) take(speakers.resolve(caption, at), at)
    },
    meet(bytes: Uint8Array, at: number) {
      people.applyChanges(valueOf(decodeRosterChanges(valueOf(decodeCollectionsRoot(bytes)))))
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

test('captions on both Google Meet channels become one segment, with names that arrive later', () => {
  const listener = createListener()
  const drafts = ['So two', 'So two plus two', 'So 2 + 2 is 4.']
  for (const [i, text] of drafts.entries()) {
    const isFinal = i === drafts.length - 1
    const caption = { deviceId: 'spaces/x/devices/1', utteranceId: 5, version: i + 1, text }
    const message = { ...caption, language: 'en-US', isFinal }
    const newer = captionV2Message({ ...message, utteranceId: 77 }, 2)
    listener.addCaptions(valueOf(decodeCaptions(captionMessage(message))), i * 330)
    listener.addCaptions(valueOf(decodeCaptionsV2(newer)), i * 330 + 20)
    // Without an acknowledgement, the server sends the message again.
    listener.addCaptions(valueOf(decodeCaptionsV2(newer)), i * 330 + 25)
  }
  listener.meet(collectionsMessage({ eventNumber: 1, users: [user(1, 'Ana Ribeiro')] }), 700)
  assert.deepEqual(listener.end(10_000), ['Ana Ribeiro: So 2 + 2 is 4.'])
})

/** Real sequences of Google Meet captions that grow and are corrected. */
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

test('a Google Meet caption that is corrected while it grows ends as its last version', () => {
  for (const trace of TRACES) {
    const listener = createListener()
    listener.meet(collectionsMessage({ eventNumber: 1, users: [user(1, 'Ana')] }), 0)
    for (const [i, text] of trace.entries()) {
      const who = { deviceId: 'spaces/x/devices/1', utteranceId: 1, language: 'en-US' }
      const isFinal = i === trace.length - 1
      const bytes = captionV2Message({ ...who, version: i + 1, text, isFinal }, 1)
      listener.addCaptions(valueOf(decodeCaptionsV2(bytes)), i * 330)
    }
    assert.deepEqual(listener.end(9_000), [`Ana: ${trace.at(-1)}`])
  }
})

test('two Google Meet participants with the same name who speak at the same time have separate segments', () => {
  const listener = createListener()
  const users = [user(1, 'Ana'), user(2, 'Ana')]
  listener.meet(collectionsMessage({ eventNumber: 1, users }), 0)
  const say = (n: number, text: string, version: number, isFinal: boolean) => {
    const who = { deviceId: `spaces/x/devices/${n}`, utteranceId: n, language: 'en-US' }
    const bytes = captionMessage({ ...who, version, text, isFinal })
    listener.addCaptions(valueOf(decodeCaptions(bytes)), version * 330 + n)
  }
  say(1, 'I would', 1, false)
  say(2, 'No we', 1, false)
  say(1, 'I would say yes.', 2, true)
  say(2, 'No we cannot.', 2, true)
  assert.deepEqual(listener.end(9_000), ['Ana: I would say yes.', 'Ana: No we cannot.'])
})

test('each Microsoft Teams utterance becomes one segment, in order', () => {
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
    for (const recognition of valueOf(decodeMainChannelMessage(bytes)).recognitions) {
      const caption = utterances.track(recognition)
      if (caption !== null) listener.addCaptions([caption], count * 1_000)
    }
  }
  assert.deepEqual(listener.end(20_000), [
    "Ana: There's no problem.",
    'Ben: Are you sure?',
    'Ana: Yes.',
    'Ana: Yes.',
  ])
})
