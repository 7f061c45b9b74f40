import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findFrontMatter, formatFrontMatter, type FrontMatterValue } from './front-matter.ts'
import { scaleRuns } from '../../test/support/test-size.ts'

function parseFields(header: string): Record<string, unknown> | null {
  return findFrontMatter(`---\n${header}\n---\n`)?.fields ?? null
}

test('front matter has every text in double quotes', () => {
  assert.equal(
    formatFrontMatter({
      title: 'Plan: "Q3" \\ next',
      date: '2026-11-15',
      answer: 'yes',
      segments: 12,
      live: false,
      endedAt: null,
      participants: ['Ada', '- Grace'],
      guests: [],
      'odd key': 'x',
      no: 'y',
    }),
    [
      '---',
      'title: "Plan: \\"Q3\\" \\\\ next"',
      'date: "2026-11-15"',
      'answer: "yes"',
      'segments: 12',
      'live: false',
      'endedAt: null',
      'participants:',
      '  - "Ada"',
      '  - "- Grace"',
      'guests: []',
      '"odd key": "x"',
      '"no": "y"',
      '---',
      '',
    ].join('\n'),
  )
  assert.equal(
    formatFrontMatter({ a: 'x\n---\nstatus: completed', b: '\u2028\u202e\x85\u{e0041}\0' }),
    '---\na: "x\\n---\\nstatus: completed"\nb: "\\u2028\\u202e\\u0085\\U000e0041\\u0000"\n---\n',
  )
  assert.throws(() => formatFrontMatter({ n: Number.NaN }), TypeError)
})

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        '../',
        '..\\',
        '%2e',
        '\0',
        'CON',
        '\u202e',
        '\u2028',
        '\u2029',
        '\x85',
        '\ufeff',
        '\ufffe',
        '😀',
        '\ud83d',
        '\u{e0041}',
        'x'.repeat(300),
        '---',
        '\n---\n',
        '\n...\n',
        '"',
        "'",
        ': ',
        ' #',
        '\\',
        '\\u0041',
        'yes',
        'null',
        '~',
        '2024-01-01',
        '0x1F',
        '1e3',
        '*a',
        '&a',
        '!!str',
        '{',
        '- ',
        '\r\n',
        '\t',
        ' ',
        '<<',
        '__proto__',
      ),
      { maxLength: 5 },
    )
    .map((pieces) => pieces.join('')),
)

test('front matter that was written parses to the same fields', () => {
  const value = fc.oneof<fc.Arbitrary<FrontMatterValue>[]>(
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(text, { maxLength: 4 }),
  )
  const fields = fc.uniqueArray(fc.tuple(text, value), {
    maxLength: 6,
    selector: ([key]) => key.toWellFormed(),
  })
  fc.assert(
    fc.property(fields, text, (pairs, body) => {
      const header = formatFrontMatter(Object.fromEntries(pairs))
      const found = findFrontMatter(header + body)
      assert.ok(found, header)
      assert.equal(found.bodyStart, header.length)
      const expected = pairs.map(([key, value]) => [key, value].map(wellFormed))
      assert.deepEqual(
        new Map(Object.entries(found.fields)),
        new Map(expected.map(([key, value]) => [key as string, value])),
      )
      assert.doesNotMatch(
        header.replaceAll('\n', ''),
        /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u,
      )
    }),
    { seed: 99, numRuns: scaleRuns(5_000) },
  )
})

function wellFormed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value === 'string') return value.toWellFormed()
  return Object.is(value, -0) ? 0 : value
}

test('front matter written by hand parses with the types of YAML 1.2', () => {
  const text =
    '\ufeff---  \r\ntitle: Plan\r\nyes: no\r\ndate: 2024-01-01\r\nn: 3\r\ntags: [a, b]\r\n---\r\nBody'
  const found = findFrontMatter(text)
  assert.deepEqual(found?.fields, {
    title: 'Plan',
    yes: 'no',
    date: '2024-01-01',
    n: 3,
    tags: ['a', 'b'],
  })
  assert.equal(text.slice(found?.bodyStart), 'Body')
  assert.deepEqual(findFrontMatter('---\n---'), { fields: {}, bodyStart: 7 })
  assert.deepEqual(findFrontMatter('---\n# nothing\n---\n'), { fields: {}, bodyStart: 18 })
})

