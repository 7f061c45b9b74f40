import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type RecognizerMessage, createUtteranceTracker } from './main-channel.ts'

let count = 0

function heard(text: string, more: Partial<RecognizerMessage> = {}): RecognizerMessage {
  count += 1
  const speaker = { speakerId: '8:orgid:ana', stream: 'guid', count }
  return { ...speaker, text, isFinal: false, language: 'en-US', ticks: 100, ...more }
}

test('an utterance has one id and increasing versions until its final message', () => {
  const utterances = createUtteranceTracker()
  const first = utterances.track(heard("there's no"))
  const last = utterances.track(heard("There's no problem.", { isFinal: true }))
  assert.deepEqual(first, {
    captionId: '8:orgid:ana/100',
    speakerId: '8:orgid:ana',
    text: "there's no",
    version: 1,
    isFinal: false,
    language: 'en-US',
  })
  assert.partialDeepStrictEqual(last, { captionId: first?.captionId, version: 2, isFinal: true })
  const next = utterances.track(heard('Next', { ticks: 200 }))
  assert.partialDeepStrictEqual(next, { captionId: '8:orgid:ana/200', version: 1, isFinal: false })
})

test('people who speak at the same time have separate utterances', () => {
  const utterances = createUtteranceTracker()
  const ana = utterances.track(heard('hello'))
  const ben = utterances.track(heard('hello', { speakerId: '8:orgid:ben' }))
  const again = utterances.track(heard('hello everybody'))
  assert.notEqual(ana?.captionId, ben?.captionId)
  assert.equal(ana?.captionId, again?.captionId)
})

test('a changing start time does not split an utterance', () => {
  const utterances = createUtteranceTracker()
  const ids = ['so two', 'So 2 plus', 'So 2 + 2 is 4.'].map(
    (text, i) => utterances.track(heard(text, { ticks: 100 + i }))?.captionId,
  )
  assert.equal(new Set(ids).size, 1)
})

test('a different text with a different start time begins a new utterance, even without a final message', () => {
  const utterances = createUtteranceTracker()
  const first = utterances.track(heard('The budget is fine'))
  const second = utterances.track(heard('what about travel', { ticks: 300 }))
  assert.notEqual(first?.captionId, second?.captionId)
})

test('a final version that arrives after the next utterance has begun keeps its utterance id', () => {
  const utterances = createUtteranceTracker()
  const captions = [
    heard('the budget'),
    heard('what about', { ticks: 300 }),
    heard('The budget is fine.', { isFinal: true }),
    heard('what about travel', { ticks: 300 }),
  ].map((recognition) => utterances.track(recognition))
  assert.deepEqual(
    captions.map((caption) => [caption?.captionId, caption?.version, caption?.isFinal]),
    [
      ['8:orgid:ana/100', 1, false],
      ['8:orgid:ana/300', 1, false],
      ['8:orgid:ana/100', 2, true],
      ['8:orgid:ana/300', 2, false],
    ],
  )
})

test('without start times an utterance lasts until its final message', () => {
  const utterances = createUtteranceTracker()
  const first = utterances.track(heard('one', { ticks: null }))
  const last = utterances.track(heard('One two.', { ticks: null, isFinal: true }))
  const next = utterances.track(heard('One two.', { ticks: null }))
  assert.equal(first?.captionId, last?.captionId)
  assert.notEqual(next?.captionId, last?.captionId)
})

test('repeated and outdated recognitions are ignored', () => {
  const utterances = createUtteranceTracker()
  const early = heard('early')
  const late = heard('early bird')
  assert.equal(utterances.track(late)?.version, 1)
  assert.equal(utterances.track(early), null)
  assert.equal(utterances.track(late), null)
  // A restarted recognizer counts from the beginning.
  assert.equal(utterances.track({ ...late, stream: 'other', count: 1 })?.version, 2)
})

test('a correction after the final message belongs to the same utterance', () => {
  const utterances = createUtteranceTracker()
  const last = utterances.track(heard('Done.', { isFinal: true }))
  const more = utterances.track(heard('Done!'))
  assert.partialDeepStrictEqual(more, { captionId: last?.captionId, isFinal: true })
})

test('for any number of speakers and messages, ids stay short and no text or final mark is lost', () => {
  const recognition = fc.record({
    speakerId: fc.string({ minLength: 1, maxLength: 120 }),
    stream: fc.string({ maxLength: 120 }),
    count: fc.integer({ min: -1, max: 1e14 }),
    text: fc.string({ minLength: 1 }),
    isFinal: fc.boolean(),
    language: fc.constant(null),
    ticks: fc.option(fc.double({ min: 1, noNaN: true, noDefaultInfinity: true })),
  })
  fc.assert(
    fc.property(fc.array(recognition), (all) => {
      const utterances = createUtteranceTracker()
      for (const recognition of all) {
        const caption = utterances.track(recognition)
        if (caption === null) continue
        assert.ok(caption.captionId.length <= 200)
        assert.ok(caption.captionId.startsWith(recognition.speakerId))
        assert.equal(caption.text, recognition.text)
        assert.ok(caption.version >= 1)
        assert.ok(caption.isFinal || !recognition.isFinal)
      }
    }),
  )
})
