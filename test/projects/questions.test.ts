import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import { storeMeeting, type SpokenLine } from '../../bench/support/spoken-meetings.ts'
import {
  findPassagesForQuestion,
  type QuestionRequest,
} from '../../src/projects/search/questions/find-passages.ts'
import { parseQuestion } from '../../src/projects/search/questions/question-terms.ts'
import { openTestDatabase } from '../support/database/test-database.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
before(async () => (database = await openTestDatabase()))
after(async () => database[Symbol.asyncDispose]())

const FILLER = Array.from({ length: 12 }, (_, i) => `Nothing much about item ${i}, we move on.`)

function toLines(...said: Array<[speaker: string, text: string]>): SpokenLine[] {
  return said.map(([speaker, text]) => ({ speaker, text }))
}

/** Each list of lines is one meeting, surrounded by other talk. */
function withFiller(lines: SpokenLine[]): SpokenLine[] {
  const filler = FILLER.map((text) => ({ speaker: 'Zoe', text }))
  return [...filler, ...lines, ...filler]
}

async function findTexts(request: Partial<QuestionRequest> & { question: string }) {
  const found = await findPassagesForQuestion(database.db, INSTANCE_VIEWER, {
    limit: 5,
    ...request,
  })
  return found.map(({ text }) => text)
}

test('a question finds texts with some of its words, the rarer words first, with the texts around them', async () => {
  const lines = toLines(
    ['Ana', 'The walrus enclosure needs a new pump.'],
    ['Ben', 'How much?'],
    ['Ana', 'Nine hundred.'],
  )
  await storeMeeting(database.db, { name: 'rare', title: 'Zoo', lines: withFiller(lines) })
  const [found] = await findPassagesForQuestion(database.db, INSTANCE_VIEWER, {
    question:
      'What did they say about the pumps of the walruses on Friday, and what comes after that item?',
    limit: 5,
  })
  assert.equal(found?.text, 'The walrus enclosure needs a new pump.')
  assert.deepEqual([found.meetingId, found.segmentNumber], ['meeting_rare', FILLER.length + 1])
  assert.deepEqual(
    found.after.map(({ text }) => text),
    ['How much?', 'Nine hundred.', FILLER[0]],
  )
  assert.deepEqual(
    found.before.map(({ text }) => text),
    FILLER.slice(-2),
  )
})

test('a segment gains from the words that are said around it', async () => {
  const filler = FILLER.map((text): [string, string] => ['Zoe', text])
  const lines = toLines(
    ['Ana', 'Now the kiosk.'],
    ...filler.slice(0, 3),
    ['Ben', 'The rent went up.'],
    ...filler,
    ['Cleo', 'The rent went up.'],
  )
  await storeMeeting(database.db, { name: 'context', title: 'Rooms', lines })
  const found = await findPassagesForQuestion(database.db, INSTANCE_VIEWER, {
    question: 'Why did the rent of the kiosk go up?',
    meetingId: 'meeting_context',
    limit: 5,
  })
  assert.deepEqual(
    found.map(({ speaker }) => speaker).filter((speaker) => speaker !== 'Ana'),
    ['Ben', 'Cleo'],
  )
})

test('a name of a speaker in the question prefers what this person said', async () => {
  const lines = withFiller(
    toLines(['Ana Lima', 'The parrot is loud.'], ['Ben Okri', 'The parrot is fine.']),
  )
  await storeMeeting(database.db, { name: 'names', title: 'Birds', lines })
  const meetingId = 'meeting_names'
  for (const [question, expected] of [
    ['What did Ben think about the parrot?', 'The parrot is fine.'],
    ['What is the opinion of Ana Lima on the parrot?', 'The parrot is loud.'],
    ['what is the opinion of ben okri on the parrot?', 'The parrot is fine.'],
    ['What did Ben say?', 'The parrot is fine.'],
  ] as const)
    assert.equal((await findTexts({ question, meetingId }))[0], expected, question)
})