test('text that only resembles front matter is not parsed as front matter', () => {
  for (const text of [
    '',
    '---',
    '---\n',
    '---\na: 1\n',
    '---\na: 1\n----\n',
    '---\na: 1\n---x',
    '---\na: 1\u2028---\n',
    '---js\nmodule.exports = process.exit(1)\n---\n',
    '---json\n{"a":1}\n---\n',
    '--- yaml\na: 1\n---\n',
    ' ---\na: 1\n---\n',
    '\n---\na: 1\n---\n',
    '# Title\n---\na: 1\n---\n',
    '+++\na = 1\n+++\n',
  ]) {
    assert.equal(findFrontMatter(text), null, JSON.stringify(text))
  }
})

test('invalid or dangerous front matter is ignored', () => {
  for (const header of [
    'a: "x',
    'a: [1',
    'a: b: c',
    '\ta: 1',
    'a: 1\na: 2',
    'a: {b: 1, b: 2}',
    '1: a\n"1": b',
    '- a',
    'just text',
    'a: &x 1\nb: *x',
    'a: *x',
    'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]',
    'a: !!js/function "function () {}"',
    'a: !evil x',
    'a: 1\n--- b',
    'a: 1\n...\nb: 2',
    '%YAML 1.1\na: yes',
    '['.repeat(5_000),
    `a: ${'{a: '.repeat(5_000)}`,
  ]) {
    assert.equal(parseFields(header), null, header.slice(0, 80))
  }
  assert.deepEqual(parseFields('a: 1\n<<: {b: 2}'), { a: 1, '<<': { b: 2 } })
})

test('front matter that is nested deeply or has too many parts is refused before it is parsed', () => {
  const nested = (depth: number) => `a: ${'['.repeat(depth)}${']'.repeat(depth)}`
  const items = (count: number) => `a: [${Array.from({ length: count }, () => 'b').join()}]`
  const keys = (count: number) => Array.from({ length: count }, (_, i) => `key${i}: 1`).join('\n')
  const people = Array.from({ length: 2_000 }, (_, i) => `\n  - "Doe, Jane ${i}"`).join('')
  for (const header of [
    nested(32),
    items(5_200),
    keys(3_450),
    `participants:${people}`,
    `a:\n  ${'- '.repeat(31)}b`,
  ])
    assert.notEqual(parseFields(header), null, header.slice(0, 80))
  for (const header of [
    nested(33),
    items(5_251),
    keys(3_501),
    nested(30_000),
    `a: ${'{a: '.repeat(33)}1${'}'.repeat(33)}`,
    `a:\n  ${'- '.repeat(33)}b`,
    // The YAML library takes 20 s for the names of these keys.
    '? '.repeat(400),
    '? [a]\n: b',
    '? {a: b}\n: c',
  ]) {
    assert.equal(parseFields(header), null, header.slice(0, 80))
  }
})

test('front matter cannot change the prototype of an object', () => {
  const fields = parseFields('__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}')
  assert.deepEqual(Object.keys(fields ?? {}), ['__proto__', 'constructor'])
  assert.equal(Object.getPrototypeOf(fields), Object.prototype)
  assert.equal(Reflect.get({}, 'polluted'), undefined)
})

test('front matter of more than 64 KiB is ignored', () => {
  const line = (bytes: number) => `a: "${'x'.repeat(bytes - 6)}"`
  assert.ok(parseFields(line(64 * 1024)))
  assert.equal(parseFields(line(64 * 1024 + 1)), null)
  assert.equal(parseFields(`a: "${'é'.repeat(40_000)}"`), null)
  assert.equal(findFrontMatter(`---\n${'x\n'.repeat(1_000_000)}---\n`), null)
})

test('parsing the front matter of any text does not throw', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), (lines) => {
      findFrontMatter(`---\n${lines.join('\n')}\n---\n`)
    }),
    { seed: 99, numRuns: scaleRuns(5_000) },
  )
})
