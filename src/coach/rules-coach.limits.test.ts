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

function segment(
  number: number,
  speaker: string,
  text: string,
  startedAt = number * 1_000,
): CoachSegment {
  return { number, speaker, text, startedAt }
}

/** Adds one segment that is long enough for a monologue nudge. */
function addMonologue(coach: Coach, number: number, speaker: string, now: number): Insight[] {
  return coach.addSegments([segment(number, speaker, words(250), now)], now)
}

test('a nudge within twenty seconds of another is delayed and reported later if it still applies', () => {
  const coach = createRulesCoach()
  assert.deepEqual(categories(addMonologue(coach, 1, 'Ann', 0)), ['monologue'])
  assert.deepEqual(addMonologue(coach, 2, 'Bob', 19_999), [])
  assert.deepEqual(categories(coach.addSegments([segment(3, 'Bob', 'And so on.')], 20_000)), [
    'monologue',
  ])
})

test('of two simultaneous nudges the more important is reported first and the other after the gap', () => {
  const coach = createRulesCoach()
  coach.addSegments([segment(1, 'Bob', words(50)), segment(2, 'Cy', words(50))], 0)
  assert.deepEqual(categories(addMonologue(coach, 3, 'Ann', 1_000)), ['monologue'])
  assert.deepEqual(coach.addSegments([segment(4, 'Ann', 'More.')], 2_000), [])
  assert.deepEqual(categories(coach.addSegments([segment(5, 'Ann', 'More.')], 21_000)), [
    'talk_balance',
  ])
})

test('an unanswered question is reported when the gap after another nudge has ended', () => {
  const coach = createRulesCoach()
  coach.addSegments(
    [segment(1, 'Ann', words(240), 0), segment(2, 'Ann', 'Who has the figures now?')],
    0,
  )
  assert.deepEqual(categories(coach.addSegments([segment(3, 'Ann', words(10))], 50_000)), [
    'monologue',
  ])
  assert.equal(coach.nextTickAt(), 70_000)
  assert.deepEqual(coach.tick(69_999), [])
  assert.deepEqual(categories(coach.tick(70_000)), ['unanswered_question'])
})

test('the same nudge for the same speaker is not repeated within five minutes', () => {
  const coach = createRulesCoach()
  const counts = [0, 100_000, 200_000, 299_999, 300_000].map((now, i) => {
    coach.addSegments([segment(2 * i + 1, 'Bob', 'Yes.')], now)
    return addMonologue(coach, 2 * i + 2, 'Ann', now).length
  })
  assert.deepEqual(counts, [1, 0, 0, 0, 1])
  coach.addSegments([segment(20, 'Bob', 'Yes.')], 330_000)
  assert.deepEqual(categories(addMonologue(coach, 21, 'Cy', 330_000)), ['monologue'])
})

test('every decision and action item is reported once, without a gap between them', () => {
  const coach = createRulesCoach()
  const text = "We decided to ship on Friday. I'll send the report. Bob, can you fix the build?"
  assert.deepEqual(categories(coach.addSegments([segment(1, 'Ann', text)], 0)), [
    'decision',
    'action_item',
    'action_item',
  ])
  assert.deepEqual(coach.addSegments([segment(2, 'Ann', "i'll send the report")], 0), [])
  assert.deepEqual(coach.addSegments([segment(3, 'Bob', 'We decided to ship on Friday!')], 9e6), [])
  assert.equal(coach.addSegments([segment(4, 'Bob', "I'll send the report.")], 9e6).length, 1)
  assert.equal(coach.addSegments([segment(5, 'Ann', "I'll send the invoice.")], 9e6).length, 1)
})

test('a meeting has at most forty insights, of which at most twenty are nudges', () => {
  const coach = createRulesCoach()
  const nudges = Array.from({ length: 60 }, (_, i) =>
    addMonologue(coach, i + 1, `Speaker ${i}`, i * 30_000),
  ).flat()
  assert.equal(nudges.length, 20)
  const records = Array.from({ length: 60 }, (_, i) =>
    coach.addSegments([segment(100 + i, 'Ann', `I will send report ${i}.`)], 9e6),
  ).flat()
  assert.equal(records.length, 20)
  coach.addSegments([segment(200, 'Ann', 'Who has the figures now?')], 9e6)
  assert.equal(coach.nextTickAt(), null)
})

