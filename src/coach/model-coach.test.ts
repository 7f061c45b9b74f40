import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { CoachSegment, Insight } from './coach.ts'
import { createInsightLimiter } from './insight-limiter.ts'
import { createModelCoach, MODEL_CATEGORIES, type AskModel } from './model-coach.ts'
import { COACH_THRESHOLDS } from './coach-thresholds.ts'
import { createRulesCoach } from './rules-coach.ts'

const MINUTE = 60_000

/** A model that answers when it is told to. */
function createModel() {
  const prompts: string[] = []
  type Waiting = { answer(text: string): void; fail(error: Error): void; use(tokens: number): void }
  let waiting: Waiting[] = []
  const ask: AskModel = ({ prompt }, use) => {
    prompts.push(prompt)
    return new Promise((answer, fail) => waiting.push({ answer, fail, use }))
  }
  const settle = async (tokens: number, end: (one: Waiting) => void) => {
    const all = waiting
    waiting = []
    for (const one of all) {
      one.use(tokens)
      end(one)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    ask,
    prompts,
    answer(advice: unknown, tokens = 100): Promise<void> {
      const text = typeof advice === 'string' ? advice : JSON.stringify(advice)
      return settle(tokens, ({ answer }) => answer(text))
    },
    fail: (tokens = 100): Promise<void> => settle(tokens, ({ fail }) => fail(new Error('empty'))),
  }
}

function listen(rules = {}) {
  const model = createModel()
  const insights: Insight[] = []
  const failures: unknown[] = []
  let now = 0
  const gate = createInsightLimiter(COACH_THRESHOLDS)
  const coach = createModelCoach({
    ask: model.ask,
    limiter: gate,
    onInsights: (more) => insights.push(...more),
    onFailure: (error) => failures.push(error),
    now: () => now,
    limits: rules,
  })
  let number = 0
  return {
    model,
    insights,
    failures,
    coach,
    gate,
    /** So many lines, and then a minute passes. */
    say(count: number, text = 'We may run out of money in May.', said: Insight[] = []) {
      const segments: CoachSegment[] = Array.from({ length: count }, () => {
        number += 1
        return { number, speaker: 'Ada', text, startedAt: now }
      })
      coach.addSegments(segments, said, now)
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

test('a model is asked when enough was said and a minute has passed, and never twice at once', async () => {
  const { model, say } = listen()
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

test('an insight is told only if it quotes a line that was said, in a category of the list', async () => {
  const { model, say, insights, failures } = listen()
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
  const [told] = insights
  assert.deepEqual([told?.category, told?.segmentNumbers, told?.speaker], ['risk', [2], 'Ada'])
  assert.equal(told?.title, 'two lines')
  assert.ok((told?.text.length ?? 0) <= 400)
  assert.ok(MODEL_CATEGORIES.every((category) => category !== ('pwned' as string)))
})

test('what the rules said of the same line is not said again, and nudges keep their distance', async () => {
  const { model, say, insights } = listen()
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

test('a meeting that has used its tokens is told so once, and the model is not asked again', async () => {
  const { model, say, insights } = listen({ maxTokens: 150 })
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

test('tokens of answers that fail count, and their meeting is told too', async () => {
  const { model, say, insights, failures } = listen({ maxTokens: 250 })
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

test('an answer that is no JSON is a failure of that time only, and nothing is told after the end', async () => {
  const { model, say, insights, failures, coach } = listen()
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

test('the rules and the model have forty insights together, and their nudges keep one distance', async () => {
  const { model, say, insights, gate } = listen()
  const past = Array.from({ length: 37 }, (_, at) => ({
    category: 'deadline' as const,
    speaker: null,
    at,
  }))
  const rules = createRulesCoach({ limiter: gate, history: { segments: [], insights: past } })
  say(8)
  await model.answer({ summary: 's', insights: [risk(1), { ...risk(2), category: 'objection' }] })
  const categories = () => insights.map(({ category }) => category)
  assert.deepEqual(categories(), ['risk'])

  const speech = Array.from({ length: 260 }, () => 'word').join(' ')
  const holdForth = (number: number, now: number) =>
    rules.addSegments([{ number, speaker: 'Bob', text: speech, startedAt: now }], now)
  assert.deepEqual(holdForth(1, MINUTE + 19_999), [], 'the gap after the model')
  assert.equal(holdForth(2, MINUTE + 20_000).length, 1)

  say(8)
  const decisions = [9, 10, 11].map((number) => ({ ...risk(number), category: 'decision' }))
  await model.answer({ summary: 's', insights: decisions })
  assert.deepEqual(categories(), ['risk', 'decision'], 'the fortieth')
})
