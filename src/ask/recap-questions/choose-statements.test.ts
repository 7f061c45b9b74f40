import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { chooseStatements, type RecapStatement } from './choose-statements.ts'
import { parseRecapQuestion } from './recap-question.ts'

const TODAY = 20_000

function createStatement(text: string, fields: Partial<RecapStatement> = {}): RecapStatement {
  return {
    kind: 'decision',
    text,
    person: null,
    dueDate: null,
    segmentNumbers: [1],
    meetingId: 'meeting_1_a',
    meetingTitle: 'Planning',
    project: 'zoo',
    ...fields,
  }
}

function choose(question: string, statements: readonly RecapStatement[]): string[] {
  const parsed = parseRecapQuestion(question, TODAY)
  assert.ok(parsed, question)
  return chooseStatements(parsed, statements).map(({ text }) => text)
}

test('a question without a subject gets all statements in their order', () => {
  const statements = ['We take the boat.', 'The shop closes at six.'].map((text) =>
    createStatement(text),
  )
  assert.deepEqual(
    choose('What was decided?', statements),
    statements.map(({ text }) => text),
  )
  assert.deepEqual(choose('Was wurde in der Besprechung entschieden?', statements).length, 2)
})

test('a subject chooses statements by their words, their meeting and their project', () => {
  const boat = createStatement('We take the boats.', { meetingTitle: 'Harbour' })
  const shop = createStatement('The shop closes at six.')
  const lions = createStatement('Lions get more space.', { project: 'safari' })
  const all = [boat, shop, lions]
  assert.deepEqual(choose('What was decided about the boat?', all), [boat.text])
  assert.deepEqual(choose('What was decided in the planning meeting?', all), [
    shop.text,
    lions.text,
  ])
  assert.deepEqual(choose('What was decided in project safari?', all), [lions.text])
  assert.deepEqual(choose('What was decided about the shop in the planning?', all), [shop.text])
  assert.deepEqual(choose('What was decided about the elephants?', all), [])
  // One of three words is too little.
  assert.deepEqual(choose('What was decided about the space rocket launch?', all), [])
})

test('a person chooses statements by full name, part of a name and shared name', () => {
  const statements = [
    createStatement('Order pumps.', { person: 'Ada Lovelace' }),
    createStatement('Call Ada.', { person: 'Ben Okri' }),
    createStatement('Paint the door.', { person: 'Ben Stone' }),
    createStatement('Buy bread.'),
  ]
  const ofAda = ['Order pumps.']
  assert.deepEqual(choose('What does Ada have to do?', statements), ofAda)
  assert.deepEqual(choose('What does Ada Lovelace have to do?', statements), ofAda)
  assert.deepEqual(choose("Qu'est-ce qu'Ada doit faire ?", statements), ofAda)
  assert.deepEqual(choose('Was muss Lovelace machen?', statements), ofAda)
  assert.deepEqual(choose('What does Ben have to do?', statements), [
    'Call Ada.',
    'Paint the door.',
  ])
  assert.deepEqual(choose('What does Ben Stone have to do?', statements), ['Paint the door.'])
  assert.deepEqual(choose('What does Zoe have to do?', statements), [])
})
