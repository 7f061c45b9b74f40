import ICAL from 'ical.js'

/** How far a change may move an occurrence into the range. */
const MAX_SHIFT_MS = 31 * 86_400_000

/** A start as an instant, and as a local time as if it were UTC. */
export type IcalStart = { instant: number; wall: number }

/** The starts of a feed's series between two instants, according to ical.js. */
export function listStartsWithIcal(feed: string, from: number, to: number): IcalStart[] {
  const calendar = new ICAL.Component(ICAL.parse(feed) as unknown[])
  const [main, ...exceptions] = calendar.getAllSubcomponents('vevent')
  if (main === undefined) throw new Error('the feed has no event')
  const event = new ICAL.Event(main, { exceptions })
  const iterator = event.iterator()
  const starts: IcalStart[] = []
  for (let next = iterator.next(); next !== undefined; next = iterator.next()) {
    if (toInstant(next) > to + MAX_SHIFT_MS) break
    const { startDate } = event.getOccurrenceDetails(next)
    starts.push({ instant: toInstant(startDate), wall: toWall(startDate) })
  }
  return starts
    .filter(({ instant }) => instant >= from && instant < to)
    .toSorted((a, b) => a.instant - b.instant)
}

/** The first local times of a rule, according to ical.js. */
export function listRuleTimesWithIcal(rule: string, start: number, count: number): number[] {
  const local = new Date(start).toISOString().slice(0, '2026-11-17T09:00:00'.length)
  const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString(local))
  const times: number[] = []
  while (times.length < count) {
    const next = iterator.next()
    if (next === null || next === undefined) break
    times.push(toWall(next))
  }
  return times
}

function toInstant(time: ICAL.Time): number {
  return time.toUnixTime() * 1000
}

function toWall(time: ICAL.Time): number {
  return Date.parse(`${time.toString()}Z`)
}
