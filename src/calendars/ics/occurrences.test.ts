import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readFeed } from './read-feed.ts'

const WINDOW = {
  from: new Date('2026-11-16T00:00:00Z'),
  to: new Date('2026-11-30T00:00:00Z'),
  defaultTimeZone: 'Europe/Berlin',
}

type Lines = readonly string[]

function read(events: readonly Lines[], header: Lines = []) {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT'])
  return readFeed(['BEGIN:VCALENDAR', ...header, ...lines, 'END:VCALENDAR'].join('\r\n'), WINDOW)
}

/** Lists `key: start/end` of every occurrence, without year and seconds. */
function list(...events: Lines[]): string[] {
  const short = (date: Date) => date.toISOString().slice(5, 16)
  return read(events).occurrences.map(
    ({ key, startsAt, endsAt, title, isCancelled }) =>
      `${key} ${short(startsAt)}/${short(endsAt)}${title && ` ${title}`}${isCancelled ? ' cancelled' : ''}`,
  )
}

const WEEKLY = [
  'UID:series',
  'DTSTART;TZID=Europe/Berlin:20261103T090000',
  'DTEND;TZID=Europe/Berlin:20261103T100000',
  'RRULE:FREQ=WEEKLY',
] as const
const SECOND = '2026-11-24T08:00:00Z 11-24T08:00/11-24T09:00'

test('an event that does not repeat keeps its key when it is moved', () => {
  assert.deepEqual(list(['UID:a', 'DTSTART:20261117T090000Z', 'DTEND:20261117T093000Z']), [
    'once 11-17T09:00/11-17T09:30',
  ])
  assert.deepEqual(list(['UID:a', 'DTSTART:20261118T090000Z', 'DURATION:PT30M']), [
    'once 11-18T09:00/11-18T09:30',
  ])
})

test('a moved occurrence keeps the key of its original start', () => {
  const moved = (original: string, start: string) => [
    'UID:series',
    `RECURRENCE-ID${original}`,
    `DTSTART;TZID=Europe/Berlin:${start}`,
    'DURATION:PT30M',
    'SUMMARY:Moved',
  ]
  const key = '2026-11-17T08:00:00Z'
  // The original start as a local time, in UTC, in another zone, floating, and as a date.
  for (const original of [
    ';TZID=Europe/Berlin:20261117T090000',
    ':20261117T080000Z',
    ';TZID=America/New_York:20261117T030000',
    ':20261117T090000',
    ';VALUE=DATE:20261117',
  ]) {
    assert.deepEqual(
      list(WEEKLY, moved(original, '20261118T140000')),
      [`${key} 11-18T13:00/11-18T13:30 Moved`, SECOND],
      original,
    )
  }
  // Moved out of the window, and moved into it.
  assert.deepEqual(list(WEEKLY, moved(':20261117T080000Z', '20261214T090000')), [SECOND])
  assert.deepEqual(list(WEEKLY, moved(':20270105T080000Z', '20261126T090000')), [
    `${key} 11-17T08:00/11-17T09:00`,
    SECOND,
    '2027-01-05T08:00:00Z 11-26T08:00/11-26T08:30 Moved',
  ])
})

test('one occurrence, or the whole series, can be cancelled', () => {
  const cancelled = ['UID:series', 'RECURRENCE-ID:20261117T080000Z', 'STATUS:CANCELLED']
  assert.deepEqual(list(WEEKLY, cancelled), [
    '2026-11-17T08:00:00Z 11-17T08:00/11-17T08:00 cancelled',
    SECOND,
  ])
  const all = read([[...WEEKLY, 'STATUS:CANCELLED']]).occurrences
  assert.deepEqual(
    all.map(({ isCancelled }) => isCancelled),
    [true, true],
  )
  const byMethod = read([WEEKLY], ['METHOD:CANCEL']).occurrences
  assert.ok(byMethod.every(({ isCancelled }) => isCancelled))
})

test('excluded dates may be times in any zone, or days', () => {
  for (const excluded of [
    ';TZID=Europe/Berlin:20261117T090000',
    ':20261117T080000Z',
    ';TZID=America/New_York:20261010T000000,20261117T030000',
    ':20261117T090000',
    ';VALUE=DATE:20261117',
  ]) {
    assert.deepEqual(list([...WEEKLY, `EXDATE${excluded}`]), [SECOND], excluded)
  }
  const excludedChange = [
    'UID:series',
    'RECURRENCE-ID:20261117T080000Z',
    'DTSTART:20261118T080000Z',
  ]
  assert.deepEqual(list([...WEEKLY, 'EXDATE:20261117T080000Z'], excludedChange), [SECOND])
  assert.deepEqual(list([...WEEKLY, 'EXRULE:FREQ=WEEKLY;COUNT=3']), [SECOND])
})

