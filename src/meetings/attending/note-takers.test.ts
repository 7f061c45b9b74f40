import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createHumanSpeechCheck } from './human-speech.ts'
import { isNoteTaker } from './note-takers.ts'
import { createRoster } from './roster.ts'

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

test('other note-takers are known by a word for what they are, or by a product’s name and no other', () => {
  for (const name of NOTE_TAKERS) assert.equal(isNoteTaker(name), true, name)
  for (const name of PEOPLE) assert.equal(isNoteTaker(name), false, name)
})

test('a roster counts other note-takers as present, and not as humans', () => {
  const names = ['Emma Otter', 'Otter.ai']
  const change = createRoster().update(names.map((name, i) => ({ id: String(i), name })))
  assert.deepEqual([change.count, change.humanCount, change.humanNames], [2, 1, ['Emma Otter']])
})

test('a caption is somebody’s voice unless it is empty, our own or another note-taker’s', () => {
  const isVoice = createHumanSpeechCheck('Minutes')
  const cases: Array<[speaker: string, text: string, expected: boolean]> = [
    ['Ana', 'Hello', true],
    ['', 'Hello', true],
    ['Ana', ' … ', false],
    ['minutes (Guest)', 'Hello', false],
    ['You', 'Hello', false],
    ['Otter.ai', 'Hello', false],
  ]
  for (const [speaker, text, expected] of cases) {
    assert.equal(isVoice({ captionId: 'c', speaker, text }), expected, speaker)
  }
})
