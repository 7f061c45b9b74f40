// Feeds that try to make the service work endlessly. A test that does not end fails at the time limit of the run.
import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createFeedReader } from '../../src/calendars/ics/feed-reader.ts'
import { FeedError } from '../../src/calendars/ics/problems.ts'
import { readFeed } from '../../src/calendars/ics/read-feed.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

const WINDOW = {
  from: new Date('2026-11-16T00:00:00Z'),
  to: new Date('2026-11-30T00:00:00Z'),
  defaultTimeZone: 'Europe/Berlin',
}

function createFeed(count: number, formatEvent: (index: number) => string): Buffer {
  const events = Array.from(
    { length: count },
    (_, index) => `BEGIN:VEVENT\r\nUID:${index}\r\n${formatEvent(index)}\r\nEND:VEVENT\r\n`,
  )
  return Buffer.from(`BEGIN:VCALENDAR\r\n${events.join('')}END:VCALENDAR\r\n`)
}

function isError(code: string): (error: unknown) => boolean {
  return (error) => error instanceof FeedError && error.code === code
}

test('a feed of several MB with thousands of events is read in a worker thread', async () => {
  await using reader = createFeedReader()
  const description = `DESCRIPTION:${'Agenda and notes\\n'.repeat(24)}https://meet.google.com/abc-defg-hij`
  // Half are single events of the year, a quarter have ended, and a quarter repeat.
  const rules = ['', '', '\r\nRRULE:FREQ=WEEKLY;UNTIL=20260101T000000Z', '\r\nRRULE:FREQ=WEEKLY']
  const feed = createFeed(5_000, (index) => {
    const date = new Date(Date.UTC(2026, 0, 1 + (index % 360))).toISOString().slice(0, 10)
    const start = `DTSTART;TZID=Europe/Berlin:${date.replaceAll('-', '')}T090000`
    return `${start}\r\nDURATION:PT30M\r\n${description}${rules[index % 4]}`
  })
  assert.ok(feed.length > 2_500_000)
  const { eventCount, occurrences, problems } = await reader.read(feed, WINDOW)
  assert.equal(eventCount, 5_000)
  assert.deepEqual(problems, ['Only the first 2,000 meetings of the planned weeks are used.'])
  assert.equal(occurrences.length, 2_000)
  assert.ok(occurrences.every(({ links }) => links.length === 1))
})

test('rules without end cost a limited number of steps for the whole feed', () => {
  const rules = [
    // Costs more steps than all rules of a feed may, so the later rules that need steps are refused too.
    'FREQ=MINUTELY;INTERVAL=15;BYMONTH=2;BYMONTHDAY=30;COUNT=5',
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;BYSECOND=0,1,2,3',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=5',
    'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3;COUNT=100',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=HOURLY;INTERVAL=24;BYHOUR=10;COUNT=3',
    'FREQ=DAILY;COUNT=1000000000',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=YEARLY;INTERVAL=1000000000',
    'FREQ=DAILY;UNTIL=99991231T235959Z',
  ]
  const feed = createFeed(
    220,
    (index) => `DTSTART:20150105T090000Z\r\nRRULE:${rules[index % rules.length]}`,
  )
  const { occurrences, problems } = readFeed(feed, WINDOW)
  // Only the rules with COUNT=1000000000 and UNTIL=9999… have occurrences, one each day.
  assert.equal(occurrences.length, 2 * 20 * 14)
  assert.equal(problems.length, 3)
})

test('rules that never occur, or are excluded again, do not take long', () => {
  const rules = [
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=3',
    'FREQ=MINUTELY;INTERVAL=15;BYMONTH=2;BYMONTHDAY=30',
  ]
  const never = createFeed(
    200,
    (index) => `DTSTART:20000103T090000Z\r\nRRULE:${rules[index % rules.length]}`,
  )
  assert.equal(readFeed(never, WINDOW).occurrences.length, 0)
  const often = 'FREQ=MINUTELY;INTERVAL=15'
  const excluded = createFeed(
    100,
    () => `DTSTART:20000103T090000Z\r\nRRULE:${often}\r\nEXRULE:${often}`,
  )
  assert.throws(() => readFeed(excluded, WINDOW), isError('too_complex'))
})

