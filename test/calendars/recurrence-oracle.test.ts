// Compares the occurrences of random series with those from ical.js, an independent engine.
import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readFeed } from '../../src/calendars/ics/read-feed.ts'
import { createIanaZone, toInstant } from '../../src/calendars/ics/zones/zone.ts'
import { getZoneOffsets } from '../../src/lib/time/zone-offsets.ts'
import { DISAGREEMENTS, isLeftOut } from './oracle/disagreements.ts'
import { type IcalStart, listRuleTimesWithIcal, listStartsWithIcal } from './oracle/ical-engine.ts'
import {
  createRandom,
  createSeries,
  type Random,
  type RandomSeries,
} from './oracle/random-series.ts'
import { formatLocal, formatSeriesFeed, type SeriesExceptions } from './oracle/series-feed.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const SERIES = IS_FULL_SIZE ? 3_000 : 120
const MIN_OCCURRENCES = IS_FULL_SIZE ? 180_000 : 6_500

function listStarts(feed: string, from: number, to: number): number[] {
  const window = { from: new Date(from), to: new Date(to), defaultTimeZone: 'UTC' }
  const { occurrences, problems } = readFeed(feed, window)
  assert.deepEqual(problems, [], feed)
  return occurrences.map(({ startsAt }) => startsAt.getTime()).filter((start) => start >= from)
}

/**
 * RFC 5545 does not define what a start means that does not fit its own rule. For Hansard it is the first occurrence,
 * for ical.js it is not.
 */
function fitsItsStart({ rule, start }: RandomSeries): boolean {
  return listRuleTimesWithIcal(rule.replace(/;UNTIL=\w+/, ''), start, 1)[0] === start
}

/**
 * True if no clock change is within an hour. For a time that a change skips or repeats, ical.js uses the offset after
 * the change. According to section 3.3.5 it is the offset before it, which the tests of `toInstant` check.
 */
function isFarFromClockChange(zone: string, instant: number): boolean {
  const { offsetAt } = getZoneOffsets(zone)
  return offsetAt(instant - HOUR - 1) === offsetAt(instant + HOUR)
}

/** The starts from ical.js, corrected near clock changes according to section 3.3.5. */
function listExpectedStarts(zone: string, starts: readonly IcalStart[]): number[] {
  const clock = createIanaZone(zone)
  return starts.map(({ instant, wall }) =>
    isFarFromClockChange(zone, instant) ? instant : toInstant(clock, wall),
  )
}

/**
 * The starts in order. If there are several hours a day, leaves out starts near a clock change: where clocks skip from
 * 2:00 to 3:00, ical.js has one start for 1:30 and 2:30, because it uses the offset after the change.
 */
function formatStarts({ zone, rule }: RandomSeries, starts: readonly number[]): string[] {
  return starts
    .filter((start) => !rule.includes('BYHOUR') || isFarFromClockChange(zone, start))
    .toSorted((a, b) => a - b)
    .map((start) => new Date(start).toISOString())
}

/**
 * Excludes some occurrences. In every third series it also moves one by some hours or days, or all from it on by some
 * hours. It only excludes real occurrences, because ical.js loses an excluded date after one without occurrence.
 */
function createExceptions(
  random: Random,
  { zone }: RandomSeries,
  starts: readonly number[],
): SeriesExceptions {
  const walls = starts
    .filter((start) => isFarFromClockChange(zone, start))
    .map((start) => start + getZoneOffsets(zone).offsetAt(start))
  const excludedCount = walls.length > 10 && random(2) === 0 ? random(6) : 0
  const pickWall = () => walls[random(walls.length)] ?? 0
  const excluded = [...new Set(Array.from({ length: excludedCount }, pickWall))]
  const remaining = walls.filter((wall) => !excluded.includes(wall))
  const original = remaining[random(remaining.length)]
  if (original === undefined || random(3) > 0) return { excluded, changes: [] }
  const isThisAndFuture = random(2) === 0
  const shift = (random(10) - 5) * HOUR + (isThisAndFuture ? 0 : (random(40) - 20) * DAY)
  return { excluded, changes: [{ original, start: original + shift, isThisAndFuture }] }
}

test('random series have the same occurrences as in ical.js, except where ical.js departs from RFC 5545', () => {
  const random = createRandom(5_545)
  const counts = { occurrences: 0, nearChange: 0, compared: 0, changed: 0, added: 0, excluded: 0 }
  for (let index = 0; index < SERIES; index += 1) {
    const series = createSeries(random)
    if (isLeftOut(series.rule, series.start) || !fitsItsStart(series)) continue
    const [from, to] = [series.start - DAY, series.start + 450 * DAY]
    const starts = listStarts(formatSeriesFeed(series), from, to)
    const exceptions = createExceptions(random, series, starts)
    const feed = formatSeriesFeed(series, exceptions)
    const ours = listStarts(feed, from, to)
    const theirs = listExpectedStarts(series.zone, listStartsWithIcal(feed, from, to))
    assert.deepEqual(
      formatStarts(series, ours),
      formatStarts(series, theirs),
      `${series.rule} from ${formatLocal(series.start)}\n${feed}`,
    )
    counts.occurrences += ours.length
    const isNear = (start: number) => !isFarFromClockChange(series.zone, start)
    if (!series.rule.includes('BYHOUR')) counts.nearChange += ours.filter(isNear).length
    counts.compared += 1
    counts.changed += exceptions.changes.length
    counts.added += series.added.length
    counts.excluded += exceptions.excluded.length
  }
  assert.ok(counts.occurrences >= MIN_OCCURRENCES, JSON.stringify(counts))
  assert.ok(counts.nearChange >= SERIES / 40, JSON.stringify(counts))
  assert.ok(counts.compared >= SERIES * 0.7, JSON.stringify(counts))
  assert.ok(
    Math.min(counts.changed, counts.added, counts.excluded) >= SERIES / 15,
    JSON.stringify(counts),
  )
})

for (const { rule, reason, example } of DISAGREEMENTS) {
  test(`${example.rule} has the dates that RFC 5545 gives, unlike in ical.js`, () => {
    assert.match(example.rule, rule)
    const expected = example.dates.map((date) => Date.parse(`${date}T12:00:00Z`))
    const [start = 0, end = 0] = [expected[0], expected.at(-1)]
    const feed = formatSeriesFeed({ zone: 'Asia/Kolkata', start, rule: example.rule, added: [] })
    const offset = 5.5 * HOUR
    const found = listStarts(feed, start - DAY, end + DAY).map((instant) => instant + offset)
    assert.deepEqual(found.map(formatLocal), expected.map(formatLocal))
    assert.notDeepEqual(
      listRuleTimesWithIcal(example.rule, start, expected.length),
      expected,
      `ical.js now agrees, so the rule need not be left out: ${reason}`,
    )
  })
}
