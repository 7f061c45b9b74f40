import { strict as assert } from 'node:assert'
import { sep } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  formatContentDisposition,
  formatDateLabel,
  formatDocumentFileName,
  resolvePathInside,
  isProjectId,
} from './file-names.ts'
import { scaleRuns } from '../../../test/support/test-size.ts'

const LABEL = '2026-11-15 0930'
const ROOT = `${sep}srv${sep}docs`

/** Fragments of attacks on paths, HTTP headers and file systems. */
const ATTACK_FRAGMENTS = [
  '../',
  '..\\',
  '..',
  '.',
  '/',
  '\\',
  '%2e',
  '%2f',
  '\0',
  'CON',
  'nul',
  'COM1.',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2028',
  '\r\n',
  '\t',
  ' ',
  ':',
  '"',
  "'",
  '*?',
  '<|>',
  '~',
  'C:',
  'é',
  'e\u0301',
  '\u0301',
  '😀',
  '👩‍👩‍👧‍👦',
  '会議',
  '\ud83d',
  '\ude00',
  'x'.repeat(300),
  '🇨🇭'.repeat(80),
  ' (2)',
  '.md',
  'meetings',
]
const attackText = fc.oneof(
  fc.array(fc.constantFrom(...ATTACK_FRAGMENTS), { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const FORBIDDEN_CHARACTERS = /[/\\:*?"<>|\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]/u

test('a project id may contain letters and digits of any script and a few separators', () => {
  const good = [
    'a',
    '7',
    'sales',
    'Sales 2026',
    'Q3.plan_v2-final',
    'a--b',
    'Üben',
    '会議',
    'Отдел 5',
    'मीटिंग',
    'เก้าอี้',
    '٣',
    'console',
    'con-call',
    'c on',
    'com10',
    'x'.repeat(64),
    '𐌰'.repeat(63),
  ]
  for (const id of good) assert.equal(isProjectId(id), true, id)
})

test('names that leave the folder, are hidden or can collide are not valid project ids', () => {
  const bad = [
    '',
    ' ',
    '.',
    '..',
    '.git',
    'a.',
    'a ',
    ' a',
    '-a',
    'a_',
    'a/b',
    'a\\b',
    '../a',
    '%2e%2e',
    'a\0',
    'a\nb',
    'a\u202eb',
    'a\u200bb',
    'a\u3164',
    'ae\u0301',
    '\u0301a',
    'a.\u0301b',
    'a😀b',
    'a:b',
    'a²',
    'CON',
    'con',
    'nul.txt',
    'aux .md',
    'COM1',
    'lpt9.x',
    'x'.repeat(65),
    '𐌰'.repeat(64),
    'a\ud800b',
  ]
  for (const id of bad) assert.equal(isProjectId(id), false, JSON.stringify(id))
})

test('the date label is in the given time zone', () => {
  const at = new Date('2026-03-29T23:05:59.999Z')
  assert.equal(formatDateLabel(at, 'UTC'), '2026-03-29 2305')
  assert.equal(formatDateLabel(at, 'Europe/Berlin'), '2026-03-30 0105')
  assert.equal(formatDateLabel(at, 'Asia/Kolkata'), '2026-03-30 0435')
  assert.equal(formatDateLabel(at, 'America/New_York'), '2026-03-29 1905')
  assert.equal(formatDateLabel(new Date('2026-01-01T00:00:00Z'), 'UTC'), '2026-01-01 0000')
  assert.throws(() => formatDateLabel(at, 'Mars/Olympus'), RangeError)
})

test('a file name consists of the date label and the title', () => {
  const cases: Array<[string, number, string]> = [
    ['Weekly stand-up', 1, 'Weekly stand-up'],
    ['Weekly stand-up', 2, 'Weekly stand-up (2)'],
    ['Budget: Q3/Q4?', 1, 'Budget- Q3-Q4'],
    ['a "b" <c>', 1, "a 'b' (c)"],
    ['../../etc/passwd', 1, '..-..-etc-passwd'],
    ['line\r\nbreak\u2028and\ttab', 1, 'line break and tab'],
    ['end...  . ', 1, 'end'],
    ['abc\u202etxt.exe', 1, 'abctxt.exe'],
    ['e\u0301', 1, 'é'],
    ['e\u200b\u0301', 1, 'é'],
    ['', 1, 'Untitled'],
    ['...', 3, 'Untitled (3)'],
    ['\0*?', 1, 'Untitled'],
    ['CON', 1, 'CON'],
    ['👩‍👩‍👧‍👦', 1, '👩‍👩‍👧‍👦'],
    ['half \ud83d', 1, 'half \ufffd'],
  ]
  for (const [title, attempt, expected] of cases) {
    assert.equal(formatDocumentFileName(LABEL, title, attempt), `${LABEL} - ${expected}.md`)
  }
})

test('a long title is never cut inside a character', () => {
  const family = '👩‍👩‍👧‍👦'
  const name = formatDocumentFileName(LABEL, family.repeat(40), 1)
  assert.ok(Buffer.byteLength(name) <= 180)
  assert.match(name, new RegExp(`^${LABEL} - (?:${family})+\\.md$`, 'u'))
  const heap = formatDocumentFileName(LABEL, `a${'\u0316'.repeat(500)}`, 99_999)
  assert.ok(Buffer.byteLength(heap) <= 180 && heap.endsWith('\u0316 (99999).md'))
})

test('different attempts of one title get different file names', () => {
  // The title is cut right after “ (2)”, which looks like the suffix of a second attempt.
  for (let length = 100; length < 180; length += 1) {
    const title = `${'x'.repeat(length)} (2)${'y'.repeat(100)}`
    const names = [1, 2, 3, 22].map((attempt) => formatDocumentFileName(LABEL, title, attempt))
    assert.equal(new Set(names).size, names.length)
  }
})

test('an invalid date label or attempt throws an assertion error', () => {
  for (const label of ['', '../2026-11-15 0930', '2026-11-15', '2026-11-15 0930\n']) {
    assert.throws(() => formatDocumentFileName(label, 'x', 1))
  }
  for (const attempt of [0, -1, 1.5, Number.NaN, 100_000]) {
    assert.throws(() => formatDocumentFileName(LABEL, 'x', attempt))
  }
})

test('resolveInside refuses a path that leaves the root', () => {
  const below = (...parts: string[]) => resolvePathInside(ROOT, ...parts)
  assert.equal(below('a', 'b.md'), [ROOT, 'a', 'b.md'].join(sep))
  assert.equal(below('a/../b'), [ROOT, 'b'].join(sep))
  assert.equal(below('..a'), [ROOT, '..a'].join(sep))
  assert.equal(resolvePathInside('/', 'etc'), `${sep}etc`)
  for (const parts of [
    [],
    [''],
    ['.'],
    ['..'],
    ['a', '..'],
    ['..', 'docs2', 'x'],
    ['../docs-of-others'],
    ['a/../../b'],
    ['/etc/passwd'],
    ['a', '/etc'],
    ['a\0b'],
  ]) {
    assert.equal(below(...parts), null, JSON.stringify(parts))
  }
})

const RUNS = scaleRuns(100_000)

test('no random title or project leads outside the root', () => {
  let written = 0
  const project = fc.oneof(attackText, fc.constantFrom('sales', 'Q3.plan', '会議'))
  fc.assert(
    fc.property(project, attackText, fc.integer({ min: 1, max: 12 }), (project, title, attempt) => {
      const loose = resolvePathInside(ROOT, project, title)
      assert.ok(loose === null || loose.startsWith(ROOT + sep))
      const name = formatDocumentFileName(LABEL, title, attempt)
      assert.ok(!FORBIDDEN_CHARACTERS.test(name) && Buffer.byteLength(name) <= 180, name)
      assert.equal(name, name.normalize('NFC'))
      assert.ok(/^[^]+(?<![ .])\.md$/.test(name) && name.length > `${LABEL} - .md`.length)
      if (!isProjectId(project)) return
      written += 1
      assert.equal(
        resolvePathInside(ROOT, project, 'meetings', name),
        [ROOT, project, 'meetings', name].join(sep),
      )
    }),
    { seed: 4_711, numRuns: RUNS },
  )
  assert.ok(written > RUNS / 10, `only ${written} written`)
})

test('a Content-Disposition has an ASCII name and the full name', () => {
  assert.equal(
    formatContentDisposition('2026-11-15 0930 - Réunion.md'),
    'attachment; filename="2026-11-15 0930 - Reunion.md"; ' +
      "filename*=UTF-8''2026-11-15%200930%20-%20R%C3%A9union.md",
  )
  assert.equal(
    formatContentDisposition("会議 it's (50%41).md"),
    'attachment; filename="__ it\'s (50_41).md"; ' +
      "filename*=UTF-8''%E4%BC%9A%E8%AD%B0%20it%27s%20%2850%2541%29.md",
  )
  assert.equal(
    formatContentDisposition('../../etc/passwd"\r\nX: y\\'),
    'attachment; filename="..-..-etc-passwd\' X- y-"; ' +
      "filename*=UTF-8''..-..-etc-passwd%27%20X-%20y-",
  )
  assert.match(formatContentDisposition(''), /filename="document"/)
  assert.match(formatContentDisposition('..'), /filename="document"/)
})

test('a Content-Disposition for any file name is well formed and contains no path', () => {
  const header =
    /^attachment; filename="([\x20-\x21\x23-\x24\x26-\x2e\x30-\x5b\x5d-\x7e]+)"; filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})+)$/
  fc.assert(
    fc.property(attackText, (fileName) => {
      const found = header.exec(formatContentDisposition(fileName))
      assert.ok(found, formatContentDisposition(fileName))
      assert.doesNotMatch(decodeURIComponent(found[2] ?? ''), FORBIDDEN_CHARACTERS)
    }),
    { seed: 4_711, numRuns: scaleRuns(5_000) },
  )
})
