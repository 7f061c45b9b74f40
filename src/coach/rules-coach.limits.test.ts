import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Coach, CoachSegment, Insight, PastInsight } from './coach.ts'
import { createRulesCoach } from './rules-coach.ts'

const PLAIN =
  'so the plan for the next few months is that all of the teams work on it together'.split(' ')
const words = (count: number) =>
  Array.from({ length: count }, (_, i) => PLAIN[i % PLAIN.length]).join(' ')
const categories = (insights: readonly { category: string }[]) =>
  insights.map(({ category }) => category)

function heard(
  number: number,
  speaker: string,
  text: string,
  startedAt = number * 1_000,
): CoachSegment {
  return { number, speaker, text, startedAt }
}

/** Says what makes a monologue, all at once. */
function holdForth(coach: Coach, number: number, speaker: string, now: number): Insight[] {
  return coach.addSegments([heard(number, speaker, words(250), now)], now)
}

test('nudges keep twenty seconds apart, and what still holds then is said', () => {
  const coach = createRulesCoach()
  assert.deepEqual(categories(holdForth(coach, 1, 'Ann', 0)), ['monologue'])
  assert.deepEqual(holdForth(coach, 2, 'Bob', 19_999), [])
  assert.deepEqual(categories(coach.addSegments([heard(3, 'Bob', 'And so on.')], 20_000)), [
    'monologue',
  ])
})

test('of nudges that are true at once the more important is said, the other after the gap', () => {
  const coach = createRulesCoach()
  coach.addSegments([heard(1, 'Bob', words(50)), heard(2, 'Cy', words(50))], 0)
  assert.deepEqual(categories(holdForth(coach, 3, 'Ann', 1_000)), ['monologue'])
  assert.deepEqual(coach.addSegments([heard(4, 'Ann', 'More.')], 2_000), [])
  assert.deepEqual(categories(coach.addSegments([heard(5, 'Ann', 'More.')], 21_000)), [
    'talk_balance',
  ])
})

test('an open question waits for the gap to end', () => {
  const coach = createRulesCoach()
  coach.addSegments(
    [heard(1, 'Ann', words(240), 0), heard(2, 'Ann', 'Who has the figures now?')],
    0,
  )
  assert.deepEqual(categories(coach.addSegments([heard(3, 'Ann', words(10))], 50_000)), [
    'monologue',
  ])
  assert.equal(coach.nextTickAt(), 70_000)
  assert.deepEqual(coach.tick(69_999), [])
  assert.deepEqual(categories(coach.tick(70_000)), ['unanswered_question'])
})

test('the same nudge for the same speaker is not repeated within five minutes', () => {
  const coach = createRulesCoach()
  const said = [0, 100_000, 200_000, 299_999, 300_000].map((now, i) => {
    coach.addSegments([heard(2 * i + 1, 'Bob', 'Yes.')], now)
    return holdForth(coach, 2 * i + 2, 'Ann', now).length
  })
  assert.deepEqual(said, [1, 0, 0, 0, 1])
  coach.addSegments([heard(20, 'Bob', 'Yes.')], 330_000)
  assert.deepEqual(categories(holdForth(coach, 21, 'Cy', 330_000)), ['monologue'])
})

test('decisions and action items are each reported once, however close together they come', () => {
  const coach = createRulesCoach()
  const text = "We decided to ship on Friday. I'll send the report. Bob, can you fix the build?"
  assert.deepEqual(categories(coach.addSegments([heard(1, 'Ann', text)], 0)), [
    'decision',
    'action_item',
    'action_item',
  ])
  assert.deepEqual(coach.addSegments([heard(2, 'Ann', "i'll send the report")], 0), [])
  assert.deepEqual(coach.addSegments([heard(3, 'Bob', 'We decided to ship on Friday!')], 9e6), [])
  assert.equal(coach.addSegments([heard(4, 'Bob', "I'll send the report.")], 9e6).length, 1)
  assert.equal(coach.addSegments([heard(5, 'Ann', "I'll send the invoice.")], 9e6).length, 1)
})

test('a meeting has forty insights at most, of which nudges take no more than their part', () => {
  const coach = createRulesCoach()
  const nudges = Array.from({ length: 60 }, (_, i) =>
    holdForth(coach, i + 1, `Speaker ${i}`, i * 30_000),
  ).flat()
  assert.equal(nudges.length, 20)
  const records = Array.from({ length: 60 }, (_, i) =>
    coach.addSegments([heard(100 + i, 'Ann', `I will send report ${i}.`)], 9e6),
  ).flat()
  assert.equal(records.length, 20)
  coach.addSegments([heard(200, 'Ann', 'Who has the figures now?')], 9e6)
  assert.equal(coach.nextTickAt(), null)
})

