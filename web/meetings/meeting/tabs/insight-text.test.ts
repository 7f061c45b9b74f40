import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { describeInsight } from './insight-text.ts'

test('an insight by rules is shown without the words that its category and speaker repeat', () => {
  const decision = { title: 'Decision', text: 'Ana stated a decision: “We ship: on Friday.”' }
  assert.deepEqual(describeInsight({ ...decision, speaker: 'Ana', engine: 'rules' }, 'Decision'), {
    title: null,
    text: '“We ship: on Friday.”',
  })
  const text = 'Ana has been speaking at 190 words per minute or more. A short pause helps.'
  assert.deepEqual(
    describeInsight(
      { title: 'Ana is speaking fast', text, speaker: 'Ana', engine: 'rules' },
      'Pace',
    ),
    { title: null, text },
  )
})

test('the title of a language model is shown only if it says something new', () => {
  const insight = { text: 'The vendor may be late with the pump.', speaker: null, engine: 'model' }
  const titleOf = (title: string) => describeInsight({ ...insight, title }, 'Risk').title
  assert.equal(titleOf('Risk: the pump may be late'), null)
  assert.equal(titleOf('Ask for a second supplier'), 'Ask for a second supplier')
})
