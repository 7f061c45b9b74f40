import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { recognizeUtterance } from './voice-listener.ts'

function recognizeWith(texts: readonly string[], durationMs: number, silenceMs = 500) {
  const lengths: number[] = []
  const engine = {
    createDetector: () => ({ isSpeech: () => true, reset: () => undefined }),
    recognize(samples: Int16Array) {
      lengths.push(samples.length / 16)
      return texts[lengths.length - 1] ?? ''
    },
  }
  const samples = new Int16Array((durationMs + silenceMs) * 16)
  const sound = { samples, startedAt: 0, endedAt: durationMs, from: 0, to: samples.length }
  return { text: recognizeUtterance(engine, sound), lengths }
}

test('an utterance for which the model writes nothing is recognized again with other lengths of silence around it', () => {
  assert.deepEqual(recognizeWith(['', 'We had everything before us'], 3_000), {
    text: 'We had everything before us',
    lengths: [3_500, 3_300],
  })
  assert.deepEqual(recognizeWith([], 3_000), {
    text: '',
    lengths: [3_500, 3_300, 3_200, 3_300, 3_700],
  })
  // Speech is not cut off.
  assert.deepEqual(recognizeWith([], 3_000, 100).lengths, [3_100, 3_300])
})

test('a text of normal length, and a very short sound, are recognized once', () => {
  assert.deepEqual(recognizeWith(['ask not what'], 3_000).lengths, [3_500])
  assert.deepEqual(recognizeWith([''], 300).lengths, [800])
})

test('a longer text that nobody can say in that time is not preferred', () => {
  assert.equal(recognizeWith(['so', 'so '.repeat(90), 'so it is'], 3_000).text, 'so it is')
})