test('a segment heard before is not heard again', () => {
  const coach = createRulesCoach()
  const segment = heard(1, 'Ann', words(200))
  for (let i = 0; i < 5; i += 1) assert.deepEqual(coach.addSegments([segment], 0), [])
})

test('after a restart limits hold and nothing is said again', () => {
  const first = createRulesCoach()
  const segments = [
    heard(1, 'Ann', "I'll send the report by Friday.", 0),
    heard(2, 'Bob', words(260), 10_000),
  ]
  const insights: PastInsight[] = first
    .addSegments(segments, 100_000)
    .map(({ category, speaker }) => ({ category, speaker, at: 100_000 }))
  assert.deepEqual(categories(insights), ['action_item', 'monologue'])

  const second = createRulesCoach({ history: { segments, insights } })
  assert.deepEqual(second.addSegments(segments, 101_000), [])
  assert.deepEqual(
    second.addSegments([heard(3, 'Bob', words(20))], 110_000),
    [],
    'the same monologue',
  )
  assert.deepEqual(holdForth(second, 4, 'Cy', 119_999), [], 'the gap')
  assert.deepEqual(categories(second.addSegments([heard(5, 'Cy', 'So.')], 120_000)), ['monologue'])
  assert.deepEqual(
    second.addSegments([heard(6, 'Ann', 'I’ll send the report by Friday')], 130_000),
    [],
  )
  assert.deepEqual(holdForth(second, 7, 'Bob', 399_999), [], 'the same speaker')
  assert.equal(holdForth(second, 8, 'Bob', 400_000).length, 1)
})

test('a monologue whose beginning is forgotten after a restart is still the one spoken of', () => {
  const segments = Array.from({ length: 60 }, (_, i) => heard(i + 500, 'Ann', words(20), i * 8_000))
  const insights: PastInsight[] = [{ category: 'monologue', speaker: 'Ann', at: -400_000 }]
  const coach = createRulesCoach({ history: { segments, insights } })
  assert.deepEqual(coach.addSegments([heard(560, 'Ann', words(20), 480_000)], 490_000), [])
})

test('a question asked before a restart still waits, unless it was spoken of', () => {
  const segments = [heard(1, 'Bob', 'Hello.', 0), heard(2, 'Ann', 'Who has the figures?', 10_000)]
  const coach = createRulesCoach({ history: { segments, insights: [] } })
  const dueAt = coach.nextTickAt() ?? 0
  assert.ok(dueAt >= 70_000 && dueAt <= 75_000)
  assert.deepEqual(categories(coach.tick(dueAt)), ['unanswered_question'])

  const insights: PastInsight[] = [{ category: 'unanswered_question', speaker: 'Ann', at: 72_000 }]
  const informed = createRulesCoach({ history: { segments, insights } })
  assert.equal(informed.nextTickAt(), null)
  assert.deepEqual(informed.tick(1e6), [])
})

test('insights of before a restart count among the forty, those of other engines too', () => {
  const insights = Array.from({ length: 39 }, (_, i): PastInsight => ({
    category: i % 2 === 0 ? 'summary' : 'decision',
    speaker: null,
    at: i,
  }))
  const coach = createRulesCoach({ history: { segments: [], insights } })
  assert.equal(coach.addSegments([heard(1, 'Ann', "I'll send the report.")], 1e6).length, 1)
  assert.equal(coach.addSegments([heard(2, 'Ann', "I'll send the invoice.")], 1e6).length, 0)
})

test('a clock that is set back neither silences the coach nor lets it chatter', () => {
  const coach = createRulesCoach()
  assert.equal(holdForth(coach, 1, 'Ann', 9_000_000).length, 1)
  assert.equal(holdForth(coach, 2, 'Bob', 1_000_000).length, 0)
  assert.equal(coach.addSegments([heard(3, 'Bob', 'So.')], 1_019_999).length, 0)
  assert.equal(coach.addSegments([heard(4, 'Bob', 'So.')], 1_020_000).length, 1)
  coach.addSegments([heard(5, 'Cy', 'Who has the figures now?')], 1_030_000)
  coach.tick(500_000)
  assert.equal(coach.nextTickAt(), 560_000)
  assert.deepEqual(categories(coach.tick(560_000)), ['unanswered_question'])
})
