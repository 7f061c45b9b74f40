import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Coach, Insight } from './coach.ts'
import { createRulesCoach } from './rules-coach.ts'

/** Adds segments as a calm speaker would say them, at 120 words per minute unless a duration is given. */
function createConversation(coach: Coach = createRulesCoach()) {
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
      const segment = { number, speaker, text, startedAt: at }
      at += ms
      return coach.addSegments([segment], at)
    },
  }
}

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')
const categories = (insights: Insight[]) => insights.map(({ category }) => category)

test('a monologue is reported once after 250 words, unless another speaker or a pause interrupts it', () => {
  const talk = createConversation()
  for (let i = 0; i < 12; i += 1) assert.deepEqual(talk.say('Ann', words(20)), [])
  const [insight, ...more] = talk.say('Ann', words(20))
  assert.deepEqual(more, [])
  assert.equal(insight?.category, 'monologue')
  assert.equal(insight?.speaker, 'Ann')
  assert.deepEqual(
    insight?.segmentNumbers,
    Array.from({ length: 13 }, (_, i) => i + 1),
  )
  for (let i = 0; i < 60; i += 1) assert.deepEqual(talk.say('Ann', words(20)), [])

  for (const interrupts of [
    (s: typeof talk) => s.say('Bob', 'Yes.'),
    (s: typeof talk) => s.wait(120_000),
  ]) {
    const other = createConversation()
    for (let i = 0; i < 12; i += 1) other.say('Ann', words(20))
    interrupts(other)
    for (let i = 0; i < 12; i += 1) assert.deepEqual(other.say('Ann', words(20)), [])
  }
})

test('a participant who is alone in the meeting gets no monologue or question nudge', () => {
  const talk = createConversation()
  talk.coach.setParticipants(['Ann'])
  for (let i = 0; i < 30; i += 1) assert.deepEqual(talk.say('Ann', words(20)), [])
  talk.say('Ann', 'Is anybody there now?')
  assert.equal(talk.coach.nextTickAt(), null)
  assert.deepEqual(talk.wait(60_000), [])
})

test('words of unknown speakers produce no nudges', () => {
  for (const name of ['', 'Unknown speaker']) {
    const talk = createConversation()
    for (let i = 0; i < 40; i += 1) assert.deepEqual(talk.say(name, `um ${words(19)}`, 4_000), [])
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
    const talk = createConversation()
    talk.coach.setParticipants(words(present).split(' ').filter(Boolean))
    const found: Insight[] = []
    for (let i = 0; i < 4; i += 1) {
      if (bob > 0) talk.say('Bob', words(bob))
      if (cy > 0) talk.say('Cy', words(cy))
      found.push(...talk.say('Ann', words(ann)))
      if (i < 2) assert.deepEqual(found, [], 'too early')
    }
    assert.deepEqual(categories(found), isFound ? ['talk_balance'] : [], `${ann} ${bob} ${cy}`)
    if (isFound) assert.match(found[0]?.text ?? '', /^Ann said 60 % .*3 people/)
  }
})

test('talk balance ignores words that are older than five minutes', () => {
  const talk = createConversation()
  talk.say('Bob', words(100))
  talk.say('Cy', words(100))
  talk.wait(300_000)
  for (let i = 0; i < 3; i += 1) {
    assert.deepEqual(talk.say('Ann', words(80)), [])
    assert.deepEqual(talk.say('Bob', words(20)), [])
  }
})

test('a question is reported when no one else has spoken for a minute', () => {
  const talk = createConversation()
  talk.say('Ann', 'Who can take the minutes today? I did it last time.')
  const dueAt = talk.coach.nextTickAt()
  assert.equal(dueAt, talk.now() + 60_000)
  assert.deepEqual(talk.wait(59_999), [])
  const [insight] = talk.wait(1)
  assert.deepEqual(insight, {
    category: 'unanswered_question',
    severity: 'nudge',
    title: 'Unanswered question',
    text: 'No one has answered Ann aloud: “Who can take the minutes today?”',
    speaker: 'Ann',
    segmentNumbers: [1],
  })
  assert.equal(talk.coach.nextTickAt(), null)
  assert.deepEqual(talk.wait(600_000), [])
})

test('questions in any script need an answer; tag questions, single words and statements do not', () => {
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
    const talk = createConversation()
    talk.say('Ann', text)
    assert.deepEqual(categories(talk.wait(60_000)), ['unanswered_question'], text)
  }
  for (const text of closed) {
    const talk = createConversation()
    talk.say('Ann', text)
    assert.equal(talk.coach.nextTickAt(), null, text)
  }
})

test('a question is closed when another speaker speaks, or when the asker continues for long', () => {
  const answers: Array<[speaker: string, text: string]> = [
    ['Bob', 'I do.'],
    ['', 'I do.'],
    ['Ann', words(41)],
  ]
  for (const [speaker, text] of answers) {
    const talk = createConversation()
    talk.say('Ann', 'Who has the figures now?')
    talk.say(speaker, text)
    assert.equal(talk.coach.nextTickAt(), null)
    assert.deepEqual(talk.wait(60_000), [])
  }
  const talk = createConversation()
  talk.say('Ann', 'Who has the figures now?')
  talk.say('Ann', 'I mean the ones of May. Does anybody know?')
  assert.match(talk.wait(60_000)[0]?.text ?? '', /Who has the figures now/)
})

test('pace is measured only between consecutive segments of one speaker', () => {
  /** Says twenty words per `ms` milliseconds for more than two minutes, alone or alternating with another speaker. */
  const run = (ms: number, others: boolean): string[] => {
    const talk = createConversation(createRulesCoach({ thresholds: { monologueWords: 9_999 } }))
    const found: Insight[] = []
    for (let i = 0; i < 30; i += 1) {
      found.push(...talk.say('Ann', words(20), ms))
      if (others) found.push(...talk.say('Bob', 'Yes.', 0))
    }
    return categories(found)
  }
  assert.deepEqual(run(6_000, false), ['pace'])
  assert.deepEqual(run(6_667, false), [])
  assert.deepEqual(run(8_000, false), [])
  assert.deepEqual(run(6_000, true), [])
  // Segments with the same start time have no pace.
  assert.deepEqual(run(0, false), [])
})

test('pace ignores segments that share a start time and start times that go back', () => {
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

test('many filler words are reported, and meaningful uses of the same words are not counted', () => {
  const cases: Array<[line: string, isFound: boolean]> = [
    ['um so this is, like, you know quite a good plan I mean uh for us and them too', true],
    ['do you know what kind of plan this is I mean it and I know it is a good one', false],
    ['so this is um quite a good plan for us and for them too and it is very cheap now', false],
  ]
  for (const [line, isFound] of cases) {
    const talk = createConversation(createRulesCoach({ thresholds: { monologueWords: 9_999 } }))
    const found = Array.from({ length: 12 }, () => talk.say('Ann', line)).flat()
    assert.deepEqual(categories(found), isFound ? ['filler'] : [], line)
  }
})
