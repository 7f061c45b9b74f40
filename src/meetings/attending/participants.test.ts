import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createHumanSpeechCheck, isNoteTakerBotName, createRosterTracker } from './participants.ts'

const NOTE_TAKERS = [
  'Notetaker',
  'Note-taker of Ana',
  'Notes Bot',
  'Otter',
  'Otter.ai',
  'Otter Pilot',
  'Ana’s OtterPilot',
  'Ana’s Otter Assistant',
  'Fireflies.ai Notetaker Ana',
  'Fred from Fireflies.ai',
  'Fathom',
  'Fathom AI Notetaker',
  'tl;dv',
  'tldv.io',
  'tldv.io Recorder',
  'read.ai',
  'Ana’s read.ai meeting notes',
  'MeetGeek AI',
  'hansard',
  'Hansard Bot',
]
const PEOPLE = [
  'Ana',
  'Emma Otter',
  'Tom Fathom',
  'Otter, Emma',
  'Glen Hansard',
  'Aida Fathom',
  'Abbot Otterson',
]

test('a name is a note-taker if it has a role word, is a product name, or has a product name and a bot word', () => {
  for (const name of NOTE_TAKERS) assert.equal(isNoteTakerBotName(name), true, name)
  for (const name of PEOPLE) assert.equal(isNoteTakerBotName(name), false, name)
})

test('a roster counts note-takers as participants but not as humans', () => {
  const names = ['Emma Otter', 'Otter.ai']
  const change = createRosterTracker().update(names.map((name, i) => ({ id: String(i), name })))
  assert.deepEqual([change.count, change.humanCount, change.humanNames], [2, 1, ['Emma Otter']])
})

test('a caption is human speech unless it is empty, spoken by the bot or by a note-taker', () => {
  const isHumanSpeech = createHumanSpeechCheck('Minutes')
  const cases: Array<[speaker: string, text: string, expected: boolean]> = [
    ['Ana', 'Hello', true],
    ['', 'Hello', true],
    ['Ana', ' … ', false],
    ['minutes (Guest)', 'Hello', false],
    ['You', 'Hello', false],
    ['Otter.ai', 'Hello', false],
  ]
  for (const [speaker, text, expected] of cases) {
    assert.equal(isHumanSpeech({ captionId: 'c', speaker, text }), expected, speaker)
  }
})
