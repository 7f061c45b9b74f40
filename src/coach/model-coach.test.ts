import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { type CoachSegment, type Insight, COACH_THRESHOLDS } from './coach.ts'
import { createInsightLimiter } from './insight-limiter.ts'
import type { AskModel } from '../ai/ask-once.ts'
import { createModelCoach, COACH_SYSTEM_PROMPT } from './model-coach.ts'
import {
  MODEL_INSIGHT_CATEGORIES,
  ModelCoachAnswer,
  type DroppedInsight,
} from './model-insights.ts'
import { createRulesCoach } from './rules-coach.ts'

const MINUTE = 60_000

/** A model that answers when the test calls `answer` or `fail`. */
function createModel() {
  const prompts: string[] = []
  const maxTokens: number[] = []
  type OpenRequest = {
    answer(text: string | null): void
    fail(error: Error): void
    countTokens(tokens: number): void
  }
  let open: OpenRequest[] = []
  const ask: AskModel = (question, countTokens) => {
    prompts.push(question.prompt)
    maxTokens.push(question.maxTokens)
    return new Promise((answer, fail) => open.push({ answer, fail, countTokens }))
  }
  const settle = async (tokens: number, end: (request: OpenRequest) => void) => {
    const requests = open
    open = []
    for (const request of requests) {
      request.countTokens(tokens)
      end(request)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    ask,
    prompts,
    maxTokens,
    refuse: (): Promise<void> => settle(0, ({ answer }) => answer(null)),
    answer(content: unknown, tokens = 100): Promise<void> {
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      return settle(tokens, ({ answer }) => answer(text))
    },
    fail: (tokens = 100): Promise<void> => settle(tokens, ({ fail }) => fail(new Error('empty'))),
  }
}

function createTestCoach(limits = {}) {
  const model = createModel()
  const insights: Insight[] = []
  const failures: unknown[] = []
  const dropped: DroppedInsight[] = []
  let now = 0
  const limiter = createInsightLimiter(COACH_THRESHOLDS)
  const coach = createModelCoach({
    ask: model.ask,
    limiter,
    onInsights: (more) => insights.push(...more),
    onDropped: (more) => dropped.push(...more),
    onFailure: (error) => failures.push(error),
    now: () => now,
    limits,
  })
  let number = 0
  return {
    model,
    insights,
    failures,
    dropped,
    coach,
    limiter,
    /** Adds `count` segments and advances the clock by a minute. */
    say(count: number, text = 'We may run out of money in May.', ruleInsights: Insight[] = []) {
      const segments: CoachSegment[] = Array.from({ length: count }, () => {
        number += 1
        return { number, speaker: 'Ada', text, startedAt: now }
      })
      coach.addSegments(segments, ruleInsights, now)
      now += MINUTE
    },
  }
}

const risk = (segmentNumber: number, quote = 'run out of MONEY, in may') => ({
  category: 'risk',
  severity: 'warning',
  title: 'Money',
  text: 'It may not last',
  segmentNumber,
  quote,
})

test('the coach asks the model after enough new segments and at least a minute, one request at a time', async () => {
  const { model, say } = createTestCoach()
  say(7)
  assert.equal(model.prompts.length, 0)
  say(1)
  assert.equal(model.prompts.length, 1)
  assert.match(model.prompts[0] ?? '', /^Summary so far: nothing yet\n\nNew lines:\n1 Ada: We may/)
  for (let i = 0; i < 5; i += 1) say(8)
  assert.equal(model.prompts.length, 1)
  await model.answer({ summary: 'Money is short.', insights: [] })
  say(1)
  assert.equal(model.prompts.length, 2)
  assert.match(model.prompts[1] ?? '', /Summary so far: Money is short\.\n\nNew lines:\n9 Ada:/)
})

test('an insight of the model is reported only if it quotes a known segment and has a known category', async () => {
  const { model, say, insights, failures, dropped } = createTestCoach()
  say(8)
  await model.answer({
    summary: 's',
    insights: [
      risk(3, 'we will be bankrupt'),
      risk(99),
      { ...risk(2), category: 'pwned' },
      { ...risk(2), severity: 'critical' },
      'nonsense',
      { ...risk(2), text: 'x'.repeat(5_000), title: 'two\nlines' },
    ],
  })
  assert.deepEqual(failures, [])
  assert.equal(insights.length, 1)
  const [reported] = insights
  assert.deepEqual(
    [reported?.category, reported?.segmentNumbers, reported?.speaker],
    ['risk', [2], 'Ada'],
  )
  assert.equal(reported?.title, 'two lines')
  assert.ok((reported?.text.length ?? 0) <= 400)
  assert.deepEqual(dropped, [
    { reason: 'invalid', fields: ['category'] },
    { reason: 'invalid', fields: ['severity'] },
    { reason: 'invalid', fields: ['(all)'] },
    { reason: 'not_quoted', category: 'risk' },
    { reason: 'not_quoted', category: 'risk' },
  ])
  assert.ok(MODEL_INSIGHT_CATEGORIES.every((category) => category !== ('pwned' as string)))
})

test('the model does not repeat an insight of the rules, and its nudges are rate-limited', async () => {
  const { model, say, insights } = createTestCoach()
  const base = { severity: 'info' as const, title: 't', text: 't', speaker: 'Ada' }
  say(8, 'We decided to stop.', [{ ...base, category: 'decision', segmentNumbers: [4] }])
  const decision = (segmentNumber: number) => ({
    ...risk(segmentNumber, 'decided to stop'),
    category: 'decision',
  })
  const nudge = (segmentNumber: number) => risk(segmentNumber, 'decided to stop')
  await model.answer({ summary: 's', insights: [decision(4), decision(5), nudge(5), nudge(6)] })
  assert.deepEqual(
    insights.map(({ category, segmentNumbers }) => [category, segmentNumbers]),
    [
      ['decision', [5]],
      ['risk', [5]],
    ],
  )
})

test('a meeting that has used its tokens reports this once and does not ask the model again', async () => {
  const { model, say, insights } = createTestCoach({ maxTokens: 150 })
  say(8)
  await model.answer({ summary: 's', insights: [] })
  say(8)
  await model.answer({ summary: 's', insights: [] })
  assert.deepEqual(
    insights.map(({ category, severity }) => [category, severity]),
    [['summary', 'info']],
  )
  say(8)
  assert.equal(model.prompts.length, 2)
})

test('tokens of failed requests count towards the limit of the meeting', async () => {
  const { model, say, insights, failures } = createTestCoach({ maxTokens: 250 })
  say(8)
  await model.fail()
  say(8)
  await model.answer('no JSON')
  assert.equal(insights.length, 0)
  say(8)
  await model.fail()
  assert.equal(failures.length, 3)
  assert.deepEqual(
    insights.map(({ category, segmentNumbers }) => [category, segmentNumbers]),
    [['summary', [24]]],
  )
  say(8)
  assert.equal(model.prompts.length, 3)
})

test('an answer that is not JSON fails only that request, and an answer after disposal is ignored', async () => {
  const { model, say, insights, failures, coach } = createTestCoach()
  say(8)
  await model.answer('I would rather not.')
  assert.equal(failures.length, 1)
  say(8)
  await model.answer(
    `Here it is:\n\`\`\`json\n${JSON.stringify({ summary: '', insights: [risk(9)] })}\n\`\`\``,
  )
  assert.equal(insights.length, 1)
  say(8)
  coach[Symbol.dispose]()
  await model.answer({ summary: '', insights: [risk(17)] })
  assert.equal(insights.length, 1)
  assert.equal(failures.length, 1)
})

test('a disposed coach does not ask the model', () => {
  const { model, say, coach } = createTestCoach()
  coach[Symbol.dispose]()
  say(8)
  assert.deepEqual(model.prompts, [])
})

test('the rules and the model share the limit of forty insights and the gap between nudges', async () => {
  const { model, say, insights, limiter } = createTestCoach()
  const past = Array.from({ length: 37 }, (_, at) => ({
    category: 'deadline' as const,
    speaker: null,
    at,
  }))
  const rules = createRulesCoach({ limiter, history: { segments: [], insights: past } })
  say(8)
  await model.answer({ summary: 's', insights: [risk(1), { ...risk(2), category: 'objection' }] })
  const categories = () => insights.map(({ category }) => category)
  assert.deepEqual(categories(), ['risk'])

  const speech = Array.from({ length: 260 }, () => 'word').join(' ')
  const addMonologue = (number: number, now: number) =>
    rules.addSegments([{ number, speaker: 'Bob', text: speech, startedAt: now }], now)
  assert.deepEqual(
    addMonologue(1, MINUTE + 19_999),
    [],
    'within the gap after the nudge of the model',
  )
  assert.equal(addMonologue(2, MINUTE + 20_000).length, 1)

  say(8)
  const decisions = [9, 10, 11].map((number) => ({ ...risk(number), category: 'decision' }))
  await model.answer({ summary: 's', insights: decisions })
  assert.deepEqual(categories(), ['risk', 'decision'], 'only the fortieth insight is reported')
})

test('lines of a failed request are sent again with the next, up to the limit of segments', async () => {
  const { model, say } = createTestCoach({ maxSegments: 20 })
  const numbersOf = (prompt = '') => [...prompt.matchAll(/^(\d+) Ada:/gm)].map(([, n]) => Number(n))
  say(8)
  await model.fail()
  say(8)
  assert.deepEqual(numbersOf(model.prompts[1]).slice(0, 2), [1, 2])
  await model.answer('not JSON')
  say(8)
  assert.deepEqual([numbersOf(model.prompts[2]).at(0), numbersOf(model.prompts[2]).at(-1)], [5, 24])
  await model.answer({ summary: 's', insights: [] })
  say(8)
  assert.deepEqual(numbersOf(model.prompts[3]).at(0), 25, 'lines of an answered request')
})

test('an unusable answer fails with its reason and without any of its text', async () => {
  const { model, say, failures } = createTestCoach()
  for (const answer of ['Secret plans.', '{"decisions": ["secret"]}', '{"summary": "secret"}']) {
    say(8)
    await model.answer(answer)
  }
  const messages = failures.map(String)
  assert.deepEqual(
    messages.map((message) => /not JSON|summary, insights|: insights/.exec(message)?.[0]),
    ['not JSON', 'summary, insights', ': insights'],
  )
  assert.doesNotMatch(messages.join(), /secret/i)
})

test('a model that has no room for another request is not asked again', async () => {
  const { model, say, insights } = createTestCoach({ maxTokens: 1_000 })
  say(8)
  await model.refuse()
  assert.deepEqual(
    insights.map(({ category }) => category),
    ['summary'],
  )
  say(8)
  assert.deepEqual([model.prompts.length, model.maxTokens], [1, [1_000]])
})

test('the prompt of the coach names every field and category of its answer', () => {
  const item = ModelCoachAnswer.shape.insights.element
  const names = [...Object.keys(ModelCoachAnswer.shape), ...Object.keys(item.shape)]
  for (const name of names) assert.ok(COACH_SYSTEM_PROMPT.includes(`"${name}"`), name)
  for (const category of MODEL_INSIGHT_CATEGORIES) assert.ok(COACH_SYSTEM_PROMPT.includes(category))
})
