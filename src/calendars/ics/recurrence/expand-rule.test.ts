import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createRuleBudget, expandRule } from './expand-rule.ts'
import { parseRule } from './parse-rule.ts'

function expand(text: string, start: string, from: string, to: string) {
  const rule = parseRule(text)
  assert.ok(rule, text)
  const [startTime, fromTime, toTime] = [start, from, to].map((time) => Date.parse(`${time}Z`))
  const range = { start: startTime ?? 0, from: fromTime ?? 0, to: toTime ?? 0 }
  return expandRule(rule, range, createRuleBudget())
}

function listDates(text: string, start: string, from: string, to: string): string[] {
  const { times, problem } = expand(text, `${start}T09:00`, `${from}T00:00`, `${to}T00:00`)
  assert.equal(problem, null)
  return times.map((time) => new Date(time).toISOString().slice(5, 10))
}

test('rules have the dates of the examples in RFC 5545', () => {
  const cases: ReadonlyArray<[rule: string, start: string, dates: string]> = [
    ['FREQ=WEEKLY;INTERVAL=2;WKST=SU', '1997-09-02', '09-02 09-16 09-30 10-14 10-28'],
    ['FREQ=WEEKLY;COUNT=4;WKST=SU;BYDAY=TU,TH', '1997-09-02', '09-02 09-04 09-09 09-11'],
    ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '1997-08-05', '08-05 08-10 08-19 08-24'],
    ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '1997-08-05', '08-05 08-17 08-19 08-31'],
    ['FREQ=MONTHLY;COUNT=3;BYDAY=1FR', '1997-09-05', '09-05 10-03'],
    ['FREQ=MONTHLY;BYMONTHDAY=-3', '1997-09-28', '09-28 10-29'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2', '1997-09-29', '09-29 10-30'],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '1997-09-02', '09-02'],
    ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '1997-09-15', '09-15 09-30 10-15 10-30'],
  ]
  for (const [rule, start, dates] of cases) {
    assert.equal(listDates(rule, start, '1997-08-01', '1997-11-01').join(' '), dates, rule)
  }
})

test('the start is the first occurrence, also when the rule does not produce it', () => {
  const rule = 'FREQ=WEEKLY;BYDAY=MO'
  assert.deepEqual(listDates(rule, '2026-11-18', '2026-11-01', '2026-12-02'), [
    '11-18',
    '11-23',
    '11-30',
  ])
  assert.deepEqual(listDates(`${rule};COUNT=2`, '2026-11-18', '2026-11-01', '2026-12-31'), [
    '11-18',
    '11-23',
  ])
  assert.deepEqual(listDates(`${rule};COUNT=1`, '2026-11-18', '2026-11-01', '2026-12-31'), [
    '11-18',
  ])
})

test('a rule that began long ago has the same times in a window as when it is listed from its start', () => {
  const [start, from, to] = ['2021-01-06T10:15', '2026-11-16T00:00', '2026-12-31T00:00']
  for (const rule of [
    'FREQ=DAILY;INTERVAL=3',
    'FREQ=DAILY;BYMONTH=12;BYDAY=MO,WE',
    'FREQ=DAILY;INTERVAL=2;BYMONTHDAY=1,-1',
    'FREQ=DAILY;BYHOUR=9,17;BYSETPOS=-1',
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,MO;WKST=SU',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO,WE;BYSETPOS=2',
    'FREQ=WEEKLY;BYMONTH=11;BYDAY=TU',
    'FREQ=HOURLY;INTERVAL=7',
    'FREQ=MINUTELY;INTERVAL=500',
    'FREQ=WEEKLY;INTERVAL=400',
  ]) {
    const inWindow = expand(rule, start, from, to)
    const sinceStart = expand(rule, start, start, to).times.filter(
      (time) => time >= Date.parse(`${from}Z`),
    )
    assert.deepEqual(inWindow, { times: sinceStart, problem: null }, rule)
    assert.equal(inWindow.times.length > 0, !rule.includes('400'), rule)
  }
})

test('dates that a month does not have are skipped', () => {
  assert.deepEqual(listDates('FREQ=MONTHLY', '2026-01-31', '2026-01-01', '2026-08-01'), [
    '01-31',
    '03-31',
    '05-31',
    '07-31',
  ])
})

test('dates that a month does not have are moved as SKIP says', () => {
  const list = (skip: string) =>
    listDates(
      `RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=${skip}`,
      '2026-01-31',
      '2026-01-01',
      '2026-05-02',
    )
  assert.deepEqual(list('OMIT'), ['01-31', '03-31'])
  assert.deepEqual(list('BACKWARD'), ['01-31', '02-28', '03-31', '04-30'])
  assert.deepEqual(list('FORWARD'), ['01-31', '03-01', '03-31', '05-01'])
})

