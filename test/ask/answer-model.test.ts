import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import { createLanguageModels } from '../../src/app/language-models.ts'
import { createAskArea } from '../../src/ask/area.ts'
import { parseConfig } from '../../src/config/config.ts'
import { NO_TRACER } from '../../src/lib/tracer.ts'
import { createLog } from '../../src/log.ts'
import type { QuestionPassage } from '../../src/projects/search/questions/find-passages.ts'
import { listUsage } from '../../src/ai/usage.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { openModelServer } from '../support/tasks/model-server.ts'

const AT = new Date('2026-11-15T08:30:00Z')
const PASSAGE: QuestionPassage = {
  kind: 'segment',
  project: 'zoo',
  title: 'Zoo',
  meetingId: 'meeting_1_a',
  number: 7,
  segmentNumber: 7,
  speaker: 'Ada',
  at: AT,
  path: null,
  line: null,
  text: 'The pump is broken.',
  score: 1,
  before: [],
  after: [],
}

test('answers have no model if it is off or a built-in one, and one if it is set', async () => {
  await using opened = await openTestDatabase()
  const parts = { db: opened.db, clock: { now: () => AT }, log: createLog('silent') }
  const findModel = (more: Record<string, string>) => {
    const env = {
      HANSARD_AI_MODEL: 'openai-compatible/m',
      HANSARD_AI_BASE_URL: 'http://a',
      ...more,
    }
    return createLanguageModels({
      tracer: NO_TRACER,
      ...parts,
      config: parseConfig({ env, root: '/' }),
    }).answer
  }
  assert.equal(findModel({ HANSARD_AI_ASK_MODEL: 'off' }), null)
  assert.equal(findModel({ HANSARD_AI_MODEL: 'builtin/rules-1' }), null)
  assert.notEqual(findModel({}), null)
})

test('a model that hangs is given up after the time limit, and what it used is recorded', async () => {
  await using opened = await openTestDatabase()
  await using server = await openModelServer(() => ({ breaksBy: 'hang' }))
  const { db } = opened
  const log = createLog('silent')
  const clock = { now: () => AT }
  const env = { HANSARD_AI_ASK_MODEL: 'openai-compatible/m', HANSARD_AI_BASE_URL: server.url }
  const config = parseConfig({ env, root: import.meta.dirname })
  const area = createAskArea({
    clock,
    log,
    model: createLanguageModels({ tracer: NO_TRACER, config, db, clock, log }).answer,
    findPassagesForQuestion: async () => [PASSAGE],
    listCitedSegments: async () => [],
    loadSegmentPassages: async () => [],
    timeZone: 'UTC',
    searchStatements: async () => [],
    requireProjectExists: async () => undefined,
    requireMeetingExists: async () => undefined,
    timeoutMs: 100,
  })
  const listener = {
    onPassages: () => undefined,
    onSentence: () => assert.fail('the model wrote nothing'),
  }
  const question = { question: 'What is broken?' }
  const { signal } = new AbortController()
  const answer = await area.run(INSTANCE_VIEWER, question, listener, signal)
  assert.partialDeepStrictEqual(answer, {
    found: true,
    method: 'passages',
    reason: 'model_timeout',
    error: 'The model did not answer in time',
    model: 'openai-compatible/m',
    passages: [{ number: 1, segmentNumber: 7, text: PASSAGE.text }],
  })
  const usageOf = (projects: string[] | null) =>
    listUsage(db, { kind: 'service', projects }, '2026-11-15', '2026-11-15')
  assert.deepEqual(await usageOf(['other']), [], 'it counts for the project of the lines')
  const [row] = await usageOf(['zoo'])
  assert.deepEqual([row?.taskName, row?.executions], ['(ask)', 1])
  assert.equal(row?.inputTokens, answer.inputTokens)
})
