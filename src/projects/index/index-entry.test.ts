import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { splitIntoPassages } from './index-entry.ts'

test('short paragraphs are joined, a heading starts a new passage, and each passage has its line number', () => {
  const long = 'word '.repeat(80).trim()
  const text = `# One\n\nshort\n\nalso short\n\n# Two\n${long}\n\nafter`
  assert.deepEqual(splitIntoPassages(text, 5), [
    { line: 5, text: '# One\n\nshort\n\nalso short' },
    { line: 11, text: `# Two\n${long}` },
    { line: 14, text: 'after' },
  ])
})

test('passages stay within the size limit, are never cut inside a character, and together contain every word', () => {
  const piece = fc.constantFrom(
    'word ',
    '\n',
    '\n\n',
    '# head\n',
    '😀',
    'x'.repeat(700),
    '\r\n',
    'é',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      const passages = splitIntoPassages(text)
      for (const passage of passages) {
        assert.ok(passage.text.length <= 1_010 && passage.text.isWellFormed())
      }
      const squeeze = (words: string) => words.replaceAll(/\s/g, '')
      assert.equal(squeeze(passages.map((passage) => passage.text).join('')), squeeze(text))
    }),
    { numRuns: 500 },
  )
})

test('the line number of a passage is the line of the file in which its text begins', () => {
  const lines = Array.from({ length: 500 }, (_, i) =>
    i % 7 === 0 ? '' : `line ${i + 1} ${'x'.repeat(i % 90)}`,
  )
  for (const { line, text } of splitIntoPassages(lines.join('\n'))) {
    assert.ok(text.startsWith(`line ${line} `), text.slice(0, 20))
  }
})
