import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { recognizeUtterance } from './voice-listener.ts'

function recognizeWith(texts: readonly string[], durationMs: number) {
  const lengths: number[] = []
  const engine = {
    createDetector: () => ({ isSpeech: () => true, reset: () => undefined }),
    recognize(samples: Int16Array) {
      lengths.push(samples.length / 16)
      return texts[lengths.length - 1] ?? ''
    },
  }
  const samples = new Int16Array(durationMs * 16)
  const sound = { samples, startedAt: 0, endedAt: durationMs, from: 0, to: samples.length }
  return { text: recognizeUtterance(engine, sound), lengths }
}

test('an utterance for which the model writes nothing is recognized again with silence around it', () => {
  assert.deepEqual(recognizeWith(['', 'We had everything before us'], 3_000), {
    text: 'We had everything before us',
    lengths: [3_000, 3_200],
  })
  assert.deepEqual(recognizeWith(['', '', ''], 3_000), { text: '', lengths: [3_000, 3_200, 3_500] })
})

test('a text of normal length, and a very short sound, are recognized once', () => {
  assert.deepEqual(recognizeWith(['ask not what'], 3_000).lengths, [3_000])
  assert.deepEqual(recognizeWith([''], 300).lengths, [300])
})

test('a longer text that nobody can say in that time is not preferred', () => {
  assert.equal(recognizeWith(['so', 'so '.repeat(90), 'so it is'], 3_000).text, 'so it is')
})
