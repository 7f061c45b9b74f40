import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { ModelFailure } from '../../ai/model.ts'
import { estimateTokens } from '../../lib/text/words.ts'
import type { RecapSource } from '../recap.ts'
import { DEFAULT_TEMPLATE, type RecapTemplate } from '../template.ts'
import { createModelRecap } from './model-recap.ts'
import type { RecapModel, RecapQuestion } from './recap-model.ts'

const TEXTS = [
  'Welcome everybody to the planning meeting.',
  'We decided to ship the new search page.',
  'Ben will fix the search page by Wednesday.',
  'Who tells the customers about the change?',
]

function createSource(texts: readonly string[]): RecapSource {
  return {
    startedAt: new Date('2026-11-17T09:00:00Z'),
    timeZone: 'UTC',
    languageHint: null,
    participants: ['Ada Lovelace', 'Ben Stone', 'Ben Moss', 'Chloé Roy'],
    segments: texts.map((text, i) => ({
      number: i + 1,
      speaker: i % 2 === 0 ? 'Ada Lovelace' : '',
      text,
      startMs: i * 1000,
      endMs: i * 1000 + 900,
    })),
  }
}

function createModel(answer: (question: RecapQuestion, number: number) => unknown) {
  const questions: RecapQuestion[] = []
  const model: RecapModel = {
    name: 'test/model',
    async ask(_, question) {
      questions.push(question)
      const content = answer(question, questions.length)
      return typeof content === 'string' ? content : JSON.stringify(content)
    },
  }
  return { model, questions }
}

const EMPTY = { summary: [], decisions: [], actions: [], openQuestions: [], topics: [] }
const SUMMARY = [{ text: 'They planned.', segmentNumbers: [1], quote: 'to the planning meeting' }]
const make = (
  model: RecapModel,
  source = createSource(TEXTS),
  waited: number[] = [],
  template: Partial<RecapTemplate> = {},
) =>
  createModelRecap({
    model,
    meetingId: 'meeting_1',
    source,
    language: 'en',
    template: { ...DEFAULT_TEMPLATE, ...template },
    signal: new AbortController().signal,
    pause: async (ms) => void waited.push(ms),
  })

test('a recap of a model has only statements whose quotation is in the segments they cite', async () => {
  const action = {
    text: 'Fix the search page',
    owner: 'chloe',
    dueText: 'by Wednesday',
    dueDate: '2026-11-18',
    segmentNumbers: [3],
    quote: 'fix the search page by Wednesday',
  }
  const { model } = createModel(() => ({
    summary: [...SUMMARY, { text: 'Made up.', segmentNumbers: [2], quote: 'we sold the company' }],
    decisions: [
      { text: 'Ship it', segmentNumbers: [2], quote: 'decided to ship the new' },
      { text: 'Cites another line', segmentNumbers: [1], quote: 'decided to ship the new' },
    ],
    actions: [
      action,
      { ...action, owner: 'Ben', dueText: 'tomorrow' },
      { ...action, owner: 'Mallory', dueDate: '2026-02-31' },
    ],
    openQuestions: [{ text: 'Who?', segmentNumbers: ['4'], quote: 'Who tells the customers' }],
    topics: [
      { title: 'Search', firstSegmentNumber: 1, lastSegmentNumber: 4 },
      { title: 'Search nowhere', firstSegmentNumber: 1, lastSegmentNumber: 99 },
      { title: 'The office was sold', firstSegmentNumber: 1, lastSegmentNumber: 1 },
    ],
  }))
  const { recap, droppedStatements } = await make(model)
  assert.deepEqual(
    [recap.summary, recap.decisions.map(({ text }) => text), recap.openQuestions],
    [[{ text: 'They planned.', segmentNumbers: [1] }], ['Ship it'], []],
  )
  assert.deepEqual(
    recap.actions.map(({ owner, dueText, dueDate }) => [owner, dueText, dueDate]),
    [
      ['Chloé Roy', 'by Wednesday', '2026-11-18'],
      [null, null, null],
      [null, 'by Wednesday', null],
    ],
  )
  assert.deepEqual(recap.topics, [
    { title: 'Search', startMs: 0, endMs: 3900, firstSegmentNumber: 1, lastSegmentNumber: 4 },
  ])
  assert.equal(droppedStatements, 5)
})

test('garbage, half of a JSON object and an answer without any proof are refused', async () => {
  const refused = { name: 'UnusableRecapAnswer' }
  const half = JSON.stringify({ ...EMPTY, summary: SUMMARY }).slice(0, 60)
  for (const answer of ['I cannot help with that.', '', half, [], { summary: 'none' }, EMPTY]) {
    await assert.rejects(make(createModel(() => answer).model), refused)
  }
})

/** Three parts of 200 lines or more. */
const LONG_MEETING = createSource(
  Array.from({ length: 600 }, (_, i) => `Line ${i + 1} says ${'word '.repeat(30)}`),
)
const isAboutPart = ({ system }: RecapQuestion) => system.includes('"decisions"')

