import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createIanaZone, toInstant, toWall } from './zone.ts'

/** Local times and their instants according to RFC 5545, section 3.3.5. */
const CASES: ReadonlyArray<[zone: string, local: string, instant: string]> = [
  ['Europe/Berlin', '2026-11-17T09:00:00', '2026-11-17T08:00:00Z'],
  // Skipped times: the offset before the change applies.
  ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00Z'],
  ['America/New_York', '2026-03-08T02:00:00', '2026-03-08T07:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:45:00Z'],
  // Repeated times: the first of the two.
  ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00Z'],
  ['America/New_York', '2026-11-01T01:30:00', '2026-11-01T05:30:00Z'],
  ['Pacific/Chatham', '2026-04-05T03:00:00', '2026-04-04T13:15:00Z'],
  // Just before and after a change.
  ['Europe/Berlin', '2026-03-29T01:59:59', '2026-03-29T00:59:59Z'],
  ['Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T03:00:00', '2026-10-25T02:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:59:59', '2026-10-24T23:59:59Z'],
  // A whole day was skipped.
  ['Pacific/Apia', '2011-12-31T12:00:00', '2011-12-30T22:00:00Z'],
]

test('a local time becomes the instant that RFC 5545 gives, also around clock changes', () => {
  for (const [name, local, instant] of CASES) {
    const found = toInstant(createIanaZone(name), Date.parse(`${local}Z`))
    assert.equal(new Date(found).toISOString(), new Date(instant).toISOString(), `${name} ${local}`)
  }
})

test('every hour of a year has a local time that leads back to it, except the repeated ones', () => {
  for (const name of ['Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kolkata']) {
    const zone = createIanaZone(name)
    const HOUR = 3_600_000
    let different = 0
    for (let hour = 0; hour < 366 * 24; hour += 1) {
      const instant = Date.UTC(2026, 0) + hour * HOUR
      if (toInstant(zone, toWall(zone, instant)) !== instant) different += 1
    }
    assert.ok(different <= 1, `${name}: ${different}`)
  }
})
