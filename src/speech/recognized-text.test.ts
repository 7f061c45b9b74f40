import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { cleanRecognizedText } from './recognized-text.ts'

test('speech stays as it was recognized, with plain spaces', () => {
  assert.equal(cleanRecognizedText('  Ask not.\n', 1_200), 'Ask not.')
  assert.equal(cleanRecognizedText('No, no, no, no!', 1_500), 'No, no, no, no!')
  assert.equal(cleanRecognizedText('[Applause] Thank you.', 1_000), 'Thank you.')
  assert.equal(cleanRecognizedText('你好，世界', 900), '你好，世界')
})

test('answers that are only numbers stay', () => {
  for (const text of ['420.', '2027', '3.5', '1, 2, 3.', '٣', '7:30', '$5'])
    assert.equal(cleanRecognizedText(text, 1_000), text)
})

test('texts that models make up from noise, music and silence are dropped', () => {
  for (const text of [
    '',
    ' . . . ',
    '$ %',
    '♪♪♪',
    '[Music]',
    '(soft music)',
    'you you you you you you',
    'Thank you. Thank you. Thank you. Thank you. Thank you.',
    'la '.repeat(200),
    'a'.repeat(5_000),
  ])
    assert.equal(cleanRecognizedText(text, 3_000), null, text)
})

test('a text that nobody can say in that time is dropped', () => {
  assert.equal(
    cleanRecognizedText('this is a sentence with far more than a few words in it', 300),
    null,
  )
})