/** Cites the first line of the transcript. */
function answerAboutFirstLine(question: RecapQuestion) {
  const number = Number(/^(\d+)/.exec(question.transcript)?.[1])
  const sentence = {
    text: `About line ${number}`,
    segmentNumbers: [number],
    quote: `line ${number} says`,
  }
  return isAboutPart(question)
    ? { ...EMPTY, summary: [sentence], decisions: [sentence] }
    : { summary: [{ ...sentence, text: 'All of it' }] }
}

test('a long meeting is read in parts, whose summaries are combined', async () => {
  const { model, questions } = createModel(answerAboutFirstLine)
  const { recap } = await make(model, LONG_MEETING)
  assert.equal(questions.length, 4)
  assert.ok(questions.every(({ transcript }) => transcript.length <= 48_000))
  assert.deepEqual(
    [recap.summary.map(({ text }) => text), recap.decisions.length, recap.coverage],
    [['All of it'], 3, { segmentsRead: 600, segmentsTotal: 600 }],
  )
})

test('the model is told the day of the meeting in its time zone', async () => {
  const { model, questions } = createModel(() => ({ ...EMPTY, summary: SUMMARY }))
  const startedAt = new Date('2026-11-17T20:00:00Z')
  await make(model, { ...createSource(TEXTS), startedAt, timeZone: 'Asia/Tokyo' })
  assert.equal(questions[0]?.facts, 'The meeting was on 2026-11-18 (time zone Asia/Tokyo).')
})

test('a part with an unusable answer is left out, and does not discard the other parts', async () => {
  const { model, questions } = createModel((question, number) =>
    number === 2 ? 'No.' : answerAboutFirstLine(question),
  )
  const { recap } = await make(model, LONG_MEETING)
  const lines = questions[1]?.transcript.split('\n').length ?? 0
  assert.ok(lines > 100)
  assert.deepEqual(
    [recap.summary.length, recap.decisions.length, recap.coverage],
    [1, 2, { segmentsRead: 600 - lines, segmentsTotal: 600 }],
  )
})

test('without a usable combined summary, the first sentences of the parts are the summary', async () => {
  const { model } = createModel((question) =>
    isAboutPart(question) ? answerAboutFirstLine(question) : 'No.',
  )
  const { recap } = await make(model, LONG_MEETING)
  assert.deepEqual([recap.summary.length, recap.summary[0]?.text], [3, 'About line 1'])
})

test('a request that fails for a short time is sent again, and the answers before it are kept', async () => {
  const failure = (isTransient: boolean) => (question: RecapQuestion, number: number) => {
    if (number === 2 || number === 3) throw new ModelFailure('overloaded', isTransient)
    return answerAboutFirstLine(question)
  }
  const waited: number[] = []
  const { model, questions } = createModel(failure(true))
  const { recap } = await make(model, LONG_MEETING, waited)
  assert.deepEqual([recap.decisions.length, waited.length, questions.length], [3, 2, 6])
  const refusing = createModel(failure(false))
  await assert.rejects(make(refusing.model, LONG_MEETING), ModelFailure)
  assert.equal(refusing.questions.length, 2)
})

test('no request has too many tokens, whatever the script and the number of sentences', async () => {
  const text = '新製品の資料を準備します。'.repeat(40)
  const source = createSource(Array.from({ length: 300 }, () => text))
  const { model, questions } = createModel((question) => {
    const numbers = Array.from({ length: 50 }, (_, i) => i + 1)
    const sentence = { text: text.slice(0, 390), segmentNumbers: numbers, quote: text.slice(0, 20) }
    const summary = Array.from({ length: 100 }, () => sentence)
    return isAboutPart(question) ? { ...EMPTY, summary } : { summary: [sentence] }
  })
  const { recap } = await make(model, source)
  assert.ok(questions.length > 3 && recap.summary.length === 1)
  for (const { transcript } of questions) assert.ok(estimateTokens(transcript) <= 12_000)
})

const GERMAN_SUMMARY = [
  'Die neue Seite für die Suche wird nach dem Beschluss der Gruppe in dieser Woche veröffentlicht.',
  'Ben Stone übernimmt die Reparatur der Suche und will sie bis zum Mittwoch abgeschlossen haben.',
  'Wer die Kundinnen und Kunden über die Änderung informiert, ist am Ende noch nicht entschieden.',
].map((text) => ({ ...SUMMARY[0], text }))
const ENGLISH_SUMMARY = [
  'The new page for the search will be published this week, as the group has decided together.',
  'Ben Stone takes over the repair of the search and wants to have it finished by Wednesday.',
  'Who informs the customers about the change has not been decided at the end of the meeting.',
].map((text) => ({ ...SUMMARY[0], text }))

