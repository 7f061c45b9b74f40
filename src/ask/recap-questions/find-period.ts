import {
  addMonths,
  dateOfDay,
  dayOfDate,
  indexOfName,
  readNumber,
  weekdayOf,
  type CalendarDay,
  type DateLanguage,
} from '../../language/due-date.ts'

/** `to` is not part of the range. Null: no limit. */
export type DayRange = { from: CalendarDay | null; to: CalendarDay | null }

/** The time that a question names. */
export type Period = {
  /** When something was said. */
  said: DayRange
  /** When an action item is due. */
  due: DayRange
  /** True for "by Friday", which for an action item is only a due date. */
  isDeadline: boolean
}

export type FoundPeriod = Period & { start: number; end: number }

/** The phrases for a period. A day, week, month or year is `amount` later than today's, or earlier if it is negative. */
const PHRASES = {
  dayBeforeYesterday: { unit: 'day', amount: -2 },
  yesterday: { unit: 'day', amount: -1 },
  today: { unit: 'day', amount: 0 },
  dayAfterTomorrow: { unit: 'day', amount: 2 },
  tomorrow: { unit: 'day', amount: 1 },
  lastWeek: { unit: 'week', amount: -1 },
  thisWeek: { unit: 'week', amount: 0 },
  nextWeek: { unit: 'week', amount: 1 },
  lastMonth: { unit: 'month', amount: -1 },
  thisMonth: { unit: 'month', amount: 0 },
  nextMonth: { unit: 'month', amount: 1 },
  lastYear: { unit: 'year', amount: -1 },
  thisYear: { unit: 'year', amount: 0 },
} as const
type FixedPhrase = keyof typeof PHRASES
/** `{count}` units until today, from today, or the day, week or month that is that long ago. */
const COUNTED_PHRASES = ['lastUnits', 'nextUnits', 'unitsAgo'] as const
type CountedPhrase = (typeof COUNTED_PHRASES)[number]

/** How a language names periods. Patterns match folded text. */
export type PeriodLanguage = {
  dates: DateLanguage
  /** Pattern for a unit of time, in group `unit`. */
  unit: string
  phrases: Record<FixedPhrase, RegExp> & Record<CountedPhrase, string>
  /** Matches the text before the name of a month: "in May", but not "may". */
  beforeMonth: RegExp
  /** Matches the text before a weekday, where its name has other meanings too. */
  beforeWeekday?: RegExp
  /** Match the end of the text before a period: "since", "by". */
  since: RegExp
  until: RegExp
}

type Found = { start: number; end: number; said: DayRange; due: DayRange }
type Groups = Readonly<Record<string, string | undefined>>

const ISO_DATE = /\b(?<year>20\d\d)-(?<month>\d\d)-(?<day>\d\d)\b/
const MAX_UNITS = 400
/** How much text before a period is searched for a preposition. */
const MAX_CHARS_BEFORE = 24

/** Finds the first period that a folded question names, or null. */
export function findPeriod(
  folded: string,
  language: PeriodLanguage,
  today: CalendarDay,
): FoundPeriod | null {
  const [found] = [
    ...findPhrases(folded, language, today),
    ...findDates(folded, language, today),
    ...findWeekday(folded, language, today),
  ].toSorted((a, b) => a.start - b.start || b.end - a.end)
  if (found === undefined) return null
  const before = folded.slice(Math.max(0, found.start - MAX_CHARS_BEFORE), found.start)
  const { said, due } = found
  const since = language.since.exec(before)
  const until = since === null ? language.until.exec(before) : null
  const limit = since !== null ? { to: null } : until !== null ? { from: null } : {}
  return {
    start: found.start - (since ?? until ?? [''])[0].length,
    end: found.end,
    said: { ...said, ...limit },
    due: { ...due, ...limit },
    isDeadline: until !== null,
  }
}

function findPhrases(folded: string, language: PeriodLanguage, today: CalendarDay): Found[] {
  const { phrases, dates, unit } = language
  const find = (pattern: RegExp, resolve: (groups: Groups) => DayRange | null): Found[] => {
    const match = pattern.exec(folded)
    const range = match && resolve(match.groups ?? {})
    if (match === null || range === null) return []
    return [{ ...placeOf(match), said: range, due: range }]
  }
  const fixed = Object.entries(PHRASES) as Array<[FixedPhrase, (typeof PHRASES)[FixedPhrase]]>
  const count = `(?<count>\\d{1,3}|${Object.keys(dates.numbers).join('|')})`
  return [
    ...fixed.flatMap(([phrase, meaning]) =>
      find(phrases[phrase], () => resolvePhrase(meaning, today)),
    ),
    ...COUNTED_PHRASES.flatMap((phrase) => {
      const text = phrases[phrase].replace('{count}', count).replace('{unit}', unit)
      return find(new RegExp(`\\b${text}\\b`), (groups) =>
        resolveCountedPhrase(phrase, groups, dates, today),
      )
    }),
  ]
}

function placeOf(match: RegExpExecArray): { start: number; end: number } {
  return { start: match.index, end: match.index + match[0].length }
}

