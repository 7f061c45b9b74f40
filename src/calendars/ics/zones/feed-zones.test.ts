import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findZoneName } from '../../../lib/time/zone-data.ts'
import { createProblemCounter } from '../problems.ts'
import { readComponents } from '../text/content-lines.ts'
import { createFeedZones, findIanaName } from './feed-zones.ts'
import { listWindowsZones } from './windows-zones.ts'

const HOUR = 3_600_000

function readZones(vtimezone: readonly string[], problems = createProblemCounter()) {
  const text = ['BEGIN:VCALENDAR', ...vtimezone, 'END:VCALENDAR'].join('\n')
  const [calendar] = readComponents(text, () => assert.fail('unreadable line'))
  return createFeedZones(calendar?.children ?? [], problems)
}

test('every Windows name has an IANA zone that exists', () => {
  assert.ok(listWindowsZones().length >= 135)
  for (const [name, iana] of listWindowsZones()) {
    assert.equal(findZoneName(iana), iana, name)
    assert.notEqual(findIanaName(name), null, name)
  }
})

test('names of zones are recognised in the forms that calendars write', () => {
  const cases: ReadonlyArray<[tzid: string, iana: string | null]> = [
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['eastern standard time', 'America/New_York'],
    ['/freeassociation.sourceforge.net/Europe/Berlin', 'Europe/Berlin'],
    ['/example.org/20261101_1/America/Argentina/Salta', 'America/Argentina/Salta'],
    ['tzone://Microsoft/Utc', 'UTC'],
    ['/Europe/Stockholm', 'Europe/Stockholm'],
    ['/citadel.org/20261101_1/UTC', 'UTC'],
    ['/America/Argentina/Salta', 'America/Argentina/Salta'],
    ['Customized Time Zone', null],
    ['Mars/Phobos', null],
    ['', null],
  ]
  for (const [tzid, iana] of cases) assert.equal(findIanaName(tzid), iana, tzid)
})

