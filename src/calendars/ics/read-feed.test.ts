import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { FeedError } from './problems.ts'
import { MAX_FEED_BYTES, parseFeed } from './read-feed.ts'

const EVENT = 'BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261117T090000Z\r\nEND:VEVENT\r\n'

function isFeedError(code: string): (error: unknown) => boolean {
  return (error) => error instanceof FeedError && error.code === code
}

test('text that is no calendar is told apart from a calendar that is cut off', () => {
  for (const text of ['', '<html><title>Sign in</title></html>', '{"a": 1}', EVENT]) {
    assert.throws(() => parseFeed(text), isFeedError('not_a_calendar'), text)
  }
  for (const text of ['BEGIN:VCALENDAR\r\n', `BEGIN:VCALENDAR\r\n${EVENT}BEGIN:VEVENT\r\nUID:b`]) {
    assert.throws(() => parseFeed(text), isFeedError('truncated'), text)
  }
  const large = new Uint8Array(MAX_FEED_BYTES + 1)
  assert.throws(() => parseFeed(large), isFeedError('too_large'))
  const nested = `BEGIN:VCALENDAR\r\n${'BEGIN:X\r\n'.repeat(100)}`
  assert.throws(() => parseFeed(nested), isFeedError('too_complex'))
})

test('a calendar in which the beginning or the end of a part is missing is incomplete', () => {
  const zone = 'BEGIN:VTIMEZONE\r\nTZID:A\r\nEND:VTIMEZONE\r\n'
  const without = (text: string, line: string) => text.replace(`${line}\r\n`, '')
  const contents = [
    without(EVENT, 'END:VEVENT') + EVENT,
    EVENT + without(EVENT, 'END:VEVENT'),
    without(EVENT, 'BEGIN:VEVENT') + EVENT,
    without(EVENT, 'END:VEVENT') + zone,
    without(zone, 'END:VTIMEZONE') + EVENT,
    `${without(EVENT, 'END:VEVENT')}BEGIN:VALARM\r\n${EVENT}`,
    `${EVENT}BEGIN:VCALENDAR\r\n${EVENT}END:VCALENDAR\r\n`,
    `BEGIN:VPOLL\r\n${EVENT}`,
    `BEGIN:VJOURNAL\r\n${EVENT}END:VJOURNAL\r\n`,
  ]
  for (const content of contents) {
    const text = `BEGIN:VCALENDAR\r\n${content}END:VCALENDAR\r\n`
    assert.throws(() => parseFeed(text), isFeedError('truncated'), text)
  }
})

test('a calendar of which no event can be read is not an empty calendar', () => {
  const unreadable = EVENT.replace('20261117T090000Z', 'tomorrow')
  const wrap = (content: string) => `BEGIN:VCALENDAR\r\n${content}END:VCALENDAR\r\n`
  assert.throws(() => parseFeed(wrap(unreadable + unreadable)), isFeedError('no_readable_event'))
  const { events, problems } = parseFeed(wrap(unreadable + EVENT))
  assert.equal(events.length, 1)
  assert.deepEqual(problems, ['Events without a valid start that were ignored: 1.'])
})

test('an empty calendar has no events and no problems', () => {
  assert.deepEqual(parseFeed('\ufeffBEGIN:VCALENDAR\nX-WR-CALNAME:Team\\, A\nEND:VCALENDAR\n'), {
    events: [],
    name: 'Team, A',
    timeZone: null,
    problems: [],
  })
})

test('a feed is read whatever its line ends are, and with spaces before its beginning', () => {
  const lines = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    'DTSTART:20261117T090000Z',
    'SUMMARY:Zür',
    ' ich',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
  const feeds = [
    lines.join('\n'),
    lines.join('\r'),
    `\r\r${lines.join('\r')}`,
    `${lines.join('\r')}\n`,
    lines.join('\r').replace('UID:a\r', 'UID:a\r\n'),
    lines.join('\r\r\n'),
    `  ${lines.join('\r\n')}`,
    `\n \t\n ${lines.join('\n')}`,
    `\ufeff  ${lines.join('\n')}`,
    lines.map((line) => `    ${line}`).join('\n'),
    lines.map((line) => (line === '' ? '' : `\t${line}`)).join('\r'),
  ]
  for (const feed of feeds) {
    const { events, problems } = parseFeed(feed)
    assert.deepEqual([events.map(({ title }) => title), problems], [['Zürich'], []], feed)
  }
})