test('a series with thousands of changes for all later occurrences is read', () => {
  const change = (index: number) => {
    const original = new Date(Date.UTC(2030, 0, 1) + index * 60_000).toISOString()
    const time = original.replaceAll(/[-:]|\.000/g, '')
    return `RECURRENCE-ID;RANGE=THISANDFUTURE:${time}\r\nDTSTART:${time}`
  }
  const often = 'RRULE:FREQ=MINUTELY;INTERVAL=15\r\n'
  const series = `DTSTART:20261101T090000Z\r\n${often}RRULE:FREQ=MINUTELY;INTERVAL=20\r\n`
  const feed = createFeed(10_000, (index) => (index === 0 ? series : change(index)))
  const text = feed.toString().replaceAll(/^UID:\d+/gm, 'UID:series')
  assert.equal(readFeed(text, WINDOW).occurrences.length, 2_000)
})

test('more events or meetings than a calendar has are an error', () => {
  const start = 'DTSTART:20261117T090000Z'
  assert.throws(
    () =>
      readFeed(
        createFeed(100_001, () => start),
        WINDOW,
      ),
    isError('too_large'),
  )
  assert.throws(
    () =>
      readFeed(
        createFeed(4_000, () => `${start}\r\nRRULE:FREQ=DAILY`),
        WINDOW,
      ),
    isError('too_complex'),
  )
})

test('more participants than a calendar has are an error, but those of a series count once', () => {
  const attendees = Array.from({ length: 500 }, (_, index) => `ATTENDEE:mailto:${index}@b`)
  const event = `DTSTART:20261117T090000Z\r\n${attendees.join('\r\n')}`
  const many = createFeed(401, () => event)
  assert.throws(() => readFeed(many, WINDOW), isError('too_complex'))
  const series = createFeed(20, () => `${event}\r\nRRULE:FREQ=DAILY`)
  assert.equal(readFeed(series, WINDOW).occurrences.length, 20 * 13)
})

test('a feed with thousands of unknown names of zones is read', () => {
  const feed = createFeed(
    5_000,
    (index) => `DTSTART;TZID=a/b/c${index}/d:${index < 10 ? '20261117' : '20250101'}T090000`,
  )
  const { occurrences, problems } = readFeed(feed, WINDOW)
  assert.equal(occurrences.length, 10)
  assert.equal(problems.length, 1)
})

test('very long lines, lists and nesting are read once', () => {
  // Work that grows with the square of this number would not end.
  const many = IS_FULL_SIZE ? 1_000_000 : 50_000
  const event = (text: string) => createFeed(1, () => `DTSTART:20261117T090000Z\r\n${text}`)
  const feeds = [
    event(`DESCRIPTION:${'http://a'.repeat(many)}`),
    event(`DESCRIPTION:${'&#x41'.repeat(many)}`),
    event(`ATTENDEE;CN=${'"a'.repeat(many)}:mailto:a@example.com`),
    event(`ATTENDEE${';A=b'.repeat(many)}:mailto:a@example.com`),
    event(`EXDATE:${'20200303T090000Z,'.repeat(many / 5)}20200404T090000Z`),
    event(`RRULE:FREQ=DAILY;COUNT=1;BYDAY=${'MO,'.repeat(many)}TU`),
    event(`ORGANIZER:${'mailto:'.repeat(many)}`),
    event(`ORGANIZER:mailto:${' '.repeat(many)}`),
    event(`ATTENDEE;EMAIL=${'@'.repeat(many)}:x`),
    event(`SUMMARY:${' \\n'.repeat(many)}`),
    event('\r\n '.repeat(many)),
    event('END:X\r\n'.repeat(many)),
  ]
  for (const feed of feeds) assert.equal(readFeed(feed, WINDOW).occurrences.length, 1)
})

function createZoneFeed(zoneCount: number, rules: readonly string[]): string {
  const parts = rules.flatMap((rule) => [
    'BEGIN:STANDARD',
    'DTSTART:16010101T000000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    `RRULE:${rule}`,
    'END:STANDARD',
  ])
  const zones = Array.from({ length: zoneCount }, (_, index) =>
    [
      'BEGIN:VTIMEZONE',
      `TZID:zone ${index}`,
      ...parts,
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      `UID:${index}`,
      `DTSTART;TZID=zone ${index}:20261117T090000`,
      'END:VEVENT',
    ].join('\r\n'),
  )
  return `BEGIN:VCALENDAR\r\n${zones.join('\r\n')}\r\nEND:VCALENDAR`
}