test('spaces and escapes in a rule have no effect, and a count of -1 is no count', () => {
  const range = ['2026-11-16', '2026-11-16', '2026-11-25'] as const
  const dates = ['11-16', '11-17', '11-23', '11-24']
  const rules = [
    'FREQ=WEEKLY; BYDAY=MO, TU',
    String.raw`FREQ=WEEKLY\;BYDAY=MO\,TU`,
    'FREQ=WEEKLY;BYDAY=MO,TU;COUNT=-1',
  ]
  for (const rule of rules) {
    assert.deepEqual(listDates(rule, ...range), dates, rule)
  }
})

test('invalid rules are rejected', () => {
  const rules = [
    '',
    'FREQ=FORTNIGHTLY',
    'BYDAY=MO',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;INTERVAL=-1',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=x',
    'FREQ=DAILY;UNTIL=tomorrow',
    'FREQ=DAILY;FREQ=WEEKLY',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=MONTHLY;BYDAY=54MO',
    'FREQ=MONTHLY;BYMONTHDAY=0',
    'FREQ=MONTHLY;BYMONTHDAY=32',
    'FREQ=MONTHLY;BYSETPOS=0',
    'FREQ=YEARLY;RSCALE=HEBREW',
    'FREQ=MONTHLY;SKIP=BACKWARD',
    'FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=SIDEWAYS',
    'FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD;BYMONTHDAY=30,31',
    'FREQ=DAILY;COUNT=-2',
    `FREQ=DAILY;BYHOUR=${'1,'.repeat(2_000)}2`,
  ]
  for (const rule of rules) assert.equal(parseRule(rule), null, rule.slice(0, 50))
})

test('a rule with more than 96 times a day has only its start', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => hour).join(',')
  const rules = [
    'FREQ=SECONDLY',
    'FREQ=MINUTELY',
    'FREQ=MINUTELY;INTERVAL=14',
    'FREQ=HOURLY;BYMINUTE=0,10,20,30,40',
    `FREQ=DAILY;BYHOUR=${hours};BYMINUTE=0,10,20,30,40`,
  ]
  for (const rule of rules) {
    const result = expand(rule, '2026-11-17T09:00', '2026-11-01T00:00', '2026-12-01T00:00')
    const expected = { times: [Date.UTC(2026, 10, 17, 9)], problem: 'rule_too_frequent' }
    assert.deepEqual(result, expected, rule)
  }
  const quarterly = expand(
    'FREQ=MINUTELY;INTERVAL=15',
    '2020-01-01T00:00',
    '2026-11-17T00:00',
    '2026-11-17T23:59',
  )
  assert.equal(quarterly.times.length, 96)
})

test('rules that never match end without occurrences', () => {
  const rules = [
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=3',
    'FREQ=HOURLY;INTERVAL=24;BYHOUR=10',
    'FREQ=MONTHLY;BYMONTHDAY=1;BYSETPOS=5',
    'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
    'FREQ=YEARLY;INTERVAL=999999999',
  ]
  for (const rule of rules) {
    const { times } = expand(rule, '2019-03-04T09:00', '2026-11-01T00:00', '2026-12-01T00:00')
    assert.deepEqual(times, [], rule)
  }
})

test('a huge count, an old start and the year 9999 are no endless work', () => {
  const window = ['2026-11-16T00:00', '2026-11-30T00:00'] as const
  const huge = expand('FREQ=DAILY;COUNT=999999999999', '1995-01-01T09:00', ...window)
  assert.deepEqual([huge.times.length, huge.problem], [14, null])
  const old = expand('FREQ=WEEKLY;BYDAY=MO;BYSETPOS=1;COUNT=9000', '1901-01-01T09:00', ...window)
  assert.deepEqual([old.times.length, old.problem], [0, 'rule_too_long'])
  const ancient = expand('FREQ=DAILY', '0200-01-01T09:00', ...window)
  assert.equal(ancient.problem, 'rule_too_long')
  const future = expand('FREQ=DAILY', '9999-12-31T09:00', ...window)
  assert.deepEqual(future, { times: [], problem: null })
})

test('rules that are counted one by one share a budget', () => {
  const rule = parseRule('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=5')
  assert.ok(rule)
  const range = { start: Date.UTC(2020, 0), from: Date.UTC(2026, 10), to: Date.UTC(2026, 11) }
  const budget = { ...createRuleBudget(), countedPeriods: 3_000 }
  assert.equal(expandRule(rule, range, budget).problem, null)
  assert.equal(expandRule(rule, range, budget).problem, 'rule_too_long')
})
