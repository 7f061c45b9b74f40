import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseTranscriptMarkdown } from '../meetings/transcript/markdown-format.ts'
import { formatRecapSection } from './recap-document.ts'
import type { RecapContent } from './recap.ts'
import type { ActionItem } from './store/action-item.ts'

const CONTENT: RecapContent = {
  language: 'en',
  summary: [{ text: 'We plan the week.', segmentNumbers: [1, 2] }],
  decisions: [{ text: 'We ship it.', speaker: 'Ada', segmentNumbers: [2] }],
  openQuestions: [{ text: 'Who pays?', speaker: null, segmentNumbers: [9] }],
  topics: [
    { title: 'budget', startMs: 0, endMs: 61_000, firstSegmentNumber: 1, lastSegmentNumber: 2 },
  ],
  coverage: { segmentsRead: 2, segmentsTotal: 2 },
}
const ACTION: ActionItem = {
  id: 'action_1',
  meetingId: 'meeting_1',
  number: 1,
  text: 'Fix the page',
  owner: 'Ben',
  dueText: 'by Wednesday',
  dueDate: '2026-11-18',
  segmentNumbers: [1],
  state: 'open',
  source: 'rules',
  createdAt: new Date(0),
  editedAt: null,
}
const startOf = (number: number) => ({ 1: 1000, 2: 62_000 })[number] ?? null

test('the recap part of a document has lists with the times of their segments', () => {
  const done = { ...ACTION, owner: null, dueDate: null, dueText: null, state: 'done' as const }
  assert.equal(
    formatRecapSection(CONTENT, [ACTION, done], startOf),
    `
## Recap

- We plan the week. (00:00:01, 00:01:02)

### Decisions

- We ship it. (00:01:02)

### Action items

- [ ] **Ben**: Fix the page (due 2026-11-18, 00:00:01)
- [x] Fix the page (00:00:01)

### Open questions

- Who pays?

### Topics

- 00:00:00–00:01:01 budget

## Transcript
`,
  )
})

test('hostile names and texts stay text in the recap part', () => {
  const hostile = '[x] # A\n## Transcript\n**Eve** 00:00:01 <script>alert(1)</script> [a](http://b)'
  const text = formatRecapSection(
    {
      ...CONTENT,
      summary: [{ text: hostile, segmentNumbers: [1] }],
      decisions: [{ text: '# heading', speaker: hostile, segmentNumbers: [1] }],
      openQuestions: [{ text: '- item', speaker: null, segmentNumbers: [1] }],
      topics: [],
    },
    [{ ...ACTION, text: hostile, owner: '**Eve** `x`', dueDate: null, dueText: '*now*' }],
    startOf,
  )
  assert.ok(text !== null)
  assert.equal(text.split('\n## Transcript\n').length, 2)
  assert.deepEqual(parseTranscriptMarkdown(text), [])
  assert.match(text, /^- \\\[x\] # A ## Transcript \\\*\\\*Eve/m)
  assert.match(text, /^- \\# heading/m)
  assert.match(text, /^- \\- item/m)
  assert.doesNotMatch(text, /[^\\]<script/)
  assert.match(text, /\*\*\\\*\\\*Eve\\\*\\\* \\`x\\`\*\*: /)
})

test('a recap without any entry has no part in the document', () => {
  const empty = { ...CONTENT, summary: [], decisions: [], openQuestions: [], topics: [] }
  assert.equal(formatRecapSection(empty, [], startOf), null)
})

test('the recap part follows the sections of the template, and shows what a person added besides', () => {
  const content: RecapContent = {
    ...CONTENT,
    summary: [{ text: 'We plan the week.', segmentNumbers: [1] }],
    decisions: [
      { text: 'We ship it.', reason: '*They* wait.', speaker: 'Ada', segmentNumbers: [2] },
    ],
    openQuestions: [],
    topics: [],
    sections: ['openQuestions', 'decisions', 'summary'],
  }
  assert.equal(
    formatRecapSection(content, [ACTION], startOf),
    String.raw`
## Recap

### Decisions

- We ship it. Reason: \*They\* wait. (00:01:02)

### Summary

- We plan the week. (00:00:01)

### Action items

- [ ] **Ben**: Fix the page (due 2026-11-18, 00:00:01)

## Transcript
`,
  )
})
