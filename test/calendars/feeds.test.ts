// Feeds as common calendars write them, for the two weeks from 16 November 2026.
import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseGoogleMeetLink } from '../../src/bots/platforms/google-meet/meeting-link.ts'
import { parseMicrosoftTeamsLink } from '../../src/bots/platforms/microsoft-teams/meeting-link.ts'
import { findMeetingLink } from '../../src/calendars/ics/links.ts'
import { readFeed } from '../../src/calendars/ics/read-feed.ts'

function readFixture(name: string) {
  const content = readFileSync(join(import.meta.dirname, 'feeds', name))
  const feed = readFeed(content, {
    from: new Date('2026-11-16T00:00:00Z'),
    to: new Date('2026-11-30T00:00:00Z'),
    defaultTimeZone: 'Europe/Paris',
  })
  assert.deepEqual(feed.problems, [])
  const parseLink = (url: string) => parseGoogleMeetLink(url) ?? parseMicrosoftTeamsLink(url)
  const rows = feed.occurrences.map((occurrence) => {
    const { key, startsAt, endsAt, title, isAllDay, isCancelled, links } = occurrence
    const minutes = (endsAt.getTime() - startsAt.getTime()) / 60_000
    const flags = `${isAllDay ? ' all-day' : ''}${isCancelled ? ' cancelled' : ''}`
    const room = findMeetingLink(links, parseLink)?.room ?? '-'
    return `${key} at ${startsAt.toISOString().slice(5, 16)} for ${minutes}${flags}: ${title} (${room})`
  })
  return { ...feed, rows }
}

const TEAMS_ROOM = /\(.*19:meeting_MjdhNjM4YzUtYzExZi00OTFkLTkzZTAtNTVlNmZmMDhkNGU2@thread\.v2.*\)$/

test('a feed of Google Calendar is read', () => {
  const { rows, name, timeZone, occurrences } = readFixture('google.ics')
  assert.deepEqual(rows, [
    '2026-11-16T08:30:00Z at 11-16T08:30 for 15: Standup – Suche (abc-defg-hij)',
    '2026-11-18T08:30:00Z at 11-18T13:00 for 15: Standup – Suche (nachmittags) (abc-defg-hij)',
    'once at 11-18T23:00 for 1440 all-day: Out of office (-)',
    'once at 11-19T16:00 for 60 cancelled: Budget (klm-nopq-rst)',
    '2026-11-23T08:30:00Z at 11-23T08:30 for 15: Standup – Suche (abc-defg-hij)',
    '2026-11-25T08:30:00Z at 11-25T08:30 for 15: Standup – Suche (abc-defg-hij)',
    '2026-11-27T08:30:00Z at 11-27T08:30 for 15: Standup – Suche (abc-defg-hij)',
  ])
  assert.deepEqual([name, timeZone], ['Ada’s meetings', 'Europe/Berlin'])
  assert.equal(occurrences[0]?.organizer, 'ada@example.com')
  assert.deepEqual(occurrences[0].attendees, [
    { address: 'ada@example.com', name: 'Ada Lovelace', response: 'accepted' },
    { address: 'ben@example.com', name: 'Ben; Team: Search', response: 'needs_action' },
  ])
})

test('a feed of Outlook on the web is read', () => {
  const { rows } = readFixture('outlook-web.ics')
  assert.match(rows[0] ?? '', /^2026-11-19T16:00:00Z at 11-19T16:00 for 60: Monthly review /)
  assert.match(rows[0] ?? '', TEAMS_ROOM)
  assert.deepEqual(rows.slice(1), [
    'once at 11-20T15:00 for 30: Busy (-)',
    'once at 11-23T23:00 for 2880 all-day: Canceled: Planning (-)',
  ])
})

test('a feed of Exchange is read, with its own zone, SafeLinks and lines folded inside characters', () => {
  const { rows, occurrences } = readFixture('exchange.ics')
  assert.equal(rows.length, 2)
  const title = 'Jour fixe mit Jürgen – Übersicht der größeren Änderungen in Köln und Zürich'
  assert.ok(rows[0]?.startsWith(`2026-11-17T08:00:00Z at 11-17T08:00 for 60: ${title} (`), rows[0])
  assert.match(rows[0] ?? '', TEAMS_ROOM)
  assert.match(rows[1] ?? '', /^once at 11-19T09:00 for 30: Pune sync /)
  assert.match(rows[1] ?? '', TEAMS_ROOM)
  assert.equal(occurrences[0]?.organizer, 'juergen.mueller@example.org')
})

test('a feed of Nextcloud is read, with a change of all later occurrences and two versions', () => {
  assert.deepEqual(readFixture('nextcloud.ics').rows, [
    '2026-11-16T15:00:00Z at 11-16T16:30 for 30: Community call (later) (our-community-call)',
    '2026-11-19T15:00:00Z at 11-19T16:30 for 30: Community call (later) (our-community-call)',
    'once at 11-20T07:30 for 30: New version (uvw-xyza-bcd)',
    '2026-11-23T15:00:00Z at 11-23T16:30 for 30: Community call (later) (our-community-call)',
  ])
})

test('a feed of Apple Calendar is read, with an occurrence that was moved into the window', () => {
  assert.deepEqual(readFixture('apple.ics').rows, [
    '2026-11-16 at 11-15T23:00 for 1440 all-day: Challenge (-)',
    '2026-11-17 at 11-16T23:00 for 1440 all-day: Challenge (-)',
    '2026-11-17T15:00:00Z at 11-17T15:00 for 60: Architektur (cde-fghi-jkl)',
    '2026-11-18 at 11-17T23:00 for 1440 all-day: Challenge (-)',
    '2026-12-08T15:00:00Z at 11-18T08:30 for 60: Architektur (vorgezogen) (cde-fghi-jkl)',
    'once at 11-21T17:00 for 60: Floating (-)',
  ])
})
