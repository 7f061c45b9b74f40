import { memberIdOf, type Viewer } from '../../access/viewer.ts'
import { formatCalendarDay, toCalendarDay, type CalendarDay } from '../../language/due-date.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { canonicalTimeZone } from '../../lib/time/time-zone-name.ts'
import { getZoneOffsets } from '../../lib/time/zone-offsets.ts'
import { chooseStatements, type RecapStatement } from './choose-statements.ts'
import type { DayRange, Period } from './find-period.ts'
import { parseRecapQuestion, type RecapQuestion, type StatementKind } from './recap-question.ts'

/** `to` is not part of a range. */
export type StatementFilter = {
  kind: StatementKind
  project?: string | undefined
  meetingIds?: readonly string[] | undefined
  /** When the meeting started. */
  started?: { from?: Date | undefined; to?: Date | undefined }
  /** When an action item is due. With `started`, one of both is enough. */
  due?: { from?: string | undefined; to?: string | undefined }
  /** Only action items whose owner is this user. */
  ownerId?: string | undefined
}

export type StatementSource = {
  clock: Clock
  /** IANA name of the time zone in which questions say "yesterday". */
  timeZone: string
  /** Searches statements that the viewer may read, newest meeting first. */
  searchStatements(viewer: Viewer, filter: StatementFilter): Promise<RecapStatement[]>
}

type Request = {
  question: string
  project?: string | undefined
  meetingId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export type FoundStatements = { question: RecapQuestion; statements: RecapStatement[] }

/** More would be a list and not an answer. */
export const MAX_STATEMENTS = 30
/** A line that was said at a time belongs to a meeting that started at most this long before. */
const MAX_MEETING_MS = DAY_MS

/** Finds the statements of recaps that answer a question, newest meeting first. Null for other questions. */
export async function findStatements(
  { clock, timeZone, searchStatements }: StatementSource,
  viewer: Viewer,
  request: Request,
): Promise<FoundStatements | null> {
  const today = toCalendarDay(clock.now(), timeZone)
  const question = parseRecapQuestion(request.question, today)
  if (question === null) return null
  const ownerId = question.isAboutCaller ? memberIdOf(viewer) : undefined
  const lists = await Promise.all(
    [...question.kinds].map(async (kind) => {
      // A program has no action items of its own.
      if (kind === 'action' && ownerId === null) return []
      const { project, meetingId } = request
      const times = toTimeFilter(kind, { period: question.period, request, today, timeZone })
      const own = kind === 'action' && ownerId !== undefined ? { ownerId: ownerId ?? '' } : {}
      const meetingIds = meetingId === undefined ? undefined : [meetingId]
      return searchStatements(viewer, { kind, project, meetingIds, ...times, ...own })
    }),
  )
  return { question, statements: chooseStatements(question, lists.flat()) }
}

type TimeFilterParts = {
  period: Period | null
  request: Request
  today: CalendarDay
  timeZone: string
}

function toTimeFilter(
  kind: StatementKind,
  { period, request: { from, to }, today, timeZone }: TimeFilterParts,
): Pick<StatementFilter, 'started' | 'due'> {
  const earliest = from === undefined ? undefined : new Date(from.getTime() - MAX_MEETING_MS)
  if (period === null) {
    return earliest === undefined && to === undefined ? {} : { started: { from: earliest, to } }
  }
  const said = toInstants(period.said, timeZone)
  const started = { from: latest(earliest, said.from), to: firstOf(to, said.to) }
  if (kind !== 'action') return { started }
  const due = { from: toDate(period.due.from), to: toDate(period.due.to) }
  if (period.isDeadline) return { due }
  // In the past, only the time of the meeting is meant: "What did Ada promise last week?"
  const isPast = period.said.to !== null && period.said.to <= today
  return isPast ? { started } : { started, due }
}

function toInstants({ from, to }: DayRange, timeZone: string) {
  return {
    from: from === null ? undefined : startOfDay(from, timeZone),
    to: to === null ? undefined : startOfDay(to, timeZone),
  }
}

/** Midnight in the time zone. On a day without midnight, the hour before or after it. */
function startOfDay(day: CalendarDay, timeZone: string): Date {
  const { offsetAt } = getZoneOffsets(canonicalTimeZone(timeZone) ?? 'UTC')
  const utc = day * DAY_MS
  return new Date(utc - offsetAt(utc - offsetAt(utc)))
}

function toDate(day: CalendarDay | null): string | undefined {
  return day === null ? undefined : formatCalendarDay(day)
}

function latest(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a
}

function firstOf(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a
}
