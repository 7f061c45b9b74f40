import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { RECAP_SECTIONS } from '../../../../src/http/shapes/values.ts'
import { formatRecap } from './recap-text.ts'

const HOSTILE = '<img src=x onerror="alert(1)"> [a](javascript:b) *c*'

const action = (changes: object) => ({
  actionId: 'action_1',
  id: 'action_1',
  meetingId: 'meeting_1_a',
  text: 'Fix the search',
  owner: 'Ben',
  dueText: null,
  dueDate: '2026-11-20',
  state: 'open' as const,
  segmentNumbers: [2],
  source: 'rules' as const,
  createdAt: '2026-11-15T08:30:00.000Z',
  editedAt: null,
  ...changes,
})
const statement = (text: string, segmentNumbers: number[]) => ({
  id: text,
  text,
  speaker: null,
  segmentNumbers,
  editedAt: null,
})
const PARTS = {
  title: 'Planning',
  date: '15 Nov 2026, 08:30',
  lines: new Map([
    [1, { speaker: 'Ada Lang', timestamp: '2026-11-15T08:30:00.000Z' }],
    [2, { speaker: 'Ben', timestamp: '2026-11-15T08:31:00.000Z' }],
    [3, { speaker: '', timestamp: '2026-11-15T08:32:00.000Z' }],
  ]),
  formatTime: (at: string) => at.slice(11, 16),
}
const EMPTY = {
  sections: [...RECAP_SECTIONS],
  summary: [],
  decisions: [],
  actions: [],
  openQuestions: [],
  topics: [],
}

test('a recap is a heading, the date and a list for each section that has entries', () => {
  const { plain, html } = formatRecap({
    ...PARTS,
    recap: {
      sections: EMPTY.sections,
      summary: [statement('The search is slow.', [1, 2])],
      decisions: [],
      actions: [
        action({}),
        action({ text: 'Call them', owner: null, dueDate: null, state: 'done' }),
        action({ text: 'Gone', state: 'deleted' }),
      ],
      openQuestions: [statement('Who tells the customers?', [3])],
      topics: [
        { title: 'Search', startMs: 0, endMs: 1, firstSegmentNumber: 1, lastSegmentNumber: 2 },
      ],
    },
  })
  assert.equal(
    plain,
    [
      '# Planning',
      '',
      '15 Nov 2026, 08:30',
      '',
      '## Summary',
      '',
      '- The search is slow. (Ada Lang 08:30, Ben 08:31)',
      '',
      '## Action items',
      '',
      '- [ ] **Ben**: Fix the search (due 2026-11-20, Ben 08:31)',
      '- [x] Call them (Ben 08:31)',
      '',
      '## Open questions',
      '',
      '- Who tells the customers? (08:32)',
      '',
      '## Topics',
      '',
      '- Search (08:30)',
      '',
    ].join('\n'),
  )
  assert.match(html, /^<h2>Planning<\/h2>\n<p>15 Nov 2026, 08:30<\/p>\n<h3>Summary<\/h3>/)
  assert.match(html, /<li><strong>Ben<\/strong>: Fix the search <em>\(due 2026-11-20, Ben 08:31\)/)
  assert.match(html, /<li><s>Call them<\/s> <em>\(Ben 08:31\)<\/em><\/li>/)
  assert.doesNotMatch(plain + html, /Gone/)
})

test('what people said has no effect in Markdown and HTML', () => {
  const { plain, html } = formatRecap({
    ...PARTS,
    title: HOSTILE,
    lines: new Map([[1, { speaker: HOSTILE, timestamp: '2026-11-15T08:30:00.000Z' }]]),
    recap: {
      ...EMPTY,
      summary: [statement(`# ${HOSTILE}`, [1]), statement('[ ] no box\n- no item', [])],
      actions: [action({ text: HOSTILE, owner: HOSTILE, dueDate: null, dueText: HOSTILE })],
    },
  })
  assert.doesNotMatch(html, /<img|onerror="/)
  for (const line of plain.split('\n')) {
    assert.doesNotMatch(line, /(?<!\\)<img|(?<!\\)\](?=\()|(?<![\\*])\*c/)
  }
  assert.match(plain, /^- \\# \\<img/m)
  assert.match(plain, /^- \\\[ \] no box - no item$/m)
})

test('a recap has its sections in their order, and the reasons of decisions', () => {
  const { plain, html } = formatRecap({
    ...PARTS,
    recap: {
      ...EMPTY,
      sections: ['decisions', 'summary'],
      summary: [statement('The search is slow.', [])],
      decisions: [{ ...statement('We fix it.', []), reason: '*They* wait.' }],
    },
  })
  assert.match(
    plain,
    /\n## Decisions\n\n- We fix it\. Reason: \\\*They\\\* wait\.\n\n## Summary\n\n- The search is slow\.\n$/,
  )
  assert.match(html, /<li>We fix it\. Reason: \*They\* wait\.<\/li>/)
})
