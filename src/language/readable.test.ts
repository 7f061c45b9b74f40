import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  countPronouns,
  countRestarts,
  endsWithPronoun,
  needsContext,
  toReadableSentence,
} from './readable.ts'

test('a sentence loses what joins it to the one before, fillers and repeated words', () => {
  for (const [language, said, readable] of [
    ['en', 'No, no, sure, but we should move the stairs.', 'We should move the stairs.'],
    ['en', "Um, well, I I think we're we're late.", "I think we're late."],
    ['en', 'Yeah so, you know, the budget is gone.', 'The budget is gone.'],
    ['en', 'Then we agreed to wait.', 'We agreed to wait.'],
    ['en', 'Mr. Chair, the report is late.', 'The report is late.'],
    ['de', 'Ja, ähm, aber der Bericht fehlt noch.', 'Der Bericht fehlt noch.'],
    ['fr', 'Oui, euh, mais le rapport manque.', 'Le rapport manque.'],
    ['es', 'Vale, pero falta el informe.', 'Falta el informe.'],
    ['pt', 'Então, hum, falta o relatório.', 'Falta o relatório.'],
  ] as const) {
    assert.equal(toReadableSentence(said, language), readable)
  }
})

test('a sentence keeps words that carry its meaning', () => {
  for (const [language, said] of [
    ['en', 'No one has the key.'],
    ['en', 'Right turns are forbidden here.'],
    ['en', 'It was very very late.'],
    ['en', 'Yes, indeed.'],
    ['es', 'No podemos pagar la cuenta.'],
    ['pt', 'Não temos dinheiro para isso.'],
    ['pt', 'É preciso encomendar papel.'],
    ['de', 'Dann nehmen wir den zwölften Juni.'],
    ['ja', 'えーと、予算がありません。'],
    [null, 'Um, no, the budget is gone.'],
  ] as const) {
    assert.equal(toReadableSentence(said, language), said)
  }
})

test('a sentence that needs another one is recognized by its start, its end and its quotation marks', () => {
  for (const sentence of [
    "That's why we moved the office.",
    'They want to see the plan again.',
    'We could take the',
    'The areas we looked at will be—.',
    'The idea was to say "aha!',
  ]) {
    assert.ok(needsContext(sentence, 'en'), sentence)
  }
  assert.ok(!needsContext('The new office opens in May.', 'en'))
  assert.ok(needsContext('Damit wird der Umbau teurer.', 'de'))
  assert.ok(!needsContext('Der Umbau wird teurer.', 'de'))
  assert.ok(!needsContext('That is a language without a list.', 'fi'))
})

test('pronouns and new beginnings are counted', () => {
  assert.equal(countPronouns('They told them that it is late.', 'en'), 3)
  assert.equal(countPronouns('Ben told Ann about the delay.', 'en'), 0)
  assert.equal(countRestarts('You ha i The hard part is the format.', 'en'), 1)
  assert.equal(countRestarts('The hard part is the format.', 'en'), 0)
  assert.ok(endsWithPronoun("I'll do that.", 'en'))
  assert.ok(!endsWithPronoun("I'll do the dishes.", 'en'))
})

test('a text of many repeated words or fillers takes time in proportion to its length', () => {
  const hostile = ['no, ', 'a ', 'um, ', 'a b ', '"', 'the the, '].map((part) =>
    part.repeat(4_000 / part.length),
  )
  for (const text of hostile) {
    const readable = toReadableSentence(text, 'en')
    assert.ok(readable.length <= text.length)
    assert.equal(typeof needsContext(readable, 'en'), 'boolean')
  }
})