test('a recap has a title with a quotation, and decisions with their reasons', async () => {
  const decided = { text: 'Ship it', segmentNumbers: [2], quote: 'decided to ship the new' }
  const answerWith = (title: unknown) => ({
    ...EMPTY,
    title,
    summary: SUMMARY,
    decisions: [{ ...decided, reason: ' Customers wait ' }, { ...decided, reason: '' }, decided],
  })
  const title = { ...SUMMARY[0], text: 'Planning\nthe search page' }
  const { recap } = await make(createModel(() => answerWith(title)).model)
  assert.equal(recap.title, 'Planning the search page')
  assert.deepEqual(
    recap.decisions.map(({ reason }) => reason),
    ['Customers wait', null, null],
  )
  for (const bad of [{ ...title, quote: 'we sold the company' }, 'Planning', undefined]) {
    const made = await make(createModel(() => answerWith(bad)).model)
    assert.equal(made.recap.title, null)
  }
})

test('a model is asked for the sections of the template only, and others are left out', async () => {
  const entry = { text: 'Ship it', segmentNumbers: [2], quote: 'decided to ship the new' }
  const { model, questions } = createModel(() => ({
    ...EMPTY,
    summary: SUMMARY,
    decisions: [entry],
    openQuestions: [entry],
  }))
  const { recap } = await make(model, undefined, [], { sections: ['openQuestions', 'decisions'] })
  assert.deepEqual(
    [recap.sections, recap.summary, recap.decisions.length, recap.openQuestions.length],
    [['openQuestions', 'decisions'], [], 1, 1],
  )
  const [{ system, format } = assert.fail()] = questions
  assert.doesNotMatch(system, /"summary"|"actions"|"topics"/)
  assert.deepEqual(Object.keys(format.shape), ['title', 'decisions', 'openQuestions'])
  const nothing = createModel(() => ({ ...EMPTY, summary: SUMMARY })).model
  await assert.rejects(make(nothing, undefined, [], { sections: ['decisions'] }), {
    name: 'UnusableRecapAnswer',
  })
})

test('a recap in another language than the meeting needs quotations for its topics', async () => {
  const topic = { title: 'Suchseite', firstSegmentNumber: 1, lastSegmentNumber: 4 }
  const { model, questions } = createModel(() => ({
    ...EMPTY,
    summary: GERMAN_SUMMARY,
    topics: [{ ...topic, quote: 'ship the new search page' }, { ...topic, quote: 'ship' }, topic],
  }))
  const { recap, languageProblem } = await make(model, undefined, [], { language: 'de-AT' })
  assert.deepEqual(
    [recap.language, recap.writtenLanguage, recap.topics.length, languageProblem],
    ['en', 'de-AT', 1, null],
  )
  assert.match(questions[0]?.system ?? '', /Write every text, reason and title in Austrian German/)
})

test('a recap in another language than asked for is asked for once more', async () => {
  const { model, questions } = createModel((_, number) => ({
    ...EMPTY,
    summary: number === 1 ? ENGLISH_SUMMARY : GERMAN_SUMMARY,
  }))
  const { recap, languageProblem } = await make(model, undefined, [], { language: 'de' })
  assert.deepEqual(
    [questions.length, recap.summary[0]?.text, recap.writtenLanguage, languageProblem],
    [2, GERMAN_SUMMARY[0]?.text, 'de', null],
  )
  assert.match(questions[1]?.facts ?? '', /\nAn earlier answer was in English\. Write in German\.$/)
})

test('a recap that is in another language even when it is asked for again is kept, and says so', async () => {
  const answers: Array<(number: number) => unknown> = [
    () => ({ ...EMPTY, summary: GERMAN_SUMMARY }),
    (number) => (number === 1 ? { ...EMPTY, summary: GERMAN_SUMMARY } : 'No.'),
    (number) => {
      if (number > 1) throw new ModelFailure('refused', false)
      return { ...EMPTY, summary: GERMAN_SUMMARY }
    },
  ]
  for (const answer of answers) {
    const { model, questions } = createModel((_, number) => answer(number))
    const { recap, languageProblem } = await make(model)
    assert.deepEqual([questions.length, recap.summary.length, recap.writtenLanguage], [2, 3, 'de'])
    assert.match(languageProblem ?? '', /in German instead of English/)
  }
})

test('a long meeting is asked for once more, and the language is named from then on', async () => {
  const { model, questions } = createModel((question) => {
    const number = Number(/^(\d+)/.exec(question.transcript)?.[1])
    const quoted = { segmentNumbers: [number], quote: `line ${number} says` }
    return { ...EMPTY, summary: GERMAN_SUMMARY.map(({ text }) => ({ ...quoted, text })) }
  })
  const { languageProblem } = await make(model, LONG_MEETING)
  assert.match(languageProblem ?? '', /German instead of English/)
  assert.deepEqual(
    questions.map(({ facts }) => facts.includes('Write in English.')),
    [false, true, true, true, true],
  )
})