test('the events that a poll proposes are not events of the calendar', () => {
  const poll = `BEGIN:VPOLL\r\n${EVENT}${EVENT}END:VPOLL\r\n`
  const { events, problems } = parseFeed(`BEGIN:VCALENDAR\r\n${poll}${EVENT}END:VCALENDAR\r\n`)
  assert.equal(events.length, 1)
  assert.deepEqual(problems, ['Polls about the time of a meeting, which were ignored: 1.'])
})

test('several calendars in one feed are read', () => {
  const calendar = `BEGIN:VCALENDAR\r\n${EVENT}END:VCALENDAR\r\n`
  assert.equal(parseFeed(calendar + calendar).events.length, 2)
})

test('bytes that are not UTF-8 are replaced, and noted', () => {
  const text = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261117\r\nSUMMARY:Z?rich\r\nEND:VEVENT\r\nEND:VCALENDAR`
  const bytes = Buffer.from(text)
  bytes[bytes.indexOf('?')] = 0xfc
  const { events, problems } = parseFeed(bytes)
  assert.equal(events[0]?.title, 'Z\ufffdrich')
  assert.deepEqual(problems, ['The feed is not valid UTF-8; some characters were replaced.'])
})

test('people, responses and the end of a missing part are read', () => {
  const lines = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    'DTSTART:20261117T090000Z',
    'ORGANIZER;CN=Ada:MAILTO:Ada@Example.com',
    'ATTENDEE;CN="Ben  Ott";PARTSTAT=DECLINED:mailto:ben@example.com',
    'ATTENDEE;CN=cleo@example.com;PARTSTAT=needs-action;EMAIL=Cleo@example.com:urn:uuid:1',
    'ATTENDEE;CUTYPE=Room;PARTSTAT=ACCEPTED:mailto:room@example.com',
    'ATTENDEE;CUTYPE=INDIVIDUAL:mailto:dan@example.com',
    'ATTENDEE:invalid:nomail',
    'BEGIN:VALARM',
    'SUMMARY:Not the title',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  const [event] = parseFeed(lines.join('\n')).events
  assert.equal(event?.organizer, 'ada@example.com')
  assert.equal(event.title, '')
  assert.deepEqual(event.attendees, [
    { address: 'ben@example.com', name: 'Ben Ott', response: 'declined' },
    { address: 'cleo@example.com', response: 'needs_action' },
    { address: 'room@example.com', response: 'accepted', isPerson: false },
    { address: 'dan@example.com', response: null },
  ])
})

test('titles, identities and addresses have no characters that cannot be stored, and a limited length', () => {
  const long = '👍'.repeat(1_000)
  const lines = [
    'BEGIN:VCALENDAR',
    'X-WR-CALNAME:Te\u0000am',
    'BEGIN:VEVENT',
    'UID:a\u0000\\nb',
    'DTSTART:20261117T090000Z',
    'SUMMARY:Board\\n\u0000\u001b meeting',
    'ORGANIZER:mailto:A\u0000da@example.com',
    `ATTENDEE:mailto:x${'👍'.repeat(400)}@example.com`,
    'ATTENDEE;EMAIL="ben\u0007@example.com":urn:x',
    'END:VEVENT',
    'BEGIN:VEVENT',
    `UID:x${long}`,
    'DTSTART:20261117T090000Z',
    `SUMMARY:x${long}`,
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:\u0000',
    'DTSTART:20261117T090000Z',
    `SUMMARY:x${long}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  const { events, name, problems } = parseFeed(lines.join('\r\n'))
  const [first, second, third] = events
  assert.deepEqual(
    [name, first?.uid, first?.title, first?.organizer],
    ['Team', 'a b', 'Board meeting', 'ada@example.com'],
  )
  assert.deepEqual(first?.attendees.slice(1), [{ address: 'ben@example.com', response: null }])
  assert.match(third?.uid ?? '', /^no-uid\/\d+\/x👍/u)
  const texts = [first.attendees[0]?.address, second?.uid, second?.title, third?.uid, third?.title]
  for (const text of texts) {
    assert.ok(text?.isWellFormed() === true)
    assert.ok(text.length <= 500)
  }
  assert.deepEqual(problems, [
    'Events without a UID, which are identified by their start and title: 1.',
  ])
})