function resolvePhrase(
  { unit, amount }: (typeof PHRASES)[FixedPhrase],
  today: CalendarDay,
): DayRange {
  if (unit === 'day') return { from: today + amount, to: today + amount + 1 }
  if (unit === 'week') return weekOf(today + 7 * amount)
  if (unit === 'month') return monthOf(addMonths(today, amount))
  const year = dateOfDay(today).year + amount
  return { from: dayOfDate(year, 1, 1), to: dayOfDate(year + 1, 1, 1) }
}

function resolveCountedPhrase(
  phrase: CountedPhrase,
  groups: Groups,
  dates: DateLanguage,
  today: CalendarDay,
): DayRange | null {
  const count = readNumber(groups['count'], dates)
  const unit = dates.units.find(({ beginning }) => groups['unit']?.startsWith(beginning))
  if (unit === undefined || !(count > 0 && count < MAX_UNITS)) return null
  const signed = phrase === 'nextUnits' ? count : -count
  const day = unit.days === null ? addMonths(today, signed) : today + signed * unit.days
  if (phrase === 'nextUnits') return { from: today, to: day + 1 }
  if (phrase === 'lastUnits') return { from: day, to: today + 1 }
  if (unit.days === null) return monthOf(day)
  return unit.days === 1 ? { from: day, to: day + 1 } : weekOf(day)
}

/** Dates without a year mean the last one for what was said, and the next one for what is due. */
function findDates(
  folded: string,
  { dates, beforeMonth }: PeriodLanguage,
  today: CalendarDay,
): Found[] {
  const months = `(?<month>${dates.months.join('|')})`
  const day = '(?<day>\\d{1,2})(?:st|nd|rd|th|er|\\.|º|o)?'
  const year = '(?:,? (?:de |of )?(?<year>20\\d\\d))?'
  const patterns: Array<{ pattern: RegExp; before?: RegExp }> = [
    { pattern: new RegExp(`\\b${day} (?:de |of )?${months}\\b${year}`) },
    { pattern: new RegExp(`\\b${months} ${day}\\b${year}`) },
    { pattern: new RegExp(`\\b${months}\\b${year}`), before: beforeMonth },
  ]
  const found = patterns.flatMap(({ pattern, before }) => {
    const match = pattern.exec(folded)
    if (match === null || before?.test(folded.slice(0, match.index)) === false) return []
    const ranges = resolveDate(match.groups ?? {}, dates, today)
    return ranges === null ? [] : [{ ...placeOf(match), ...ranges }]
  })
  const iso = ISO_DATE.exec(folded)
  const { year: isoYear, month, day: isoDay } = iso?.groups ?? {}
  const isoDate = dayOfDate(Number(isoYear), Number(month), Number(isoDay))
  if (iso === null || isoDate === null) return found
  const range = { from: isoDate, to: isoDate + 1 }
  return [{ ...placeOf(iso), said: range, due: range }, ...found]
}

function resolveDate(
  { day, month, year }: Groups,
  dates: DateLanguage,
  today: CalendarDay,
): { said: DayRange; due: DayRange } | null {
  const monthNumber = indexOfName(dates.months, month) + 1
  const rangeIn = (inYear: number): DayRange | null => {
    const first = dayOfDate(inYear, monthNumber, day === undefined ? 1 : Number(day))
    if (first === null) return null
    return day === undefined ? monthOf(first) : { from: first, to: first + 1 }
  }
  const thisYear = dateOfDay(today).year
  if (year !== undefined) {
    const range = rangeIn(Number(year))
    return range === null ? null : { said: range, due: range }
  }
  const range = rangeIn(thisYear)
  if (range === null) return null
  const said = (range.from ?? 0) > today ? rangeIn(thisYear - 1) : range
  const due = (range.to ?? 0) <= today ? rangeIn(thisYear + 1) : range
  return said === null || due === null ? null : { said, due }
}

function findWeekday(
  folded: string,
  { dates, beforeWeekday }: PeriodLanguage,
  today: CalendarDay,
): Found[] {
  const match = new RegExp(`\\b(?<weekday>${dates.weekdays.join('|')})\\b`).exec(folded)
  if (match === null || beforeWeekday?.test(folded.slice(0, match.index)) === false) return []
  const weekday = indexOfName(dates.weekdays, match.groups?.['weekday'])
  const last = today - ((weekdayOf(today) - weekday + 7) % 7)
  const next = today + ((weekday - weekdayOf(today) + 7) % 7)
  const said = { from: last, to: last + 1 }
  return [{ ...placeOf(match), said, due: { from: next, to: next + 1 } }]
}

function weekOf(day: CalendarDay): DayRange {
  const monday = day - weekdayOf(day)
  return { from: monday, to: monday + 7 }
}

function monthOf(day: CalendarDay): DayRange {
  const { year, month } = dateOfDay(day)
  return {
    from: dayOfDate(year, month, 1),
    to: month === 12 ? dayOfDate(year + 1, 1, 1) : dayOfDate(year, month + 1, 1),
  }
}
