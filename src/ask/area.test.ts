import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { INSTANCE_VIEWER } from '../access/viewer.ts'
import { ModelFailure } from '../ai/model.ts'
import { createLog } from '../log.ts'
import type { QuestionPassage } from '../projects/search/questions/find-passages.ts'
import type { AnswerModel } from './answer-prompt.ts'
import { createAskArea } from './area.ts'
import { numberLines } from './citable-lines.ts'
import { createPassage } from '../../test/support/question-passage.ts'

const AT = new Date('2026-11-15T08:30:00Z')
const NEVER_ABORTED = new AbortController().signal
const SILENT = { onPassages: () => undefined, onSentence: () => undefined }

const around = (...numbers: number[]) =>
  numbers.map((number) => ({ number, speaker: 'Ben', at: AT, line: null, text: `Line ${number}` }))

function openArea(model: AnswerModel | null, found: QuestionPassage[]) {
  return createAskArea({
    clock: { now: () => AT },
    log: createLog('silent'),
    model,
    findPassagesForQuestion: async () => found,
    listCitedSegments: async () => [1, 2, 5],
    loadSegmentPassages: async (_viewer, lines) =>
      lines.map(({ meetingId, number }) => createPassage({ meetingId, number })),
    timeZone: 'UTC',
    searchStatements: async () => [],
    requireProjectExists: async () => undefined,
    requireMeetingExists: async () => undefined,
  })
}

function createModel(ask: AnswerModel['ask']): AnswerModel {
  return { name: 'test/model', isBudgetUsedUp: async () => false, rank: async () => null, ask }
}

test('a line that is part of several passages has one number, and lines are numbered in reading order', () => {
  const found = [
    createPassage({ number: 5, before: around(4), after: around(6, 7) }),
    createPassage({ number: 2, meetingId: 'meeting_2_b' }),
    createPassage({ number: 7, before: around(5, 6), after: around(8) }),
  ]
  const { passages, sources, numbersByRank } = numberLines(found, [])
  const numbersOf = (lines: ReadonlyArray<{ number: number }>) => lines.map(({ number }) => number)
  assert.deepEqual(
    passages.map(({ number, before, after }) => [numbersOf(before), number, numbersOf(after)]),
    [
      [[1], 2, [3, 4]],
      [[], 6, []],
      [[2, 3], 4, [5]],
    ],
  )
  assert.deepEqual(
    sources.map(({ lines }) => lines.map(({ line }) => line.segmentNumber)),
    [[4, 5, 6, 7, 8], [2]],
  )
  assert.deepEqual(numbersByRank, [2, 1, 3, 4, 6, 5])
})

test('a model that is asked about a meeting gets its key lines too, within the limits of the question', async () => {
  let given: string[] = []
  let isBudgetUsedUp = false
  const model: AnswerModel = {
    name: 'test/model',
    isBudgetUsedUp: async () => isBudgetUsedUp,
    rank: async () => null,
    async ask({ excerpts }) {
      given = excerpts.flatMap(({ text }) => text.match(/Line \d+/g) ?? [])
      return { ended: 'done', truncatedBy: null }
    },
  }
  const area = openArea(model, [createPassage({ number: 4, after: around(5) })])
  const ask = async (more: object) => {
    const request = { question: 'a', ...more }
    const { passages } = await area.run(INSTANCE_VIEWER, request, SILENT, NEVER_ABORTED)
    // They are not passages, because only a model can tell if they answer the question.
    assert.deepEqual(
      passages.map(({ segmentNumber }) => segmentNumber),
      [4],
    )
    return given
  }
  const meetingId = 'meeting_1_a'
  const later = new Date(AT.getTime() + 1)
  const [found, withKeys] = [
    ['Line 4', 'Line 5'],
    ['Line 1', 'Line 2', 'Line 4', 'Line 5'],
  ]
  assert.deepEqual(await ask({ meetingId }), withKeys)
  assert.deepEqual(await ask({ meetingId, project: 'zoo', from: AT, to: later }), withKeys)
  for (const limits of [{}, { meetingId, project: 'other' }, { meetingId, from: later }]) {
    assert.deepEqual(await ask(limits), found)
  }
  assert.deepEqual(await ask({ meetingId, to: AT }), found)
  isBudgetUsedUp = true
  await ask({ meetingId })
  const onlyKeys = openArea(model, [])
  const question = { question: 'a', meetingId }
  const answer = await onlyKeys.run(INSTANCE_VIEWER, question, SILENT, NEVER_ABORTED)
  assert.partialDeepStrictEqual(answer, {
    found: false,
    method: 'passages',
    reason: 'budget',
    answer: null,
    passages: [],
  })
})

