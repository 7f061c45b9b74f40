import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  array,
  assert as assertProperty,
  constantFrom,
  oneof,
  property,
  record,
  string,
  type Arbitrary,
} from 'fast-check'
import type { RecapSource } from './recap.ts'
import { createRulesRecap } from './rules-recap.ts'

const LINES = [
  'So Ben will fix the page by Wednesday, and Ann will write to the customers.',
  'We decided to go with option B. Agreed?',
  'Who has the list of the addresses?',
  'Ben, kannst du bitte das Budget bis zum 20. anpassen?',
  "Je t'envoie les chiffres demain. C'est décidé.",
  'Enviaré el contrato mañana, ¿vale?',
  'Eu vou mandar a lista até sexta. Fechado?',
  '我觉得我们应该推迟发布吗？我明天发送报告。',
  '**bold** [link](javascript:x) <b>|</b> `code`',
  '\u202eevil\u0000\n\r\u2028line İ ß ﬁ',
]

const turns: Arbitrary<Array<{ speaker: string; text: string }>> = array(
  record({
    speaker: oneof(constantFrom('Ann', 'Ben', ''), string({ unit: 'binary', maxLength: 20 })),
    text: oneof(constantFrom(...LINES), string({ unit: 'binary', maxLength: 80 })),
  }),
  { maxLength: 30 },
)
const hint = constantFrom(null, 'en', 'de-DE', 'fr', 'es', 'pt_BR', 'xx', '<b>', '__proto__')

test('any meeting gets a recap that is valid, cites existing segments and is always the same', () => {
  assertProperty(
    property(turns, hint, (said, languageHint) => {
      const source: RecapSource = {
        startedAt: new Date('2026-11-16T09:00:00Z'),
        timeZone: 'Europe/Berlin',
        languageHint,
        participants: said.map(({ speaker }) => speaker),
        segments: said.map(({ speaker, text }, index) => ({
          number: 10 * index,
          speaker,
          text,
          startMs: index,
          endMs: index + 1,
        })),
      }
      const recap = createRulesRecap(source)
      const numbers = new Set(source.segments.map(({ number }) => number))
      const { summary, decisions, actions, openQuestions, topics } = recap
      for (const { text, segmentNumbers } of [
        ...summary,
        ...decisions,
        ...actions,
        ...openQuestions,
      ]) {
        assert.ok(text !== '' && text.length <= 400 && text.isWellFormed())
        assert.doesNotMatch(text, /\p{Cc}/u)
        assert.ok(segmentNumbers.length > 0 && segmentNumbers.every((cited) => numbers.has(cited)))
      }
      for (const { dueDate } of actions) {
        assert.ok(dueDate === null || /^\d{4}-\d\d-\d\d$/.test(dueDate))
      }
      for (const { title } of topics) assert.ok(title !== '' && title.isWellFormed())
      assert.deepEqual(createRulesRecap(source), recap)
    }),
    { numRuns: 150 },
  )
})
