import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseScript } from './script.ts'

const PEOPLE = [
  { id: 'ana', name: 'Ana', isHost: true },
  { id: 'ben', name: 'Ben' },
]
const INSIDE = [
  { at: 1, do: 'admitted' },
  { at: 1, do: 'join', who: ['ana', 'ben'] },
]
const over = (at: number) => ({ at, do: 'over', because: 'host_ended' })
const say = (at: number, captionId: string, text: string, speaker = 'ana') => ({
  at,
  do: 'say',
  captionId,
  speaker,
  text,
})
const parse = (steps: unknown[], people: unknown[] = PEOPLE) =>
  parseScript({ about: 'A test.', people, steps })

test('a consistent practice script is accepted', () => {
  const script = parse([...INSIDE, say(2, 'c1', 'Hello there.'), over(9)])
  assert.equal(script.steps.length, 4)
})

test('an inconsistent practice script is rejected with the reason', () => {
  const twin = { at: 2, do: 'caption', captionId: 'c2', speaker: 'ana', text: 'Hi', twinOf: 'c9' }
  const round = { at: 2, do: 'repeat', times: 2, every: 5 }
  const cases: Array<[steps: unknown[], reason: RegExp]> = [
    [[], /steps/],
    [[{ at: 0, do: 'dance' }], /Invalid/],
    [[{ at: -1, do: 'lobby' }], /at/],
    [[{ at: 0, do: 'lobby', who: ['ana'] }], /who/],
    [[{ at: 0, do: 'over', because: 'boredom' }], /because/],
    [[...INSIDE, { at: 0.5, do: 'captions back' }], /captions back at 0.5 comes after 1/],
    [[{ at: 0, do: 'join', who: ['ana'] }], /people before admission/],
    [[say(0, 'c1', 'Hi')], /caption before admission/],
    [[...INSIDE, say(2, 'c1', 'Hi', 'zoe')], /zoe is not a participant/],
    [[...INSIDE, { at: 2, do: 'leave', who: ['zoe'] }], /zoe is not a participant/],
    [[{ at: 1, do: 'admitted' }, say(2, 'c1', 'Hi')], /Ana speaks without having joined/],
    [[...INSIDE, say(2, 'c1', 'Hi'), say(3, 'c1', 'Hi')], /c1 is the id of two say steps/],
    [[...INSIDE, twin], /c9 is named by twinOf, but is not a caption/],
    [
      [...INSIDE, say(2, 'c1', 'Hi'), { ...twin, captionId: 'c1', speaker: 'ben', twinOf: 'c1' }],
      /c1 has two speakers/,
    ],
    [
      [...INSIDE, say(2, 'c1', 'one two three four'), over(2.5)],
      /caption after the meeting is over/,
    ],
    [[...INSIDE, over(2), { at: 3, do: 'captions back' }], /captions back after the meeting/],
    [[...INSIDE, over(2), over(3)], /over after the meeting is over/],
    [[...INSIDE, { ...round, steps: [say(0, 'c{n}', 'Hi {name}')] }], /placeholder without words/],
    [[...INSIDE, { ...round, steps: [say(0, 'c1', 'Hi')] }], /c1 is the id of two say steps/],
    [
      [...INSIDE, { ...round, steps: [say(2, 'a{n}', 'Hi'), say(1, 'b{n}', 'Hi')] }],
      /repeated say at 1/,
    ],
    [[...INSIDE, { ...round, steps: [say(0, 'c{n}', 'Hi')] }, over(3)], /before a repeat's 12/],
  ]
  for (const [steps, reason] of cases) assert.throws(() => parse(steps), reason)
})

test("participant ids of a practice script must be unique and differ from the bot's id", () => {
  const zoe = { id: 'ana', name: 'Zoe' }
  assert.throws(() => parse(INSIDE, [...PEOPLE, zoe]), /ana is the id of two participants/)
  assert.throws(() => parse(INSIDE, [...PEOPLE, { ...zoe, id: 'self' }]), /self is the id of two/)
})