test('an excluded rule removes its own dates only', () => {
  const daily = ['UID:daily', 'DTSTART:20261116T090000Z', 'RRULE:FREQ=DAILY;COUNT=4']
  const days = (rule: string) => list([...daily, `EXRULE:${rule}`]).map((text) => text.slice(8, 10))
  assert.deepEqual(days('FREQ=WEEKLY;BYDAY=TU,WE'), ['16', '19'])
  assert.deepEqual(days('FREQ=DAILY;BYDAY=TU,WE,TH;COUNT=2'), ['16', '19'])
  assert.deepEqual(days('FREQ=DAILY;COUNT=1'), ['17', '18', '19'])
  assert.deepEqual(days('FREQ=NEVER'), ['16', '17', '18', '19'])
  assert.deepEqual(read([[...daily, 'EXRULE:FREQ=NEVER']]).problems, [
    'Excluded repetitions that could not be read and were ignored: 1.',
  ])
})

test('a time in UTC that is excluded from whole days means the day of the calendar’s zone', () => {
  const days = ['UID:days', 'DTSTART;VALUE=DATE:20261116', 'RRULE:FREQ=DAILY;COUNT=3']
  const keys = (line: string, timeZone: string) =>
    read([[...days, line]], [`X-WR-TIMEZONE:${timeZone}`]).occurrences.map(({ key }) => key)
  const rest = ['2026-11-16', '2026-11-18']
  // Midnight in Berlin, midnight in New York, and a date that is written as a time.
  assert.deepEqual(keys('EXDATE:20261116T230000Z', 'Europe/Berlin'), rest)
  assert.deepEqual(keys('EXDATE:20261117T050000Z', 'America/New_York'), rest)
  assert.deepEqual(keys('EXDATE:20261117T000000Z', 'America/New_York'), rest)
})

test('COUNT includes excluded and moved occurrences, but not added ones', () => {
  const series = [
    ...WEEKLY.slice(0, 3),
    'RRULE:FREQ=WEEKLY;COUNT=4',
    'EXDATE:20261110T080000Z',
    'RDATE:20261119T120000Z',
  ]
  const change = ['UID:series', 'RECURRENCE-ID:20261117T080000Z', 'DTSTART:20261117T100000Z']
  assert.deepEqual(list(series, change), [
    '2026-11-17T08:00:00Z 11-17T10:00/11-17T10:00',
    '2026-11-19T12:00:00Z 11-19T12:00/11-19T13:00',
    SECOND,
  ])
})

test('an excluded date removes an event that does not repeat', () => {
  const event = ['UID:once', 'DTSTART:20261117T080000Z', 'DTEND:20261117T090000Z']
  assert.deepEqual(list([...event, 'EXDATE:20261117T080000Z']), [])
  assert.equal(list([...event, 'EXDATE:20261118T080000Z']).length, 1)
})

test('an added date may be a period with its own end, or a day', () => {
  const series = [...WEEKLY.slice(0, 3), 'RDATE;VALUE=PERIOD:20261119T120000Z/PT15M']
  assert.deepEqual(list([...series, 'RDATE;VALUE=DATE:20261120']), [
    '2026-11-19T12:00:00Z 11-19T12:00/11-19T12:15',
    '2026-11-20T08:00:00Z 11-20T08:00/11-20T09:00',
  ])
})

test('the length of an added period is measured from its own start', () => {
  const series = [
    ...WEEKLY.slice(0, 3),
    'RDATE;VALUE=PERIOD:20261119T120000Z/20261119T140000Z',
    'RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261120T120000/20261120T123000',
  ]
  assert.deepEqual(list(series), [
    '2026-11-19T12:00:00Z 11-19T12:00/11-19T14:00',
    '2026-11-20T11:00:00Z 11-20T11:00/11-20T11:30',
  ])
})

test('an added period with the start of an occurrence gives it another end', () => {
  const series = [
    ...WEEKLY.slice(0, 3),
    'RRULE:FREQ=WEEKLY',
    'RDATE;VALUE=PERIOD:20261117T080000Z/PT3H',
  ]
  assert.deepEqual(list(series), ['2026-11-17T08:00:00Z 11-17T08:00/11-17T11:00', SECOND])
})