test('the rules coach ignores a segment it has already received', () => {
  const coach = createRulesCoach()
  const repeated = segment(1, 'Ann', words(200))
  for (let i = 0; i < 5; i += 1) assert.deepEqual(coach.addSegments([repeated], 0), [])
})

test('a coach restored from history keeps its limits and repeats no insight', () => {
  const first = createRulesCoach()
  const segments = [
    segment(1, 'Ann', "I'll send the report by Friday.", 0),
    segment(2, 'Bob', words(260), 10_000),
  ]
  const insights: PastInsight[] = first
    .addSegments(segments, 100_000)
    .map(({ category, speaker }) => ({ category, speaker, at: 100_000 }))
  assert.deepEqual(categories(insights), ['action_item', 'monologue'])

  const second = createRulesCoach({ history: { segments, insights } })
  assert.deepEqual(second.addSegments(segments, 101_000), [])
  assert.deepEqual(
    second.addSegments([segment(3, 'Bob', words(20))], 110_000),
    [],
    'the monologue was already reported',
  )
  assert.deepEqual(addMonologue(second, 4, 'Cy', 119_999), [], 'within the gap between nudges')
  assert.deepEqual(categories(second.addSegments([segment(5, 'Cy', 'So.')], 120_000)), [
    'monologue',
  ])
  assert.deepEqual(
    second.addSegments([segment(6, 'Ann', 'I’ll send the report by Friday')], 130_000),
    [],
  )
  assert.deepEqual(
    addMonologue(second, 7, 'Bob', 399_999),
    [],
    'within five minutes for the same speaker',
  )
  assert.equal(addMonologue(second, 8, 'Bob', 400_000).length, 1)
})

test('a restored coach does not repeat a monologue whose start is older than the restored segments', () => {
  const segments = Array.from({ length: 60 }, (_, i) =>
    segment(i + 500, 'Ann', words(20), i * 8_000),
  )
  const insights: PastInsight[] = [{ category: 'monologue', speaker: 'Ann', at: -400_000 }]
  const coach = createRulesCoach({ history: { segments, insights } })
  assert.deepEqual(coach.addSegments([segment(560, 'Ann', words(20), 480_000)], 490_000), [])
})

test('a restored coach reports an open question unless it was already reported', () => {
  const segments = [
    segment(1, 'Bob', 'Hello.', 0),
    segment(2, 'Ann', 'Who has the figures?', 10_000),
  ]
  const coach = createRulesCoach({ history: { segments, insights: [] } })
  const dueAt = coach.nextTickAt() ?? 0
  assert.ok(dueAt >= 70_000 && dueAt <= 75_000)
  assert.deepEqual(categories(coach.tick(dueAt)), ['unanswered_question'])

  const insights: PastInsight[] = [{ category: 'unanswered_question', speaker: 'Ann', at: 72_000 }]
  const informed = createRulesCoach({ history: { segments, insights } })
  assert.equal(informed.nextTickAt(), null)
  assert.deepEqual(informed.tick(1e6), [])
})

test('restored insights of all engines count towards the limit of forty', () => {
  const insights = Array.from({ length: 39 }, (_, i): PastInsight => ({
    category: i % 2 === 0 ? 'summary' : 'decision',
    speaker: null,
    at: i,
  }))
  const coach = createRulesCoach({ history: { segments: [], insights } })
  assert.equal(coach.addSegments([segment(1, 'Ann', "I'll send the report.")], 1e6).length, 1)
  assert.equal(coach.addSegments([segment(2, 'Ann', "I'll send the invoice.")], 1e6).length, 0)
})

test('a clock that is set back does not change the gap between nudges', () => {
  const coach = createRulesCoach()
  assert.equal(addMonologue(coach, 1, 'Ann', 9_000_000).length, 1)
  assert.equal(addMonologue(coach, 2, 'Bob', 1_000_000).length, 0)
  assert.equal(coach.addSegments([segment(3, 'Bob', 'So.')], 1_019_999).length, 0)
  assert.equal(coach.addSegments([segment(4, 'Bob', 'So.')], 1_020_000).length, 1)
  coach.addSegments([segment(5, 'Cy', 'Who has the figures now?')], 1_030_000)
  coach.tick(500_000)
  assert.equal(coach.nextTickAt(), 560_000)
  assert.deepEqual(categories(coach.tick(560_000)), ['unanswered_question'])
})
