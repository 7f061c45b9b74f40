import ICAL from 'ical.js'

/** How far a change may move an occurrence into the range. */
const MAX_SHIFT_MS = 31 * 86_400_000

/** The starts of the series in a feed, by ical.js, as instants between two instants. */
export function listStartsWithIcal(feed: string, from: number, to: number): number[] {
  const calendar = new ICAL.Component(ICAL.parse(feed) as unknown[])
  const [main, ...exceptions] = calendar.getAllSubcomponents('vevent')
  if (main === undefined) throw new Error('the feed has no event')
  const event = new ICAL.Event(main, { exceptions })
  const iterator = event.iterator()
  const starts: number[] = []
  for (let next = iterator.next(); next !== undefined; next = iterator.next()) {
    if (toInstant(next) > to + MAX_SHIFT_MS) break
    starts.push(toInstant(event.getOccurrenceDetails(next).startDate))
  }
  return starts.filter((start) => start >= from && start < to).toSorted((a, b) => a - b)
}

/** The first local times of a rule, by ical.js. */
export function listRuleTimesWithIcal(rule: string, start: number, count: number): number[] {
  const local = new Date(start).toISOString().slice(0, '2026-11-17T09:00:00'.length)
  const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString(local))
  const times: number[] = []
  while (times.length < count) {
    const next = iterator.next()
    if (next === null || next === undefined) break
    times.push(Date.parse(`${next.toString()}Z`))
  }
  return times
}

function toInstant(time: ICAL.Time): number {
  return time.toUnixTime() * 1000
}
