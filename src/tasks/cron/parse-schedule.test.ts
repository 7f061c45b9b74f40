import { strict as assert } from 'node:assert'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { canonicalTimeZone } from '../../lib/time/time-zone-name.ts'
import { hasOnlyImpossibleDates } from './cron-fields.ts'
import { findNextRunTime } from './next-run.ts'
import { parseSchedule } from './parse-schedule.ts'

function problems(expression: string, timeZone = 'UTC'): string[] {
  const parsed = parseSchedule(expression, timeZone)
  assert.ok(Array.isArray(parsed), `${expression} in ${timeZone} was accepted`)
  return parsed.map(({ path, message }) => `${path}: ${message}`)
}

/** Invalid expressions, each with the start of its error message. */
const REFUSED: ReadonlyArray<[expression: string, start: string]> = [
  ['', 'Empty instead of five fields: minute, hour, day-of-month, month, day-of-week'],
  [' \t ', 'Empty instead of five fields'],
  ['* * * *', '4 fields instead of five'],
  ['*', '1 field instead of five'],
  ['0 0 0 * * *', '6 fields instead of five: minute, hour, day-of-month, month, day-of-week; sec'],
  ['0 0 0 1 1 * 2027', '7 fields'],
  ['@daily', '"@daily" is not supported: write "0 0 * * *"'],
  ['@Weekly', '"@Weekly" is not supported: write "0 0 * * 0"'],
  ['@reboot', '"@reboot" is not supported: write five fields'],
  ['@every 5m', '"@every" is not supported'],
  ['@constructor', '"@constructor" is not supported: write five fields'],
  [
    'TZ=Europe/Berlin 0 9 * * *',
    'Put the time zone into the field timezone, not into the expression',
  ],
  ['CRON_TZ=UTC 0 9 * * *', 'Put the time zone into the field timezone, not into the expression'],
  ['2027-01-01T00:00:00Z', '"2027-01-01T00:00:00Z" is a date, not a schedule'],
  ['2027-01-01 * * * *', '"2027-01-01" is a date, not a schedule'],
  ['60 * * * *', 'minute: "60" is above 59'],
  ['* 24 * * *', 'hour: "24" is above 23'],
  ['* * 0 * *', 'day-of-month: "0" is below 1'],
  ['* * 32 * *', 'day-of-month: "32" is above 31'],
  ['* * * 0 *', 'month: "0" is below 1'],
  ['* * * 13 *', 'month: "13" is above 12'],
  ['* * * * 8', 'day-of-week: "8" is above 7'],
  ['-1 * * * *', 'minute: "-1" is neither *, a value, a range nor a step'],
  ['1.5 * * * *', 'minute: "1.5" is neither'],
  ['1e1 * * * *', 'minute: "1e1" is not a number from 0 to 59'],
  ['0x5 * * * *', 'minute: "0x5" is not a number'],
  ['٣ * * * *', 'minute: "\ufffd" is neither'],
  ['* * L * *', 'day-of-month: "L" is not supported'],
  ['* * LW * *', 'day-of-month: "LW" is not supported'],
  ['* * L-3 * *', 'day-of-month: "L-3" is not supported'],
  ['* * 15W * *', 'day-of-month: "15W" is not supported'],
  ['* * ? * *', 'day-of-month: "?" is not supported'],
  ['* * * * 5L', 'day-of-week: "5L" is not supported'],
  ['* * * * FRIL', 'day-of-week: "FRIL" is not supported'],
  ['* * * * 5#3', 'day-of-week: "5#3" is not supported'],
  ['* * * * FRI#3', 'day-of-week: "FRI#3" is not supported'],
  ['H * * * *', 'minute: "H" is not supported'],
  ['H/15 * * * *', 'minute: "H/15" is not supported'],
  ['H(0-29)/10 * * * *', 'minute: "H(0-29)/10" is not supported'],
  ['* 22-2 * * *', 'hour: the range "22-2" ends before it begins: write "22-23,0-2"'],
  ['* * * NOV-FEB *', 'month: the range "NOV-FEB" ends before it begins'],
  ['* * * * FRI-SUN', 'day-of-week: the range "FRI-SUN" ends before it begins'],
  ['5/15 * * * *', 'minute: a step must follow * or a range: write "5-59/15" rather than "5/15"'],
  ['* * * * MON/2', 'day-of-week: a step must follow * or a range'],
  ['*/0 * * * *', 'minute: the step "0" is not a number of at least 1'],
  ['*/x * * * *', 'minute: the step "x" is not a number'],
  ['*/61 * * * *', 'minute: the step "61" is larger than the field, which has 60 values'],
  ['* */25 * * *', 'hour: the step "25" is larger'],
  ['* * * * */8', 'day-of-week: the step "8" is larger than the field, which has 7 values'],
  ['*/ * * * *', 'minute: "*/" is neither'],
  ['*/5/5 * * * *', 'minute: "*/5/5" is neither'],
  ['** * * * *', 'minute: "**" is neither'],
  ['*-5 * * * *', 'minute: "*-5" is neither'],
  ['1- * * * *', 'minute: "1-" is neither'],
  ['1-2-3 * * * *', 'minute: "1-2-3" is neither'],
  ['1,,2 * * * *', 'minute: the list has an empty item'],
  ['1, * * * *', 'minute: the list has an empty item'],
  ['* * * * JAN', 'day-of-week: "JAN" is not a number from 0 to 7 or a name from SUN to SAT'],
  ['* * * MON *', 'month: "MON" is not a number from 1 to 12 or a name from JAN to DEC'],
  ['* * * * MONDAY', 'day-of-week: "MONDAY" is not'],
  ['0 0 30 2 *', 'day-of-month: no month in "2" has a day "30", so it would never run'],
  ['0 0 30-31 FEB *', 'day-of-month: no month in "FEB" has a day "30-31"'],
  ['* * 31 4,6,9,11 *', 'day-of-month: no month in "4,6,9,11" has a day "31"'],
  ['*\n* * * *', '4 fields'],
  ['0\u00a00 * * * *', 'minute: "0\ufffd0" is neither'],
  ['\u001b[31m * * * *', 'minute: "\ufffd[31m" is neither'],
  ['\ud800 * * * *', 'minute: "\ufffd" is neither'],
]