test('a question is answered only from the given meeting, projects and time, and not from a removed meeting', async () => {
  const { db } = database
  for (const [name, project, day] of [
    ['otter1', 'one', '2026-02-01'],
    ['otter2', 'two', '2026-03-01'],
  ] as const)
    await storeMeeting(
      db,
      { name, title: 'Pond', lines: toLines(['Ana', `An otter in ${name}.`]) },
      { project, startedAt: new Date(`${day}T09:00:00Z`) },
    )
  const question = 'Where is the otter?'
  const march = new Date('2026-02-15T00:00:00Z')
  assert.equal((await findTexts({ question })).length, 2)
  assert.deepEqual(await findTexts({ question, meetingId: 'meeting_otter1' }), [
    'An otter in otter1.',
  ])
  assert.deepEqual(await findTexts({ question, projects: ['two'] }), ['An otter in otter2.'])
  assert.deepEqual(await findTexts({ question, projects: [] }), [])
  assert.deepEqual(await findTexts({ question, from: march }), ['An otter in otter2.'])
  assert.deepEqual(await findTexts({ question, to: march }), ['An otter in otter1.'])
  await sql`delete from meeting where id = 'meeting_otter1'`.execute(db)
  assert.deepEqual(await findTexts({ question }), ['An otter in otter2.'])
})

test('stop words and words that ask are left out in many languages, and other forms of a word match', async () => {
  for (const [question, expected] of [
    ['What is the price of the recordings?', ['price', 'recording']],
    ['Wann wurde der Preis für die Aufnahmen besprochen?', ['preis', 'aufnahme']],
    [
      'Quand est-ce que nous avons décidé le prix des enregistrements ?',
      ['decide', 'prix', 'enregistrement'],
    ],
    ['¿Cuándo hablamos de los precios para las grabaciones?', ['precio', 'grabacion']],
    ['Quantos dos preços das gravações são nossos?', ['preco', 'gravacoes']],
    ['Quali sono i prezzi delle registrazioni?', ['prezzo', 'registrazione']],
    ['Какие цены на записи у нас есть?', ['цена', 'запись']],
    ['予算はいくらですか', ['予算']],
  ] as const) {
    const { terms } = await parseQuestion(database.db, question)
    const strong = terms.filter(({ weight }) => weight === 1)
    for (const word of expected)
      assert.ok(
        strong.some(({ words }) => words.some((each) => matches(each, word))),
        `${word} in ${question}`,
      )
    const others = strong.filter(
      ({ words }) => !expected.some((word) => words.some((each) => matches(each, word))),
    )
    // A pair of characters may span the end of one word and the beginning of the next.
    const isAllowed = /\p{Script=Han}/u.test(question) || /какие|какой/iu.test(question)
    assert.ok(others.length <= (isAllowed ? 1 : 0), `${JSON.stringify(others)} in ${question}`)
  }
})

function matches({ word, isPrefix }: { word: string; isPrefix: boolean }, text: string): boolean {
  return isPrefix ? text.startsWith(word) : text === word
}

test('a hostile question gets an answer or none, and never an error', async () => {
  await storeMeeting(database.db, {
    name: 'hostile',
    title: 'Tools',
    lines: toLines(['Ana', 'The hammer is broken.']),
  })
  const ask = (question: string) => findTexts({ question, meetingId: 'meeting_hostile' })
  assert.deepEqual(await ask(`hammer ${'x'.repeat(10_000)}`), ['The hammer is broken.'])
  assert.deepEqual(await ask(`hammer ${'why not so '.repeat(1_000)}`), ['The hammer is broken.'])
  assert.deepEqual(await ask(Array.from({ length: 2_000 }, (_, i) => `w${i}`).join(' ')), [])
  assert.deepEqual(await ask("hammer' | !(a & b):*ABCD <-> <3> \\ '' ; drop table segment --"), [
    'The hammer is broken.',
  ])
  assert.deepEqual(await ask('\0hammer\0 \ud800 \udfff'), ['The hammer is broken.'])
  for (const nothing of [
    '',
    '   ',
    '?!',
    '\0',
    'what is the and of to',
    'Was ist das und der die',
    '\ud800',
  ])
    assert.deepEqual(await ask(nothing), [], JSON.stringify(nothing))
})
