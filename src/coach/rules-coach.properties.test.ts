import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  array,
  assert as assertProperty,
  constantFrom,
  integer,
  oneof,
  property,
  record,
  string,
  type Arbitrary,
} from 'fast-check'
import type { Coach, CoachSegment, Insight } from './coach.ts'
import { createRulesCoach } from './rules-coach.ts'

const LINES = [
  'I will send the report by Wednesday.',
  'We decided to go with option B.',
  'Who can take the minutes today?',
  'Can you please update the wiki?',
  'um you know I mean uh sort of',
  'word '.repeat(90),
  '我觉得我们应该推迟发布吗？',
  '**bold** [link](javascript:x) <b>|</b> `code`',
  '\u202eevil\u0000\n\r\u2028line',
]
/** Texts that make badly written patterns slow, or crash programs. */
const EXPENSIVE_TEXTS = [
  "I'll ".repeat(13_000),
  'we have all just '.repeat(4_000),
  'can you please '.repeat(4_000),
  '.'.repeat(65_536),
  '?'.repeat(65_536),
  'a b c? '.repeat(9_000),
  ' '.repeat(65_536),
  'u'.repeat(65_536),
  `a${'\u0301'.repeat(65_000)}?`,
  '👩\u200d👧'.repeat(12_000),
  '\ud800'.repeat(65_536),
]

type Step = { speaker: string; text: string; startedBefore: number; pass: number; isTick: boolean }
const step: Arbitrary<Step> = record({
  speaker: oneof(constantFrom('Ann', 'Bob', 'Cy', ''), string({ unit: 'binary', maxLength: 20 })),
  text: oneof(constantFrom(...LINES), string({ unit: 'binary', maxLength: 60 })),
  startedBefore: integer({ min: -5_000, max: 30_000 }),
  // The clock stands still, advances, jumps ahead or is set back.
  pass: oneof(constantFrom(0, 1, 20_000, 61_000, 300_000), integer({ min: -400_000, max: 20_000 })),
  isTick: constantFrom(false, false, false, true),
})

type Played = { insights: Insight[]; numbers: Set<number> }

function play(steps: readonly Step[], coach: Coach = createRulesCoach()): Played {
  const played: Played = { insights: [], numbers: new Set() }
  let now = 1_700_000_000_000
  for (const { speaker, text, startedBefore, pass, isTick } of steps) {
    now += pass
    if (isTick) played.insights.push(...coach.tick(now))
    else {
      const number = played.numbers.size + 1
      played.numbers.add(number)
      const segment = { number, speaker, text, startedAt: now - startedBefore }
      played.insights.push(...coach.addSegments([segment], now))
    }
  }
  return played
}

function assertValid({ title, text, segmentNumbers }: Insight, numbers: ReadonlySet<number>): void {
  const invisible =
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u
  for (const line of [title, text]) assert.doesNotMatch(line, invisible)
  assert.ok(title.length > 0 && title.length <= 80, title)
  assert.ok(text.length > 0 && text.length <= 400, text)
  assert.ok(segmentNumbers.length > 0)
  assert.ok(segmentNumbers.every((number) => numbers.has(number)))
}

test('every insight is short visible text based on received segments, and there are at most forty', () => {
  assertProperty(
    property(array(step, { maxLength: 150, size: 'max' }), (steps) => {
      const { insights, numbers } = play(steps)
      assert.ok(insights.length <= 40)
      for (const insight of insights) assertValid(insight, numbers)
    }),
  )
})

test('the same segments give the same insights, one by one or in batches', () => {
  assertProperty(
    property(
      array(step, { maxLength: 60, size: 'max' }),
      integer({ min: 1, max: 7 }),
      (steps, size) => {
        assert.deepEqual(play(steps), play(steps))
        const segments = steps.map(({ speaker, text, startedBefore }, i): CoachSegment => ({
          number: i + 1,
          speaker,
          text,
          startedAt: 100_000 - startedBefore,
        }))
        const [single, batched] = [createRulesCoach(), createRulesCoach()]
        const one = segments.flatMap((segment) => single.addSegments([segment], 100_000))
        const many: Insight[] = []
        for (let i = 0; i < segments.length; i += size) {
          many.push(...batched.addSegments(segments.slice(i, i + size), 100_000))
        }
        assert.deepEqual(many, one)
      },
    ),
  )
})

test('a tick at the due time reports one insight and leaves nothing due', () => {
  assertProperty(
    property(array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const coach = createRulesCoach()
      play(steps, coach)
      const at = coach.nextTickAt()
      if (at === null) return
      assert.deepEqual(coach.tick(at - 1), [])
      // The previous tick may have set the clock back, so the due time is read again.
      const dueAt = coach.nextTickAt() ?? at
      assert.equal(coach.tick(dueAt).length, 1)
      assert.equal(coach.nextTickAt(), null)
    }),
  )
})

test('a coach restored at any point does not repeat a record', () => {
  assertProperty(
    property(
      array(step, { maxLength: 50, size: 'max' }),
      integer({ min: 0, max: 50 }),
      (steps, cut) => {
        const segments = steps.map(({ speaker, text }, i): CoachSegment => ({
          number: i + 1,
          speaker,
          text,
          startedAt: i * 1_000,
        }))
        const addAll = (coach: Coach, added: readonly CoachSegment[]) =>
          added.flatMap((segment) =>
            coach
              .addSegments([segment], segment.startedAt)
              .map((insight) => ({ ...insight, at: segment.startedAt })),
          )
        const before = addAll(createRulesCoach(), segments.slice(0, cut))
        const history = { segments: segments.slice(0, cut), insights: before }
        const after = addAll(createRulesCoach({ history }), segments.slice(cut))
        const records = [...before, ...after].filter(({ severity }) => severity === 'info')
        const texts = records.map(({ text }) => text)
        assert.equal(new Set(texts).size, texts.length)
        assert.ok(before.length + after.length <= 40)
      },
    ),
  )
})

test('texts and names of 64 KiB that make patterns slow are handled like all others', () => {
  for (const expensive of EXPENSIVE_TEXTS) {
    const coach = createRulesCoach()
    const numbers = new Set<number>()
    for (let number = 1; number <= 20; number += 1) {
      numbers.add(number)
      const segment = {
        number,
        speaker: number % 2 ? expensive : 'Ann',
        text: expensive,
        startedAt: 0,
      }
      for (const insight of coach.addSegments([segment], number * 30_000))
        assertValid(insight, numbers)
    }
    for (const insight of coach.tick(9e6)) assertValid(insight, numbers)
  }
})