test('an invalid expression is refused with a message that names its field', () => {
  for (const [expression, start] of REFUSED) {
    const [problem = '', ...others] = problems(expression)
    assert.ok(problem.startsWith(`cronExpression: ${start}`), `${expression}: ${problem}`)
    assert.deepEqual(others, [])
  }
})

test('the alternative that a message suggests is a valid expression', () => {
  const places = { minute: 0, hour: 1, 'day-of-month': 2, month: 3, 'day-of-week': 4 }
  const refused = [
    '5/15 * * * *',
    '* 22-2 * * *',
    '* * 31-1 * *',
    '* * * DEC-JAN *',
    '* * * * FRI-SUN',
  ]
  for (const expression of refused) {
    const [, name = '', proposal = ''] =
      /^cronExpression: ([a-z-]+): .*write "([^"]+)"/.exec(problems(expression).join()) ?? []
    const fields = ['*', '*', '*', '*', '*']
    fields[places[name as keyof typeof places]] = proposal
    assert.ok(!Array.isArray(parseSchedule(fields.join(' '), 'UTC')), `${expression}: ${proposal}`)
  }
})

test('all problems are reported together', () => {
  const said = problems('60 24 0 13 8', '+02:00')
  assert.deepEqual(
    said.map((problem) => problem.split(':', 2).join(':')),
    [
      ...['minute', 'hour', 'day-of-month', 'month', 'day-of-week'].map(
        (name) => `cronExpression: ${name}`,
      ),
      'timezone: "+02',
    ],
  )
})

test('names in any case, leading zeros, steps over the whole field and extra blanks are accepted', () => {
  const accepted = {
    ' 0\t0  * jan-DEC  sun-Sat ': '0 0 * jan-DEC sun-Sat',
    '00 09 01 01 07': '00 09 01 01 07',
    '*/60 */24 */31 */12 */7': '*/60 */24 */31 */12 */7',
    '0-59/59,*,5 * * * 0-7': '0-59/59,*,5 * * * 0-7',
    '0 0 30 2 1': '0 0 30 2 1',
    '0 0 29 2 *': '0 0 29 2 *',
  }
  for (const [given, canonical] of Object.entries(accepted)) {
    const schedule = parseSchedule(given, 'UTC')
    assert.ok(!Array.isArray(schedule), `${given}: ${JSON.stringify(schedule)}`)
    assert.equal(schedule.expression, canonical)
    assert.equal(hasOnlyImpossibleDates(schedule), false)
  }
})