test('a change of this and all later occurrences moves them on the clock', () => {
  const change = [
    'UID:series',
    'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261020T090000',
    'DTSTART;TZID=Europe/Berlin:20261021T143000',
    'DURATION:PT20M',
    'SUMMARY:Later',
  ]
  const series = ['UID:series', 'DTSTART;TZID=Europe/Berlin:20261006T090000', 'RRULE:FREQ=WEEKLY']
  const single = ['UID:series', 'RECURRENCE-ID:20261124T080000Z', 'DTSTART:20261125T080000Z']
  // The clocks changed on 25 October.
  assert.deepEqual(list(series, change, single), [
    '2026-11-17T08:00:00Z 11-18T13:30/11-18T13:50 Later',
    '2026-11-24T08:00:00Z 11-25T08:00/11-25T08:00',
  ])
})

test('an occurrence of a series that is not in the feed is listed', () => {
  const change = ['UID:other', 'RECURRENCE-ID:20261117T080000Z', 'DTSTART:20261117T100000Z']
  assert.deepEqual(list(change), ['2026-11-17T08:00:00Z 11-17T10:00/11-17T10:00'])
})

test('of two versions the one that was modified last counts, also when its sequence is lower', () => {
  const version = (title: string, modified: string, sequence: number) => [
    'UID:a',
    'DTSTART:20261117T090000Z',
    `SUMMARY:${title}`,
    modified,
    `SEQUENCE:${sequence}`,
  ]
  const old = version('Old', 'LAST-MODIFIED:20261101T000000Z', 7)
  const recent = version('New', 'LAST-MODIFIED:20261102T000000Z', 0)
  for (const events of [
    [old, recent],
    [recent, old],
  ]) {
    assert.deepEqual(list(...events), ['once 11-17T09:00/11-17T09:00 New'])
  }
  const same = 'DTSTAMP:20261101T000000Z'
  assert.deepEqual(list(version('B', same, 2), version('A', same, 1)), [
    'once 11-17T09:00/11-17T09:00 B',
  ])
})

test('UNTIL includes its instant, or its whole day', () => {
  const until = (text: string) => list([...WEEKLY.slice(0, 3), `RRULE:FREQ=WEEKLY;UNTIL=${text}`])
  assert.equal(until('20261124T080000Z').length, 2)
  assert.equal(until('20261124T075959Z').length, 1)
  assert.equal(until('20261124').length, 2)
  assert.equal(until('20261124T090000').length, 2)
  assert.equal(until('20261102T080000Z').length, 0)
})

test('whole days are days of the calendar’s zone', () => {
  const day = ['UID:d', 'DTSTART;VALUE=DATE:20261118', 'DTEND;VALUE=DATE:20261120']
  const { occurrences } = read([day], ['X-WR-TIMEZONE:America/New_York'])
  assert.deepEqual(
    occurrences.map(({ isAllDay, startsAt, endsAt }) => [isAllDay, startsAt, endsAt]),
    [[true, new Date('2026-11-18T05:00:00Z'), new Date('2026-11-20T05:00:00Z')]],
  )
  const daily = ['UID:d', 'DTSTART;VALUE=DATE:20261115', 'RRULE:FREQ=DAILY;UNTIL=20261118']
  assert.deepEqual(list([...daily, 'EXDATE;VALUE=DATE:20261117']), [
    '2026-11-16 11-15T23:00/11-16T23:00',
    '2026-11-18 11-17T23:00/11-18T23:00',
  ])
})

test('an occurrence that is going on at the beginning of the window is listed', () => {
  assert.deepEqual(list(['UID:a', 'DTSTART:20261115T230000Z', 'DURATION:PT2H']), [
    'once 11-15T23:00/11-16T01:00',
  ])
  assert.deepEqual(list(['UID:a', 'DTSTART:20261115T220000Z', 'DURATION:PT2H']), [])
  assert.deepEqual(
    list(['UID:a', 'DTSTART:20261101T230000Z', 'DURATION:PT2H', 'RRULE:FREQ=WEEKLY']).length,
    3,
  )
})