test('a zone that only the feed knows follows its VTIMEZONE', () => {
  const zone = readZones([
    'BEGIN:VTIMEZONE',
    'TZID:Customized Time Zone',
    'BEGIN:STANDARD',
    'DTSTART:16010101T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010101T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ]).find('Customized Time Zone')
  // The clocks of Berlin change at the same times.
  const offsets = [
    ['2026-01-15T12:00:00Z', 1],
    ['2026-03-29T00:59:59Z', 1],
    ['2026-03-29T01:00:00Z', 2],
    ['2026-10-25T00:59:59Z', 2],
    ['2026-10-25T01:00:00Z', 1],
    ['2036-07-01T00:00:00Z', 2],
  ] as const
  for (const [instant, hours] of offsets) {
    assert.equal(zone?.offsetAt(Date.parse(instant)), hours * HOUR, instant)
  }
})

test('a VTIMEZONE with end dates, added dates and a location is understood', () => {
  const zones = readZones([
    'BEGIN:VTIMEZONE',
    'TZID:Office',
    'BEGIN:STANDARD',
    'DTSTART:20000101T000000',
    'TZOFFSETFROM:+0300',
    'TZOFFSETTO:+0300',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:20200601T000000',
    'TZOFFSETFROM:+0300',
    'TZOFFSETTO:+0400',
    'RRULE:FREQ=YEARLY;UNTIL=20210531T210000Z',
    'END:DAYLIGHT',
    'BEGIN:STANDARD',
    'DTSTART:20200901T000000',
    'RDATE:20210901T000000',
    'TZOFFSETFROM:+0400',
    'TZOFFSETTO:+0300',
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VTIMEZONE',
    'TZID:Vendor zone 7',
    'X-LIC-LOCATION:Asia/Tokyo',
    'END:VTIMEZONE',
  ])
  const offsetIn = (month: string) => zones.find('Office')?.offsetAt(Date.parse(`${month}-15`))
  assert.deepEqual(
    ['1990-01', '2020-07', '2020-10', '2021-07', '2021-10', '2022-07'].map(offsetIn),
    [3, 4, 3, 4, 3, 3].map((hours) => hours * HOUR),
  )
  assert.equal(zones.find('Vendor zone 7')?.name, 'Asia/Tokyo')
})

test('the name of a VTIMEZONE and of a time mean the same with and without escaped commas', () => {
  const names = ['(UTC+01:00) Office, Home', '(UTC+01:00) Office\\, Home']
  for (const name of names) {
    const zones = readZones([
      'BEGIN:VTIMEZONE',
      `TZID:${name}`,
      'BEGIN:STANDARD',
      'DTSTART:20000101T000000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'END:VTIMEZONE',
    ])
    for (const tzid of names) assert.equal(zones.find(tzid)?.offsetAt(0), HOUR, `${name} ${tzid}`)
  }
})

/** A zone with standard time from November, and daylight saving time by a rule. */
function describeClock(daylightRule: string): string[] {
  const part = (name: string, offsets: readonly string[], start: string, rule: string) => [
    `BEGIN:${name}`,
    `DTSTART:${start}`,
    `TZOFFSETFROM:${offsets[0]}`,
    `TZOFFSETTO:${offsets[1]}`,
    `RRULE:${rule}`,
    `END:${name}`,
  ]
  const yearly = 'FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=1SU;BYMONTH=11'
  return [
    'BEGIN:VTIMEZONE',
    'TZID:Notes',
    ...part('STANDARD', ['-0400', '-0500'], '19501105T020000', yearly),
    ...part('DAYLIGHT', ['-0500', '-0400'], '19500312T020000', daylightRule),
    'END:VTIMEZONE',
  ]
}

test('clock changes with an hour, a minute or a position in the month are read', () => {
  for (const rule of [
    'FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=2SU;BYMONTH=3',
    'FREQ=YEARLY;BYMONTH=3;BYDAY=SU;BYSETPOS=2',
    'FREQ=YEARLY;BYMONTH=3;BYDAY=SU;BYMONTHDAY=8,9,10,11,12,13,14;BYSECOND=0',
  ]) {
    const problems = createProblemCounter()
    const zone = readZones(describeClock(rule), problems).find('Notes')
    const offsets = [
      ['2026-03-08T06:59:59Z', -5],
      ['2026-03-08T07:00:00Z', -4],
      ['2026-11-01T05:59:59Z', -4],
      ['2026-11-01T06:00:00Z', -5],
    ] as const
    for (const [instant, hours] of offsets) {
      assert.equal(zone?.offsetAt(Date.parse(instant)), hours * HOUR, `${rule} ${instant}`)
    }
    assert.deepEqual(problems.list(), [], rule)
  }
})

test('a part of a zone with several rules follows all of them', () => {
  const rule = 'FREQ=YEARLY;BYDAY=2SU;BYMONTH=3'
  const zone = readZones(describeClock(`${rule};UNTIL=20060401T000000Z\r\nRRULE:${rule}`)).find(
    'Notes',
  )
  for (const year of [2000, 2026]) assert.equal(zone?.offsetAt(Date.UTC(year, 6)), -4 * HOUR)
})

test('a clock change that cannot be read is a problem of the feed', () => {
  for (const rule of [
    'FREQ=HOURLY',
    'FREQ=YEARLY;BYWEEKNO=10',
    'FREQ=NEVER',
    'FREQ=YEARLY;BYDAY=2SU;BYMONTH=3\r\nRRULE:FREQ=NEVER',
    'FREQ=YEARLY;BYDAY=2SU;BYMONTH=3\r\nRDATE:20260308T020000,soon',
  ]) {
    const problems = createProblemCounter()
    assert.notEqual(readZones(describeClock(rule), problems).find('Notes'), null)
    assert.match(problems.list().join(), /^Clock changes .*: 1\.$/, rule)
  }
})

test('a name that Windows shows to people is a zone without a VTIMEZONE', () => {
  const cases: ReadonlyArray<[tzid: string, iana: string | null]> = [
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Amsterdam'],
    ['(UTC+01:00) Amsterdam\\, Berlin', 'Europe/Amsterdam'],
    ['(GMT-05:00) Eastern Time (US & Canada)', 'America/New_York'],
    ['(UTC-05:00) Eastern Time (US and Canada)', 'America/New_York'],
    ['Pacific Time (US & Canada)', 'America/Los_Angeles'],
    ['(UTC) Coordinated Universal Time', 'UTC'],
    ['(GMT+00:00) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London', 'Europe/Dublin'],
    ['(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi', 'Asia/Kolkata'],
    ['(UTC+10:00) Canberra, Melbourne, Sydney', 'Australia/Sydney'],
    ['(UTC+06:30) Yangon (Rangoon)', 'Asia/Yangon'],
    ['(UTC-07:00) Chihuahua, La Paz, Mazatlan', 'America/Mazatlan'],
    ['(UTC) Dublin, Edinburgh, Lisbon, London', 'Europe/Dublin'],
    ['(GMT+01.00) Sarajevo/Warsaw/Zagreb', 'Europe/Sarajevo'],
    ['(GMT+01.00) Amsterdam / Berlin / Bern / Rome', 'Europe/Amsterdam'],
    ['(UTC+10:30) Lord Howe Island', 'Australia/Lord_Howe'],
    ['(UTC-05:00) Turks and Caicos', 'America/Grand_Turk'],
    ['(UTC+01:00) Atlantis', null],
    ['(UTC+01:00) constructor', null],
    ['constructor', null],
    ['(UTC+04:00) Berlin', null],
  ]
  for (const [tzid, iana] of cases) assert.equal(readZones([]).find(tzid)?.name ?? null, iana, tzid)
})

test('a Windows name without a city is the offset in front of it', () => {
  const cases: ReadonlyArray<[tzid: string, hours: number]> = [
    ['(UTC-12:00) International Date Line West', -12],
    ['(UTC-02:00) Coordinated Universal Time-02', -2],
    ['(UTC-03:00) City of Buenos Aires', -3],
    ['(UTC+06:00) Astana', 6],
    ['(UTC+13:00) Samoa', 13],
  ]
  for (const [tzid, hours] of cases) {
    assert.equal(readZones([]).find(tzid)?.offsetAt(0), hours * HOUR, tzid)
  }
})

test('fixed offsets and names with a hyphen are zones, and other names are unknown', () => {
  const zones = readZones([])
  assert.equal(zones.find('America-New_York')?.name, 'America/New_York')
  assert.equal(zones.find('US-Eastern')?.name, 'America/New_York')
  assert.equal(zones.find('Mars-Phobos'), null)
  assert.equal(zones.find('GMT-0330')?.offsetAt(0), -3.5 * HOUR)
  assert.equal(zones.find('UTC+2')?.offsetAt(0), 2 * HOUR)
  assert.equal(zones.find('Mars/Phobos'), null)
})
