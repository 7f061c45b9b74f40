import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { RecognizedUtterance } from '../../../src/bots/platforms/speech/recognition.ts'
import { readTones, speakTones } from './tone-language.ts'
import { createToneRecognition } from './tone-recognition.ts'

const EVERY_WORD =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa'

test('every word of tones is read, also when it is quiet or clipped', () => {
  assert.equal(readTones(speakTones(EVERY_WORD).samples), EVERY_WORD)
  for (const amplitude of [0.05, 3]) {
    assert.equal(readTones(speakTones(EVERY_WORD, { amplitude }).samples), EVERY_WORD)
  }
  assert.equal(readTones(new Int16Array(16_000)), '')
})

test('a pause, the end of a voice and the end of a session end an utterance', async () => {
  const heard: RecognizedUtterance[] = []
  const recognition = createToneRecognition()
  await using session = recognition.openSession({
    language: 'en-US',
    onUtterance: (utterance) => heard.push(utterance),
    onLoss: () => undefined,
  })
  const { samples } = speakTones('alpha kilo')
  session.addSound({ voice: 'ana', startsAt: 1_000, samples: samples.subarray(0, 3_000) })
  session.addSound({ voice: 'ana', startsAt: 1_187.5, samples: samples.subarray(3_000) })
  session.addSound({ voice: 'ben', startsAt: 1_000, samples: speakTones('papa').samples })
  session.addSound({ voice: 'ana', startsAt: 9_000, samples: speakTones('mike').samples })
  session.endVoice('ben')
  assert.ok(session.isBusy())
  await session.finish()
  assert.ok(!session.isBusy())
  assert.deepEqual(
    heard.map(({ voice, text }) => [voice, text]),
    [
      ['ana', 'alpha kilo'],
      ['ben', 'papa'],
      ['ana', 'mike'],
    ],
  )
  assert.ok(Math.abs((heard[0]?.startedAt ?? 0) - 1_000) < 5)
  assert.ok(Math.abs((heard[0]?.endedAt ?? 0) - 1_340) < 5)
})
