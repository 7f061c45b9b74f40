import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Coach, Insight } from './coach.ts'
import { createRulesCoach } from './rules-coach.ts'

/** Plays lines at the pace of a calm speaker, 120 words a minute, unless told when they begin. */
function createStage(coach: Coach = createRulesCoach()) {
  let number = 0
  let at = 1_000_000
  return {
    coach,
    now: () => at,
    wait(ms: number): Insight[] {
      at += ms
      return coach.tick(at)
    },
    say(speaker: string, text: string, ms = text.split(' ').length * 500): Insight[] {
      number += 1
      const heard = { number, speaker, text, startedAt: at }
      at += ms
      return coach.addSegments([heard], at)
    },
  }
}

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')
const categories = (insights: Insight[]) => insights.map(({ category }) => category)

test('a monologue is noticed at 250 words, once, and only while nobody else speaks', () => {
  const stage = createStage()
  for (let i = 0; i < 12; i += 1) assert.deepEqual(stage.say('Ann', words(20)), [])
  const [insight, ...more] = stage.say('Ann', words(20))
  assert.deepEqual(more, [])
  assert.equal(insight?.category, 'monologue')
  assert.equal(insight?.speaker, 'Ann')
  assert.deepEqual(
    insight?.segmentNumbers,
    Array.from({ length: 13 }, (_, i) => i + 1),
  )
  for (let i = 0; i < 60; i += 1) assert.deepEqual(stage.say('Ann', words(20)), [])

  for (const interrupts of [
    (s: typeof stage) => s.say('Bob', 'Yes.'),
    (s: typeof stage) => s.wait(120_000),
  ]) {
    const other = createStage()
    for (let i = 0; i < 12; i += 1) other.say('Ann', words(20))
    interrupts(other)
    for (let i = 0; i < 12; i += 1) assert.deepEqual(other.say('Ann', words(20)), [])
  }
})

test('somebody alone in the room may speak as long as they like, and ask', () => {
  const stage = createStage()
  stage.coach.setParticipants(['Ann'])
  for (let i = 0; i < 30; i += 1) assert.deepEqual(stage.say('Ann', words(20)), [])
  stage.say('Ann', 'Is anybody there now?')
  assert.equal(stage.coach.nextTickAt(), null)
  assert.deepEqual(stage.wait(60_000), [])
})

test('words of unknown speakers are nobody’s monologue, pace or share', () => {
  for (const name of ['', 'Unknown speaker']) {
    const stage = createStage()
    for (let i = 0; i < 40; i += 1) assert.deepEqual(stage.say(name, `um ${words(19)}`, 4_000), [])
  }
})

test('talk balance needs three speakers, enough words and more than 60 % of them', () => {
  const cases: Array<[ann: number, bob: number, cy: number, present: number, isFound: boolean]> = [
    [61, 20, 20, 0, true],
    [61, 20, 20, 3, true],
    [61, 20, 20, 2, false],
    [60, 20, 20, 0, false],
    [81, 20, 0, 0, false],
  ]
  for (const [ann, bob, cy, present, isFound] of cases) {
    const stage = createStage()
    stage.coach.setParticipants(words(present).split(' ').filter(Boolean))
    const found: Insight[] = []
    for (let i = 0; i < 4; i += 1) {
      if (bob > 0) stage.say('Bob', words(bob))
      if (cy > 0) stage.say('Cy', words(cy))
      found.push(...stage.say('Ann', words(ann)))
      if (i < 2) assert.deepEqual(found, [], 'too early')
    }
    assert.deepEqual(categories(found), isFound ? ['talk_balance'] : [], `${ann} ${bob} ${cy}`)
    if (isFound) assert.match(found[0]?.text ?? '', /^Ann said 60 % .*3 people/)
  }
})

test('talk balance forgets what was said more than five minutes ago', () => {
  const stage = createStage()
  stage.say('Bob', words(100))
  stage.say('Cy', words(100))
  stage.wait(300_000)
  for (let i = 0; i < 3; i += 1) {
    assert.deepEqual(stage.say('Ann', words(80)), [])
    assert.deepEqual(stage.say('Bob', words(20)), [])
  }
})

