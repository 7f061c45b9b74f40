import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { toPlainDocumentText } from './plain-document-text.ts'

const CASES: Array<[markdown: string, plain: string]> = [
  [
    '# Plan for the quarter\nThe **search page**\nis done.',
    'Plan for the quarter · The search page is done.',
  ],
  ['- [x] Call *Ana*\n- Ben: `npm run`', 'Call Ana · Ben: npm run'],
  ['| Part | Owner |\n|---|---|\n| Search | Ben |', 'Part, Owner · Search, Ben'],
  ['```sh\nnpm run\n```\n\n> Quoted', 'npm run · Quoted'],
  ['See [the plan](/plan.md) and ![a map](m.png).', 'See the plan and a map.'],
  ['2 * 3 = 6, snake_case, \\*not bold\\*, <b>', '2 * 3 = 6, snake_case, *not bold*, <b>'],
  ['  1. First\r\n  2. Second\n\n---\n', '1. First · 2. Second'],
]

test('a passage of a document loses the marks of Markdown and keeps its words', () => {
  for (const [markdown, plain] of CASES)
    assert.equal(toPlainDocumentText(markdown).text, plain, markdown)
})

test('matches stay at their words', () => {
  const markdown = '## The **search** page\n\n- find by *name*\n| search | x |\n'
  const words = ['search', 'page', 'name', 'search', 'x']
  let from = 0
  const matches = words.map((word) => {
    const start = markdown.indexOf(word, from)
    from = start + word.length
    return { start, end: from }
  })
  const plain = toPlainDocumentText(markdown, matches)
  assert.deepEqual(
    plain.matches.map(({ start, end }) => plain.text.slice(start, end)),
    words,
  )
  assert.deepEqual(toPlainDocumentText('---\nText', [{ start: 0, end: 3 }]), {
    text: 'Text',
    matches: [],
  })
})
