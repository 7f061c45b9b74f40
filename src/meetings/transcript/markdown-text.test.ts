import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { marked } from 'marked'
import {
  cleanInlineText,
  escapeInlineMarkdown,
  escapeMarkdownLine,
  unescapeInlineMarkdown,
} from './markdown-text.ts'
import { scaleRuns } from '../../../test/support/test-size.ts'

test('only text that markdown would read as syntax is escaped', () => {
  const cases = {
    'plain words, nothing else.': 'plain words, nothing else.',
    'nice!': 'nice!',
    '# heading': '\\# heading',
    '- item': '\\- item',
    '-5 degrees': '-5 degrees',
    '+ item': '\\+ item',
    '> quote': '\\> quote',
    '=====': '\\=====',
    '---': '\\---',
    ':---': '\\:---',
    ':-) hello': ':-) hello',
    '|-|-|': '\\|-|-|',
    '1. first': '1\\. first',
    '12) twelfth': '12\\) twelfth',
    '1.': '1\\.',
    '3.5 percent': '3.5 percent',
    'C# - a + b > c = d': 'C# - a + b > c = d',
    '`code`': '\\`code\\`',
    '<img src=x onerror=alert(1)>': '\\<img src=x onerror=alert(1)>',
    '1 < 2 <3': '1 < 2 <3',
    '[x](javascript:1)': '[x\\](javascript:1)',
    '![x](y)': '![x\\](y)',
    '[laughs]': '[laughs]',
    '**bold** _em_ ~~gone~~': '\\*\\*bold\\*\\* \\_em\\_ ~\\~gone\\~\\~',
    '3 * 4': '3 * 4',
    snake_case: 'snake_case',
    'a | b': 'a | b',
    'AT&T': 'AT&T',
    'AT&amp;T': 'AT\\&amp;T',
    '$5 and $10': '$5 and $10',
    'C:\\dir\\': 'C:\\dir\\\\',
    '\\*': '\\\\\\*',
  }
  for (const [words, markdown] of Object.entries(cases)) {
    assert.equal(escapeMarkdownLine(words), markdown)
    assert.equal(unescapeInlineMarkdown(markdown), words)
  }
  assert.equal(escapeInlineMarkdown('# 1. - x'), '# 1. - x')
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
        ...'#-+>=`<[]*_|!\\&~$.)( 1a:;/?@"\n\t\0'.split(''),
        'https://example.com/',
        'www.example.com',
        'a@example.com',
        '](',
        'amp;',
        'é',
        'ß_',
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

test('unescaping restores the text that was escaped', () => {
  fc.assert(
    fc.property(words, (given) => {
      const clean = cleanInlineText(given)
      assert.equal(cleanInlineText(clean), clean)
      for (const escape of [escapeInlineMarkdown, escapeMarkdownLine]) {
        const markdown = escape(given)
        assert.equal(escape(clean), markdown)
        assert.equal(unescapeInlineMarkdown(markdown), clean)
        assert.doesNotMatch(markdown, /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|^ | $| {2}/u)
      }
    }),
    { seed: 7, numRuns: scaleRuns(20_000) },
  )
})

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

/** The text that a browser shows for HTML from `marked`, and the names of the elements in it. */
function readHtml(html: string): { text: string; elements: Set<string> } {
  const elements = new Set([...html.matchAll(/<\/?(\w+)/g)].map(([, name = '']) => name))
  const text = html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&([a-z]+|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
  return { text: text.trimEnd(), elements }
}

test('markdown shows exactly the text that was escaped, in every line of a paragraph', () => {
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), (texts) => {
      const [first = '', ...lines] = texts.map(cleanInlineText).filter(Boolean)
      const markdown = [
        `**${escapeInlineMarkdown(`x${first}`)}** 00:00:01 ${escapeInlineMarkdown(first)}`.trimEnd(),
        ...lines.map(escapeMarkdownLine),
      ].join('\n')
      const { text, elements } = readHtml(marked.parse(markdown, { async: false }))
      assert.equal(text, [`x${first} 00:00:01 ${first}`.trimEnd(), ...lines].join('\n'))
      // Web addresses become links with the same text.
      elements.delete('a')
      assert.deepEqual([...elements], ['p', 'strong'])
    }),
    { seed: 8, numRuns: scaleRuns(10_000) },
  )
})
