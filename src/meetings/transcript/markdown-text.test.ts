import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { cleanInlineText, escapeInlineMarkdown, unescapeInlineMarkdown } from './markdown-text.ts'

test('escapeInline escapes text that would be markdown syntax', () => {
  const cases = {
    'plain words, nothing else.': 'plain words, nothing else.',
    '# heading': '\\# heading',
    '- item': '\\- item',
    '+ item': '\\+ item',
    '> quote': '\\> quote',
    '=====': '\\=====',
    '---': '\\---',
    ':---': '\\:---',
    '1. first': '1\\. first',
    '12) twelfth': '12\\) twelfth',
    '1.': '1\\.',
    '3.5 percent': '3.5 percent',
    'C# - a + b > c = d': 'C# - a + b > c = d',
    '`code`': '\\`code\\`',
    '<img src=x onerror=alert(1)>': '\\<img src=x onerror=alert(1)>',
    '[x](javascript:1)': '\\[x\\](javascript:1)',
    '![x]': '\\!\\[x\\]',
    '**bold** _em_ ~~gone~~': '\\*\\*bold\\*\\* \\_em\\_ \\~\\~gone\\~\\~',
    'a | b': 'a \\| b',
    'AT&amp;T': 'AT\\&amp;T',
    '$5 and $10': '\\$5 and \\$10',
    'C:\\dir\\': 'C:\\\\dir\\\\',
    '\\*': '\\\\\\*',
  }
  for (const [words, markdown] of Object.entries(cases)) {
    assert.equal(escapeInlineMarkdown(words), markdown)
    assert.equal(unescapeInlineMarkdown(markdown), words)
  }
})

test('cleanInline puts text on one line and removes invisible characters', () => {
  assert.equal(cleanInlineText('a\r\n---\r\nstatus: completed'), 'a --- status: completed')
  assert.equal(cleanInlineText('a\u2028b\u2029c\td\x85e'), 'a b c d e')
  assert.equal(cleanInlineText('  a \u202e \0 b  '), 'a b')
  assert.equal(cleanInlineText('\u2066x\u2069\u200f\u061c\x1b[31m'), 'x[31m')
  assert.equal(cleanInlineText('a\ud83d'), 'a\ufffd')
  assert.equal(cleanInlineText(' \n '), '')
})

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        ...'#-+>=`<[]*_|!\\&~$.) 1a:"\n\t\0'.split(''),
        '---',
        '```',
        '\u2028',
        '\u202e',
        '\ud800',
        '😀',
        '1. ',
        '    ',
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join('')),
)

test('unescapeInline restores the text that escapeInline wrote', () => {
  fc.assert(
    fc.property(words, (given) => {
      const clean = cleanInlineText(given)
      const markdown = escapeInlineMarkdown(given)
      assert.equal(cleanInlineText(clean), clean)
      assert.equal(escapeInlineMarkdown(clean), markdown)
      assert.equal(unescapeInlineMarkdown(markdown), clean)
      assert.doesNotMatch(markdown, /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|^ | $| {2}/u)
      assert.doesNotMatch(markdown.replace(/\\./gu, ''), /[\\`*_[\]<&|!~$]/)
      assert.doesNotMatch(markdown, /^(?:[#+=>:-]|\d+[.)](?: |$))/)
    }),
    { seed: 7, numRuns: 20_000 },
  )
})
