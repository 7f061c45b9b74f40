import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Recap } from './recap.ts'
import { createRulesRecap } from './rules-recap.ts'

/** Makes a recap of turns, each with a speaker and a text. The meeting is on Monday, 16 November 2026. */
function recapOf(languageHint: string, turns: ReadonlyArray<readonly [string, string]>): Recap {
  return createRulesRecap({
    startedAt: new Date('2026-11-16T09:00:00Z'),
    timeZone: null,
    languageHint,
    participants: ['Ben Carter', 'Chloé Martin', 'Dev Patel', 'Ana Ribeiro'],
    segments: turns.map(([speaker, text], index) => ({
      number: index + 1,
      speaker,
      text,
      startMs: index * 5000,
      endMs: index * 5000 + 4000,
    })),
  })
}

test('an accepted request belongs to the person who accepts it, with both segments', () => {
  const { actions } = recapOf('en', [
    ['Ana Ribeiro', 'Can someone please update the price list?'],
    ['Dev Patel', "Sure, I'll do it by Thursday."],
  ])
  assert.equal(actions.length, 1)
  assert.deepEqual(actions[0], {
    text: 'Can someone please update the price list?',
    owner: 'Dev Patel',
    dueText: 'by Thursday',
    dueDate: '2026-11-19',
    segmentNumbers: [1, 2],
  })
})

test('a promise of "that" quotes the turn before, which says what is promised', () => {
  const turns = [
    ['Ana Ribeiro', 'Wer kümmert sich um die Schilder vor dem Haus?'],
    ['Jürgen Groß', 'Das übernehme ich.'],
  ] as const
  assert.deepEqual(recapOf('de', turns).actions, [
    {
      text: 'Wer kümmert sich um die Schilder vor dem Haus? – Das übernehme ich.',
      owner: 'Jürgen Groß',
      dueText: null,
      dueDate: null,
      segmentNumbers: [1, 2],
    },
  ])
  assert.deepEqual(recapOf('de', turns.slice(1)).actions, [])
})

test('a refused request is no action', () => {
  const { actions } = recapOf('en', [
    ['Ana Ribeiro', 'Ben, could you write the report?'],
    ['Ben Carter', "Sorry, I can't, I'm away."],
  ])
  assert.deepEqual(actions, [])
})

test('a task that is repeated later is one action with the newest due date', () => {
  const { actions } = recapOf('en', [
    ['Ben Carter', "I'll prepare the budget slides by Thursday."],
    ['Ana Ribeiro', 'Great.'],
    ['Dev Patel', 'The office was cold this morning, by the way.'],
    ['Chloé Martin', 'It was freezing.'],
    ['Dev Patel', 'They repair it in the afternoon.'],
    ['Ana Ribeiro', 'So Ben will prepare the budget slides by Friday.'],
  ])
  assert.deepEqual(
    actions.map(({ owner, dueDate, segmentNumbers }) => ({ owner, dueDate, segmentNumbers })),
    [{ owner: 'Ben Carter', dueDate: '2026-11-20', segmentNumbers: [1, 6] }],
  )
})

test('tasks that differ only in a number are different tasks, and another due date is not another task', () => {
  const { actions } = recapOf('en', [
    ['Ben Carter', "I'll fix ticket 12 of the import project by 4 December."],
    ['Ana Ribeiro', 'Great.'],
    ['Dev Patel', 'The office was cold this morning, by the way.'],
    ['Ben Carter', "I'll fix ticket 15 of the import project."],
    ['Dev Patel', 'They repair it in the afternoon.'],
    ['Chloé Martin', 'It was freezing.'],
    ['Ben Carter', "I'll fix ticket 12 of the import project by 7 December."],
  ])
  assert.deepEqual(
    actions.map(({ dueDate, segmentNumbers }) => ({ dueDate, segmentNumbers })),
    [
      { dueDate: '2026-12-07', segmentNumbers: [1, 7] },
      { dueDate: null, segmentNumbers: [4] },
    ],
  )
})

test('tasks that are given one after the other are different tasks, however short they are', () => {
  const cases = [
    [
      ['Ana Ribeiro', 'Chloé will run the upgrade test today.'],
      ['Dev Patel', "I'll write to the customers about the delay."],
      ['Ana Ribeiro', 'Somebody has to call the landlord about the heating.'],
    ],
    [
      ['Ana Ribeiro', 'Ben will fix the search page.'],
      ['Ana Ribeiro', 'Ben will update the wiki.'],
      ['Ana Ribeiro', 'And Ben, can you order lunch?'],
    ],
  ] as const
  const segmentsOf = (turns: (typeof cases)[number]) =>
    recapOf('en', turns).actions.map(({ segmentNumbers }) => segmentNumbers)
  for (const turns of cases) assert.deepEqual(segmentsOf(turns), [[1], [2], [3]])
})

test('a promise that has only the verb is the task of the same person that is due on the same day', () => {
  const { actions } = recapOf('en', [
    ['Chloé Martin', "The upgrade test is still missing. I'll run it this afternoon."],
    ['Dev Patel', 'The office was cold this morning, by the way.'],
    ['Ben Carter', 'It was freezing.'],
    ['Ana Ribeiro', 'So Chloé will run the upgrade test today.'],
  ])
  assert.deepEqual(
    actions.map(({ text, segmentNumbers }) => ({ text, segmentNumbers })),
    [{ text: 'Chloé will run the upgrade test today.', segmentNumbers: [1, 4] }],
  )
})
