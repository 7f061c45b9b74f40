import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { PlatformEvent } from '../platform.ts'
import type { SpeechRecognition, SpeechSessionOptions, VoiceSound } from '../speech/recognition.ts'
import type { SpeechMode } from '../speech/speech-mode.ts'
import { createWireRoster } from '../wire/wire-roster.ts'
import { createSpeechListener } from './speech-listener.ts'
import { SESSION_TIMEOUTS } from './timeouts.ts'

const OFF = { areOn: false, areProven: false, areInWrongLanguage: false, lastCaptionAt: -Infinity }
const ON = { ...OFF, areOn: true, areProven: true }

/** A listener whose speech recognition the test simulates. The sources 1 and 2 belong to Ana and to the bot. */
function openListener(mode: SpeechMode, obstacle: string | null = null) {
  const clock = { now: 0 }
  const events: PlatformEvent[] = []
  const sounds: VoiceSound[] = []
  const hearing: boolean[] = []
  let session: SpeechSessionOptions | null = null
  const roster = createWireRoster()
  roster.applyChanges([
    { id: 'ana', presence: 'here', name: 'Ana' },
    { id: 'bot', presence: 'here', name: 'Hansard', isSelf: true },
  ])
  const recognition: SpeechRecognition = {
    findObstacle: async () => obstacle,
    openSession(options) {
      session = options
      return {
        addSound: (sound) => void sounds.push(sound),
        endVoice: () => undefined,
        isBusy: () => false,
        finish: async () => undefined,
        [Symbol.asyncDispose]: async () => undefined,
      }
    },
  }
  const listener = createSpeechListener({
    recognition,
    mode,
    language: null,
    platformTitle: 'Google Meet',
    reader: {
      roster,
      read: () => ({}),
      speakerIdOfSource: (source) => ['ana', 'bot'][source - 1] ?? null,
    },
    idPrefix: 'session',
    wasAdmittedBefore: false,
    setHearing: async (isOn) => (hearing.push(isOn), true),
    timeouts: SESSION_TIMEOUTS,
    spokenLanguage: () => null,
    emit: (event) => void events.push(event),
    now: () => clock.now,
  })
  return {
    listener,
    roster,
    clock,
    hearing,
    sounds,
    hear: (source: number) =>
      listener.addSound(
        { track: 1, sources: [source], samples: new Int16Array(16_000), ageMs: 1_000, isEnd: true },
        clock.now,
      ),
    say: (voice: string, text: string) =>
      session?.onUtterance({ voice, text, startedAt: 0, endedAt: 0, incompleteReason: null }),
    lose: (lostMs: number) =>
      session?.onLoss({ lostMs, reason: 'The machine is too slow', startedAt: 0, endedAt: lostMs }),
    /** What was emitted since the last call. */
    take: () =>
      events
        .splice(0)
        .map((event) =>
          event.kind === 'caption'
            ? `${event.speaker}: ${event.text}`
            : event.kind === 'caption problem'
              ? `${event.code}: ${event.detail}`
              : event.kind === 'speech lost'
                ? `${event.kind}: ${event.detail} ${event.startedMs - event.endedMs} ms`
                : event.kind,
        ),
  }
}

test('an utterance gets the name that its speaker has at its end, and the bot is not heard', async () => {
  const { listener, roster, sounds, hear, say, take } = openListener('always')
  await listener.start()
  await listener.update(OFF)
  hear(1)
  hear(2)
  assert.deepEqual([...new Set(sounds.map(({ voice }) => voice))], ['participant:ana'])
  say('participant:ana', 'I am still called Ana.')
  roster.applyChanges([{ id: 'ana', presence: 'here', name: 'Ana Ribeiro' }])
  say('participant:ana', 'Now I have another name.')
  assert.deepEqual(take(), ['Ana: I am still called Ana.', 'Ana Ribeiro: Now I have another name.'])
})

test('what was heard while captions were turned on is dropped when they are on', async () => {
  const { listener, hearing, say, take } = openListener('fallback')
  await listener.start()
  await listener.update(OFF)
  say('participant:ana', 'The captions have this too.')
  await listener.update(ON)
  await listener.finish()
  assert.deepEqual(take(), [])
  assert.deepEqual(hearing, [true, false])
})

test('words that were heard shortly before the end are recorded when captions did not return', async () => {
  const { listener, say, take } = openListener('fallback')
  await listener.start()
  await listener.update(OFF)
  say('participant:ana', 'Good bye.')
  await listener.finish()
  assert.deepEqual(take(), ['Ana: Good bye.'])
})

test('lost speech is reported with its length, reason and time', async () => {
  const { listener, clock, lose, take } = openListener('always')
  await listener.update(OFF)
  clock.now = 20_000
  lose(12_400)
  assert.deepEqual(take(), [
    'speech lost: 12 s of speech are not in the transcript. The machine is too slow 12400 ms',
  ])
})

test('an obstacle is reported only when captions stay away', async () => {
  const { listener, clock, hearing, take } = openListener('fallback', 'Nothing is installed')
  await listener.start()
  await listener.update(OFF)
  assert.deepEqual(take(), [])
  assert.equal(listener.isAvailable(), false)
  clock.now = SESSION_TIMEOUTS.firstCaptionsMs
  await listener.update(OFF)
  await listener.update(OFF)
  assert.deepEqual(take(), ['speech_unavailable: Nothing is installed'])
  assert.deepEqual(hearing, [])
})

test('without speech the listener hears nothing', async () => {
  const { listener, hearing, take } = openListener('off')
  await listener.start()
  await listener.update(OFF)
  await listener.finish()
  assert.deepEqual([hearing, take()], [[], []])
  assert.equal(listener.obstacle(), null)
})