test('a question is open when nobody else has spoken for a minute', () => {
  const stage = createStage()
  stage.say('Ann', 'Who can take the minutes today? I did it last time.')
  const dueAt = stage.coach.nextTickAt()
  assert.equal(dueAt, stage.now() + 60_000)
  assert.deepEqual(stage.wait(59_999), [])
  const [insight] = stage.wait(1)
  assert.deepEqual(insight, {
    category: 'unanswered_question',
    severity: 'nudge',
    title: 'A question is open',
    text: 'Nobody has answered Ann aloud: “Who can take the minutes today?”',
    speaker: 'Ann',
    segmentNumbers: [1],
  })
  assert.equal(stage.coach.nextTickAt(), null)
  assert.deepEqual(stage.wait(600_000), [])
})

test('questions in any script wait for an answer; nods, single words and statements do not', () => {
  const open = [
    'What do you think?',
    '你觉得这个方案怎么样？',
    'ما رأيك في هذا؟',
    'Was meint ihr dazu?',
  ]
  const closed = [
    'That works, right?',
    'Really?',
    'We are done. Okay?',
    'I wonder.',
    'It costs 3.5?x',
  ]
  for (const text of open) {
    const stage = createStage()
    stage.say('Ann', text)
    assert.deepEqual(categories(stage.wait(60_000)), ['unanswered_question'], text)
  }
  for (const text of closed) {
    const stage = createStage()
    stage.say('Ann', text)
    assert.equal(stage.coach.nextTickAt(), null, text)
  }
})

test('a question is settled by any other voice, or by the asker who goes on at length', () => {
  const settle: Array<[speaker: string, text: string]> = [
    ['Bob', 'I do.'],
    ['', 'I do.'],
    ['Ann', words(41)],
  ]
  for (const [speaker, text] of settle) {
    const stage = createStage()
    stage.say('Ann', 'Who has the figures now?')
    stage.say(speaker, text)
    assert.equal(stage.coach.nextTickAt(), null)
    assert.deepEqual(stage.wait(60_000), [])
  }
  const stage = createStage()
  stage.say('Ann', 'Who has the figures now?')
  stage.say('Ann', 'I mean the ones of May. Does anybody know?')
  assert.match(stage.wait(60_000)[0]?.text ?? '', /Who has the figures now/)
})

test('pace is measured between starts of one speaker, never from text of unknown duration', () => {
  /** Twenty words each so many milliseconds, for more than two minutes, in turns with others or alone. */
  const run = (ms: number, others: boolean): string[] => {
    const stage = createStage(createRulesCoach({ thresholds: { monologueWords: 9_999 } }))
    const found: Insight[] = []
    for (let i = 0; i < 30; i += 1) {
      found.push(...stage.say('Ann', words(20), ms))
      if (others) found.push(...stage.say('Bob', 'Yes.', 0))
    }
    return categories(found)
  }
  assert.deepEqual(run(6_000, false), ['pace'])
  assert.deepEqual(run(6_667, false), [])
  assert.deepEqual(run(8_000, false), [])
  assert.deepEqual(run(6_000, true), [])
  // All given the same start: no pace at all.
  assert.deepEqual(run(0, false), [])
})

test('pace is not fooled by a burst of segments that share a start, or by times that go back', () => {
  const coach = createRulesCoach({ thresholds: { monologueWords: 9_999 } })
  const starts = [
    0,
    0,
    0,
    0,
    ...Array.from({ length: 20 }, (_, i) => 8_000 * (i + 1)),
    1_000,
    5_000,
  ]
  const found = starts.flatMap((startedAt, i) =>
    coach.addSegments([{ number: i + 1, speaker: 'Ann', text: words(20), startedAt }], i * 8_000),
  )
  assert.deepEqual(found, [])
})

test('fillers are counted against the words around them', () => {
  const cases: Array<[line: string, isFound: boolean]> = [
    ['um so this is, like, you know quite a good plan I mean uh for us and them too', true],
    ['do you know what kind of plan this is I mean it and I know it is a good one', false],
    ['so this is um quite a good plan for us and for them too and it is very cheap now', false],
  ]
  for (const [line, isFound] of cases) {
    const stage = createStage(createRulesCoach({ thresholds: { monologueWords: 9_999 } }))
    const found = Array.from({ length: 12 }, () => stage.say('Ann', line)).flat()
    assert.deepEqual(categories(found), isFound ? ['filler'] : [], line)
  }
})