test('an end as a time has the same length for all, and days of a duration follow the clock', () => {
  const zone = ';TZID=Europe/Berlin'
  const from = { from: new Date('2026-10-24T00:00:00Z'), to: new Date('2026-10-26T00:00:00Z') }
  const ends = (end: string) =>
    readFeed(
      [
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'UID:a',
        `DTSTART${zone}:20261020T220000`,
        end,
        'RRULE:FREQ=DAILY',
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\n'),
      { ...WINDOW, ...from },
    )
      .occurrences.filter(({ key }) => key === '2026-10-24T20:00:00Z')
      .map(({ endsAt }) => endsAt.toISOString())
  assert.deepEqual(ends(`DTEND${zone}:20261021T220000`), ['2026-10-25T20:00:00.000Z'])
  assert.deepEqual(ends('DURATION:P1D'), ['2026-10-25T21:00:00.000Z'])
})

test('a start without a zone is in the zone of its end, but not in UTC', () => {
  const listWithEnd = (end: string) => list(['UID:a', 'DTSTART:20261118T090000', end])
  assert.deepEqual(listWithEnd('DTEND;TZID=Europe/London:20261118T100000'), [
    'once 11-18T09:00/11-18T10:00',
  ])
  assert.deepEqual(listWithEnd('DTEND:20261118T100000Z'), ['once 11-18T08:00/11-18T10:00'])
})

test('problems are counted, and contain nothing of the feed', () => {
  const secret = 'Secret-plan'
  const { occurrences, problems } = read([
    ['UID:a', 'DTSTART:never', `SUMMARY:${secret}`],
    ['UID:b', `DTSTART;TZID=${secret}:20261117T090000`],
    ['DTSTART:20261117T090000Z', `SUMMARY:${secret}`],
    [...WEEKLY.slice(0, 3), `RRULE:${secret}`, `EXDATE:${secret}`, secret],
  ])
  assert.deepEqual(
    occurrences.map(({ startsAt }) => startsAt.toISOString()),
    ['2026-11-17T08:00:00.000Z', '2026-11-17T09:00:00.000Z'],
  )
  assert.equal(problems.length, 6)
  assert.ok(problems.every((problem) => problem.endsWith(': 1.') && !problem.includes(secret)))
})

test('two versions of one change that name its start in different ways are one occurrence', () => {
  const version = (original: string, start: string, modified: string) => [
    'UID:series',
    `RECURRENCE-ID${original}`,
    `DTSTART:${start}`,
    `LAST-MODIFIED:${modified}`,
    `SUMMARY:${modified}`,
  ]
  const older = version(':20261117T080000Z', '20261118T080000Z', '20260101T000000Z')
  const inBerlin = ';TZID=Europe/Berlin:20261117T090000'
  const newer = version(inBerlin, '20261119T080000Z', '20260102T000000Z')
  const away = version(inBerlin, '20270119T080000Z', '20260102T000000Z')
  const expected = '2026-11-17T08:00:00Z 11-19T08:00/11-19T08:00 20260102T000000Z'
  for (const [first, second] of [
    [older, newer],
    [newer, older],
  ] as const) {
    assert.deepEqual(list(first, second), [expected])
    assert.deepEqual(list(WEEKLY, first, second), [expected, SECOND])
  }
  // The newer version is not in the window, and the older one must not reappear.
  assert.deepEqual(list(away, older), [])
  assert.deepEqual(list(WEEKLY, away, older), [SECOND])
})

test('a whole day occurs once, also when its rule has several times a day', () => {
  const rule = 'RRULE:FREQ=DAILY;BYHOUR=9,12;COUNT=4'
  assert.deepEqual(list(['UID:a', 'DTSTART;VALUE=DATE:20261117', rule]), [
    '2026-11-17 11-16T23:00/11-17T23:00',
    '2026-11-18 11-17T23:00/11-18T23:00',
  ])
})

test('of more than 2,000 meetings the first are listed, and a problem says so', () => {
  const events = Array.from({ length: 200 }, (_, index) => [
    `UID:${index}`,
    'DTSTART:20261101T090000Z',
    'RRULE:FREQ=DAILY',
    'DESCRIPTION:https://meet.google.com/abc-defg-hij https://example.com/a',
  ])
  const { occurrences, problems } = read(events)
  assert.equal(occurrences.length, 2_000)
  assert.equal(occurrences.at(-1)?.key, '2026-11-25T09:00:00Z')
  assert.deepEqual(problems, ['Only the first 2,000 meetings of the planned weeks are used.'])
  // Equal lists of links are one array.
  assert.equal(new Set(occurrences.map(({ links }) => links)).size, 1)
  const fewer = read(events.slice(0, 100))
  assert.equal(fewer.occurrences.length, 1_400)
  assert.deepEqual(fewer.problems, [])
})

test('the first 500 participants of an event are read', () => {
  const attendees = Array.from(
    { length: 600 },
    (_, index) => `ATTENDEE:mailto:${index}@example.com`,
  )
  const [occurrence] = read([['UID:a', 'DTSTART:20261117T090000Z', ...attendees]]).occurrences
  assert.equal(occurrence?.attendees.length, 500)
  assert.equal(occurrence.attendees.at(-1)?.address, '499@example.com')
})