test('of too many lines a model gets those of the best passages', async () => {
  const lengthy = 'word '.repeat(400)
  const found = [
    createPassage({ number: 90, text: `best ${lengthy}`, before: around(89) }),
    ...Array.from({ length: 9 }, (_, i) => {
      const number = 5 * i + 1
      const after = around(number + 1, number + 2, number + 3)
      return createPassage({
        number,
        text: lengthy,
        after: after.map((line) => ({ ...line, text: lengthy })),
      })
    }),
  ]
  let text = ''
  const model = createModel(async ({ excerpts, lineNumbers }) => {
    text = excerpts.map((excerpt) => excerpt.text).join('\n')
    assert.equal(text.match(/^\[\d+\]/gm)?.length, lineNumbers.size)
    assert.ok(lineNumbers.size < 38 && text.length <= 48_000)
    return { ended: 'done', truncatedBy: null }
  })
  await openArea(model, found).run(INSTANCE_VIEWER, { question: 'a' }, SILENT, NEVER_ABORTED)
  assert.match(text, /^\[1\] .*\n…\n\[37\] .*Line 89\n\[38\] .*best/s)
})

test('a model has ten seconds to order the passages, and the rest of the time limit to answer', async () => {
  const found = Array.from({ length: 11 }, (_, i) => createPassage({ number: 10 * i + 1 }))
  const limits: number[] = []
  const model: AnswerModel = {
    ...createModel(async (_prompt, { timeoutMs }) => {
      limits.push(timeoutMs)
      return { ended: 'late' }
    }),
    async rank(_prompt, { timeoutMs }) {
      limits.push(timeoutMs)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return null
    },
  }
  const answer = await openArea(model, found).run(
    INSTANCE_VIEWER,
    { question: 'a' },
    SILENT,
    NEVER_ABORTED,
  )
  assert.partialDeepStrictEqual(answer, { reason: 'model_timeout', method: 'passages' })
  assert.equal(answer.passages.length, 10)
  const [rankMs = 0, answerMs = 0] = limits
  assert.equal(rankMs, 10_000)
  assert.ok(answerMs > rankMs && answerMs < 50_000)
})

test('only lines that fit into the request can be cited', async () => {
  const long = Array.from({ length: 40 }, (_, i) =>
    createPassage({ number: 10 * i + 1, text: `${i} ${'word '.repeat(400)}` }),
  )
  let [excerptChars, lastNumber] = [0, 0]
  const model = createModel(async ({ excerpts, lineNumbers }, { onText }) => {
    excerptChars = excerpts.reduce((sum, { text }) => sum + text.length, 0)
    lastNumber = Math.max(...lineNumbers)
    onText(`It is so [${lastNumber}].\nIt is not [${lastNumber + 1}].`)
    return { ended: 'done', truncatedBy: null }
  })
  const area = openArea(model, long)
  const answer = await area.run(INSTANCE_VIEWER, { question: 'a' }, SILENT, NEVER_ABORTED)
  assert.ok(excerptChars <= 50_000 && lastNumber < 40)
  assert.deepEqual(answer.sentences, [{ text: 'It is so.', citationNumbers: [lastNumber] }])
  assert.equal(answer.droppedSentences, 1)
})

test('a model that failed after its first sentence is not asked again', async () => {
  let attempts = 0
  const model = createModel(async (_, { onText, onUsed }) => {
    attempts += 1
    onUsed({ inputTokens: 10, cachedInputTokens: 0, outputTokens: 1, costUsd: 0.5 })
    if (attempts === 2) onText('It is so [1]. And then it ')
    throw new ModelFailure('It broke off', true)
  })
  const area = openArea(model, [createPassage({})])
  const answer = await area.run(INSTANCE_VIEWER, { question: 'a' }, SILENT, NEVER_ABORTED)
  assert.partialDeepStrictEqual(answer, {
    method: 'model',
    reason: 'model_failed',
    error: 'It broke off',
    sentences: [{ text: 'It is so.' }],
    inputTokens: 20,
    costUsd: 1,
  })
  assert.equal(attempts, 2)
})

test('an unexpected error is not taken for a failure of the model', async () => {
  const model = createModel(async () => assert.fail('a bug'))
  const area = openArea(model, [createPassage({})])
  const answer = area.run(INSTANCE_VIEWER, { question: 'a' }, SILENT, NEVER_ABORTED)
  await assert.rejects(answer, { message: 'a bug' })
})

test('a node answers a limited number of questions at a time, and refused ones do not count', async () => {
  const leave = new AbortController()
  const model = createModel(async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { ended: 'aborted' }
  })
  const area = openArea(model, [createPassage({})])
  const ask = (request: object = {}) =>
    area.run(INSTANCE_VIEWER, { question: 'a', ...request }, SILENT, leave.signal)
  for (let i = 0; i < 17; i += 1) {
    await assert.rejects(ask({ from: AT, to: new Date(0) }), { code: 'invalid_request' })
  }
  const asked = Array.from({ length: 16 }, () => ask())
  await assert.rejects(ask(), { code: 'too_many_requests' })
  leave.abort()
  for (const { method, error } of await Promise.all(asked)) {
    assert.deepEqual([method, error], ['passages', 'The question was aborted'])
  }
  assert.equal((await ask()).error, 'The question was aborted')
})
