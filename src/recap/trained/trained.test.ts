import { strict as assert } from 'node:assert'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RECAP_MEETINGS_FOLDER } from '../../../bench/support/recap-meetings.ts'
import { buildLongMeeting } from '../../../bench/support/long-meeting.ts'
import { readLabelledMeetings } from '../trial/labelled-meetings.ts'
import { createRulesRecap } from '../rules-recap.ts'
import { prepareMeeting } from '../rules/prepared-meeting.ts'
import { pickSentences, scoreSentences, smoothScores } from './scores.ts'

const english = readLabelledMeetings(RECAP_MEETINGS_FOLDER).filter(
  ({ language }) => language === 'en',
)

test('scores are probabilities, tasks score higher than small talk, and the same meeting has the same scores', () => {
  const [meeting] = english
  assert.ok(meeting)
  const scored = scoreSentences(prepareMeeting(meeting.source))
  assert.ok(scored !== null && scored.length > 50)
  const labelled = new Set(meeting.actions.flatMap(({ segments }) => segments))
  const meanOf = (isTask: boolean) => {
    const scores = scored
      .filter(({ sentence }) => labelled.has(sentence.segmentIndex + 1) === isTask)
      .map(({ score }) => score.action)
    return scores.reduce((sum, score) => sum + score, 0) / scores.length
  }
  assert.ok(meanOf(true) > 2 * meanOf(false), `${meanOf(true)} and ${meanOf(false)}`)
  assert.deepEqual(scoreSentences(prepareMeeting(meeting.source)), scored)
  for (const { score } of scored) {
    for (const value of Object.values(score)) assert.ok(value >= 0 && value < 2.5)
  }
})

test('only English has trained weights, and they take less than a megabyte', () => {
  const german = readLabelledMeetings(RECAP_MEETINGS_FOLDER).find(
    ({ language }) => language === 'de',
  )
  assert.ok(german)
  assert.equal(scoreSentences(prepareMeeting(german.source)), null)
  assert.ok(statSync(join(import.meta.dirname, 'english.json')).size < 1_000_000)
})

test('sentences are picked by score, and none near a picked one', () => {
  const { segments } = prepareMeeting(buildLongMeeting(english, 200))
  const candidates = segments.flatMap(({ sentences }, index) =>
    sentences.slice(0, 1).map((sentence) => ({ sentence, score: (index % 7) / 10 })),
  )
  const picked = pickSentences(candidates, { minScore: 0.5, distance: 6, max: 3 })
  const at = picked.map(({ segmentIndex }) => segmentIndex)
  assert.equal(at.length, 3)
  for (const a of at) {
    for (const b of at) assert.ok(a === b || Math.abs(a - b) > 6)
  }
  assert.deepEqual(pickSentences(candidates, { minScore: 0.9, distance: 6, max: 3 }), [])
  assert.deepEqual(smoothScores([0, 0, 1, 0, 0]), [0.25, 0.5, 1, 0.5, 0.25])
})

test('in a long meeting an explicit decision is kept, and the form of a task alone is not enough', () => {
  const filler = Array.from(
    { length: 200 },
    (_, index) => `Well, that was the weather of day ${index}.`,
  )
  const texts = [
    ...filler,
    'We decided to keep the old database.',
    ...filler,
    "But I'll just draw a different kind of dog.",
    ...filler,
  ]
  const { actions, decisions } = createRulesRecap({
    startedAt: new Date('2026-11-17T09:00:00Z'),
    timeZone: 'UTC',
    languageHint: 'en',
    participants: ['Ann', 'Ben'],
    segments: texts.map((text, index) => ({
      number: index + 1,
      speaker: index % 2 === 0 ? 'Ann' : 'Ben',
      text,
      startMs: index * 5000,
      endMs: index * 5000 + 4000,
    })),
  })
  assert.deepEqual(
    decisions.map(({ text }) => text),
    ['We decided to keep the old database.'],
  )
  assert.deepEqual(actions, [])
})