test('a feed with hundreds of zones of its own uses some of them', () => {
  const unknown = (count: number) =>
    `Times in an unknown time zone, for which the zone of the calendar is used: ${count}.`
  const yearly = 'FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'
  const { occurrences, problems } = readFeed(createZoneFeed(500, [yearly]), WINDOW)
  assert.equal(occurrences.length, 500)
  assert.deepEqual(problems, [unknown(300)])
  const manyRules = Array.from({ length: 100 }, () => yearly)
  assert.deepEqual(readFeed(createZoneFeed(30, manyRules), WINDOW).problems, [unknown(20)])
})

test('a zone whose clocks would change every hour is read as one without these changes', () => {
  const days = Array.from({ length: 100 }, (_, index) => index + 1).join(',')
  const rules = [
    `FREQ=YEARLY;BYYEARDAY=${days};BYHOUR=1,2,3,4,5,6,7`,
    'FREQ=HOURLY',
    'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU',
  ]
  const feed = createZoneFeed(200, rules)
  assert.equal(readFeed(feed, WINDOW).occurrences.length, 200)
})

const piece = fc.constantFrom(
  'END:VEVENT\r\nBEGIN:VEVENT\r\nUID:a\r\n',
  'BEGIN:VEVENT\r\n',
  'END:VEVENT\r\nBEGIN:VTIMEZONE\r\nTZID:Z\r\nBEGIN:STANDARD\r\n',
  'END:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\n',
  'TZOFFSETFROM:+0100\r\nTZOFFSETTO:-1200\r\n',
  'UID:a\r\n',
  'DTSTART:20261117T090000Z\r\n',
  'DTSTART;TZID=Z:20261117T090000\r\n',
  'DTSTART;VALUE=DATE:20261117\r\n',
  'DTSTART:99991231T235959Z\r\n',
  'DTSTART:01000101T000000\r\n',
  'DTEND:01000101T000000\r\n',
  'DTEND:99991231T235959Z\r\n',
  'DURATION:P999999W\r\n',
  'RECURRENCE-ID:20261118T090000Z\r\n',
  'RECURRENCE-ID;TZID=Europe/Berlin:20261118T100000\r\n',
  'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20261117\r\n',
  'RRULE:FREQ=DAILY\r\n',
  'RRULE:FREQ=WEEKLY;BYDAY=MO,SU;COUNT=3\r\n',
  'RRULE:FREQ=MONTHLY;BYDAY=-1FR;BYSETPOS=1\r\n',
  'RRULE:FREQ=YEARLY;BYYEARDAY=-366;BYWEEKNO=-53\r\n',
  'RRULE:FREQ=WEEKLY;BYDAY=5MO;BYMONTHDAY=-31\r\n',
  'RRULE:FREQ=HOURLY;INTERVAL=7;BYSETPOS=-1\r\n',
  'RRULE:FREQ=DAILY;BYYEARDAY=100;UNTIL=20261120\r\n',
  'EXRULE:FREQ=DAILY;INTERVAL=2\r\n',
  'EXDATE;VALUE=DATE:20261118,,x\r\n',
  'RDATE;VALUE=PERIOD:20261119T090000Z/PT1H,20261120T000000Z/20261119T000000Z\r\n',
  'SUMMARY:x\r\n y\r\n',
  'X-WR-TIMEZONE:Nowhere\r\n',
  '\r\n ',
  ':',
  ';',
  '"',
)

const RUNS = IS_FULL_SIZE ? 5_000 : 500

test('any mix of parts is read, or rejected with a FeedError', () => {
  let read = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      try {
        const feed = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\n${pieces.join('')}END:VEVENT\r\nEND:VCALENDAR\r\n`
        const { occurrences } = readFeed(feed, WINDOW)
        read += occurrences.length > 0 ? 1 : 0
        const identities = occurrences.map(({ uid, key }) => `${uid} ${key}`)
        assert.equal(new Set(identities).size, identities.length)
        for (const { startsAt, endsAt } of occurrences) {
          assert.ok(startsAt < WINDOW.to)
          assert.ok(endsAt >= startsAt)
        }
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
      }
    }),
    { seed: 20_261, numRuns: RUNS },
  )
  assert.ok(read > RUNS / 10, `${read} have occurrences`)
})
