import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { toUtteranceCaption } from './recognition.ts'

const UTTERANCE = {
  voice: 'v',
  text: 'Good morning.',
  startedAt: 1_000,
  endedAt: 2_500,
  incompleteReason: null,
}

test('an utterance becomes a final caption with the ages of its first and last sound', () => {
  assert.deepEqual(
    toUtteranceCaption(UTTERANCE, { captionId: 'a/speech-1', speaker: 'Ana', now: 4_000 }),
    {
      captionId: 'a/speech-1',
      speaker: 'Ana',
      text: 'Good morning.',
      isFinal: true,
      isNewSpeech: true,
      isFromSpeech: true,
      isOtherParticipant: true,
      late: { startedMs: 3_000, changedMs: 1_500 },
    },
  )
})

test('an utterance that ends in the future, by an inexact clock, is not late', () => {
  const { late } = toUtteranceCaption(UTTERANCE, { captionId: 'a', speaker: 'Ana', now: 500 })
  assert.deepEqual(late, { startedMs: 0, changedMs: 0 })
})

test('a caption says that words are missing', () => {
  const utterance = { ...UTTERANCE, incompleteReason: 'The machine could not keep up' }
  const { isIncomplete } = toUtteranceCaption(utterance, { captionId: 'a', speaker: '', now: 0 })
  assert.equal(isIncomplete, true)
})
