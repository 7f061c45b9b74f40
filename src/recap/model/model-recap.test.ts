import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { RecapSource } from '../recap.ts'
import { createModelRecap, type RecapModel, type RecapQuestion } from './model-recap.ts'

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
const make = (model: RecapModel, source = createSource(TEXTS)) =>
  createModelRecap(model, 'meeting_1', source, 'en', new AbortController().signal)

test('a recap of a model has only statements whose quotation is in the segments they cite', async () => {
  const action = {
    text: 'Fix the search page',
    owner: 'chloé',
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

test('a long meeting is read in parts, whose summaries are combined', async () => {
  const texts = Array.from({ length: 600 }, (_, i) => `Line ${i + 1} says ${'word '.repeat(30)}`)
  const { model, questions } = createModel(({ transcript, system }) => {
    const number = Number(/^(\d+)/.exec(transcript)?.[1])
    const sentence = {
      text: `About line ${number}`,
      segmentNumbers: [number],
      quote: `line ${number} says`,
    }
    return system.includes('"decisions"')
      ? { ...EMPTY, summary: [sentence], decisions: [sentence] }
      : { summary: [{ ...sentence, text: 'All of it' }] }
  })
  const { recap } = await make(model, createSource(texts))
  assert.equal(questions.length, 4)
  assert.ok(questions.every(({ transcript }) => transcript.length <= 48_000))
  assert.deepEqual(
    [recap.summary.map(({ text }) => text), recap.decisions.length, recap.coverage],
    [['All of it'], 3, { segmentsRead: 600, segmentsTotal: 600 }],
  )
})
