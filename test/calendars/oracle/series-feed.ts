import type { RandomSeries } from './random-series.ts'
import { formatVtimezone } from './zones.ts'

/** What happened to a series' occurrences after it was created. */
export type SeriesExceptions = { excluded: number[]; changes: SeriesChange[] }

/** An occurrence that is moved or, with `isThisAndFuture`, all from there on. Local times as if they were UTC. */
export type SeriesChange = {
  original: number
  start: number
  isThisAndFuture: boolean
}

/** Formats as `20261117T090000`. */
export function formatLocal(wall: number): string {
  return new Date(wall).toISOString().replaceAll(/[-:]|\.000Z$/g, '')
}

/** A feed with one series, for both engines. */
export function formatSeriesFeed(
  { zone, start, rule, added }: RandomSeries,
  { excluded, changes }: SeriesExceptions = { excluded: [], changes: [] },
): string {
  const at = (wall: number) => `;TZID=${zone}:${formatLocal(wall)}`
  const common = ['BEGIN:VEVENT', 'UID:series', 'DTSTAMP:20260101T000000Z', 'DURATION:PT30M']
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Hansard//Test//EN',
    ...formatVtimezone(zone),
    ...common,
    `DTSTART${at(start)}`,
    `RRULE:${rule}`,
    ...added.map((wall) => `RDATE${at(wall)}`),
    ...excluded.map((wall) => `EXDATE${at(wall)}`),
    'END:VEVENT',
    ...changes.flatMap((change) => [
      ...common,
      `RECURRENCE-ID${change.isThisAndFuture ? ';RANGE=THISANDFUTURE' : ''}${at(change.original)}`,
      `DTSTART${at(change.start)}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}
