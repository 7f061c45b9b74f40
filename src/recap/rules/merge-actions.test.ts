import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createRulesRecap } from '../rules-recap.ts'

const LINES = [
  ['Ben Carter', "I'll review the contract by Friday."],
  ['Ana Ribeiro', 'Great.'],
  ['Ben Carter', 'And I will review the new design by Friday.'],
] as const

test('tasks of one person that are due on the same day stay separate', () => {
  const { actions } = createRulesRecap({
    startedAt: new Date('2026-11-17T09:00:00Z'),
    timeZone: null,
    languageHint: 'en',
    participants: ['Ana Ribeiro', 'Ben Carter'],
    segments: LINES.map(([speaker, text], i) => ({
      number: i + 1,
      speaker,
      text,
      startMs: i * 5000,
      endMs: i * 5000 + 4000,
    })),
  })
  assert.deepEqual(
    actions.map(({ dueDate, segmentNumbers }) => ({ dueDate, segmentNumbers })),
    [
      { dueDate: '2026-11-20', segmentNumbers: [1] },
      { dueDate: '2026-11-20', segmentNumbers: [3] },
    ],
  )
})