test('an expression that lists every value of every field is not too long', () => {
  const list = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index).join(',')
  const months = 'JAN,FEB,MAR,APR,MAY,JUN,JUL,AUG,SEP,OCT,NOV,DEC'
  const days = 'SUN,MON,TUE,WED,THU,FRI,SAT'
  const whole = [list(0, 59), list(0, 23), list(1, 31), months, days].join(' ')
  assert.ok(!Array.isArray(parseSchedule(whole, 'UTC')))
})

test('a time zone is stored under its current canonical name', () => {
  const names = {
    'europe/berlin': 'Europe/Berlin',
    'Asia/Kolkata': 'Asia/Kolkata',
    'asia/calcutta': 'Asia/Kolkata',
    'america/nuuk': 'America/Nuuk',
    'Europe/Kiev': 'Europe/Kyiv',
    'US/Pacific': 'America/Los_Angeles',
    'Etc/UTC': 'UTC',
    utc: 'UTC',
    'Etc/GMT+2': 'Etc/GMT+2',
  }
  for (const [given, canonical] of Object.entries(names))
    assert.equal(canonicalTimeZone(given), canonical)
  for (const known of Intl.supportedValuesOf('timeZone')) {
    const canonical = canonicalTimeZone(known)
    assert.ok(canonical !== null, known)
    assert.equal(canonicalTimeZone(canonical), canonical)
  }
})

test('offsets, abbreviations and unknown names are refused as time zones', () => {
  const refused = [
    '',
    ' ',
    '+02:00',
    '-0530',
    '02:00',
    'UTC+2',
    'GMT+2',
    'PST',
    'ist',
    'AST',
    'SystemV/PST8',
  ]
  for (const name of [
    ...refused,
    'Europe/Berlin ',
    'Europe/Berlin\0',
    '../UTC',
    'Mars/Base',
    'constructor',
  ]) {
    assert.equal(canonicalTimeZone(name), null, name)
  }
  assert.match(
    problems('* * * * *', '+02:00').join(),
    /^timezone: "\+02:00" is an offset; use an IANA/,
  )
  assert.deepEqual(problems('* * * * *', 'Europe/Berln'), [
    'timezone: "Europe/Berln" is not an IANA time zone name; did you mean Europe/Berlin?',
  ])
})

test('a megabyte of input is refused with a short message', () => {
  const long = 1024 * 1024
  const bombs = ['*', '1,', '* ', ' ', '*/', '9', '1-', '@', '\ud800', '-', 'Europe/'].map(
    (piece) => piece.repeat(long / piece.length),
  )
  for (const bomb of bombs) {
    assert.deepEqual(problems(bomb), ['cronExpression: Longer than 500 characters'])
    assert.ok(problems('* * * * *', bomb).join('').length < 200)
  }
})

test('any text parses to a schedule with a next run or to a list of problems', () => {
  const near = fc.array(
    fc.constantFrom(...'0123456789*/,- LW#?H'.split(''), ' ', ' ', 'JAN', 'MON', '* ', '*/5 '),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        near.map((pieces) => pieces.join('')),
      ),
      (text) => {
        const parsed = parseSchedule(text, 'Europe/Berlin')
        if (Array.isArray(parsed)) assert.ok(parsed.length > 0)
        else assert.ok(findNextRunTime(parsed, new Date('2027-01-01')) !== null)
      },
    ),
    { numRuns: 500 },
  )
})

test('the cron module uses only what browsers provide', () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts'] })
  assert.deepEqual(files.toSorted(), [
    'clock-change-note.ts',
    'cron-fields.ts',
    'next-run.ts',
    'parse-schedule.ts',
  ])
  for (const file of files) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    assert.doesNotMatch(text, /from 'node:|\bBuffer\b|\bprocess\b/, file)
  }
})
