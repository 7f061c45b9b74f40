import { sql } from 'kysely'
import type { Tx, Db } from '../../db/database.ts'
import { newOrderedId } from '../../lib/crypto.ts'
import { selectCalendars } from '../calendar-store.ts'
import type { Calendar } from '../calendar.ts'
import { decideAttendance, type AttendanceContext, ATTEND_LEAD_MS } from './decide-attendance.ts'
import {
  deleteOccurrences,
  hasSameFacts,
  insertOccurrences,
  isExpired,
  readOccurrences,
  settleRooms,
  toFactColumns,
  updateOccurrence,
  type FactColumns,
  type LinkedOccurrence,
  type OccurrenceRow,
} from './occurrence-store.ts'
import type { UpcomingReason } from './reasons.ts'

export type Plan = {
  now: Date
  /** Why no meeting of the calendar is joined at the moment; null if there is no obstacle. */
  obstacle: UpcomingReason | null
  /** What the source reported; null to decide again about what is stored. */
  reported: readonly LinkedOccurrence[] | null
  /** True if meetings would now start differently, so that refused ones are tried again. */
  forgetsRefusals?: boolean
}

export type Planned = {
  /** True if the occurrences changed. */
  isChanged: boolean
  /** The rooms for which a decision was made. */
  rooms: string[]
  /** Occurrences whose title or end changed. For the others, a person's changes to the meeting stay. */
  changedIds: string[]
}

/** The first part of the key of planning locks. The second one is the project. */
const PLANNING_LOCK = 4746

/**
 * Stores what a calendar contains and decides about every occurrence. The caller must hold the planning lock and the
 * lock of the calendar's row.
 */
export async function planCalendar(
  tx: Tx,
  calendar: Pick<Calendar, 'id' | 'project' | 'rules' | 'address'>,
  { now, obstacle, reported, forgetsRefusals = false }: Plan,
): Promise<Planned> {
  const { rules, address } = calendar
  const context: AttendanceContext = { now, rules, address, obstacle }
  const stored = await readOccurrences(tx, calendar.id)
  const changes = reported === null ? keepAll(stored) : compare(stored, reported, now)
  const expired = changes.kept.filter(({ row }) => isExpired(row, now)).map(({ row }) => row.id)
  await deleteOccurrences(tx, [...changes.removedIds, ...expired])
  await insertOccurrences(
    tx,
    changes.added.map(({ occurrence, facts }) => ({
      id: newOrderedId('occ', now),
      calendar_id: calendar.id,
      uid: occurrence.uid,
      key: occurrence.key,
      ...facts,
      ...decide(facts, context, null),
      created_at: now,
    })),
  )
  for (const { row, facts } of changes.kept) {
    if (expired.includes(row.id)) continue
    // Keeps the reason, so that people can read later why the bot did not join.
    if (facts === null && row.ends_at <= now && row.decision === 'skip') continue
    const isTriedBefore = row.reason === 'no_bot_free' || isRefusedNow(row, now)
    const keepsReason = facts === null && !forgetsRefusals && isTriedBefore
    const decided = findDecisionChange({ ...row, ...facts }, context, keepsReason)
    const change = { ...facts, ...decided }
    if (Object.keys(change).length > 0) await updateOccurrence(tx, row.id, change)
  }
  const places = [...stored, ...changes.added, ...changes.kept].map((one) =>
    'facts' in one ? one.facts?.room : one.room,
  )
  const rooms = places.filter((room) => typeof room === 'string')
  await settleRooms(tx, calendar.project, rooms, now)
  const changed = changes.kept.filter(({ facts }) => facts !== null)
  const changeCount = changed.length + changes.added.length + changes.removedIds.length
  const changedIds = changed.filter(changesMeeting).map(({ row }) => row.id)
  return { isChanged: changeCount > 0, rooms, changedIds }
}

/** Reasons why the start of a meeting was refused, and which the next plan does not find by itself. */
export const REMEMBERED_REFUSALS: readonly UpcomingReason[] = [
  'callback_blocked',
  'account_missing',
]

/** True if a meeting that is about to start or taking place was refused. It is not tried again at every poll. */
function isRefusedNow({ reason, starts_at }: OccurrenceRow, now: Date): boolean {
  return (
    REMEMBERED_REFUSALS.includes(reason) && starts_at.getTime() <= now.getTime() + ATTEND_LEAD_MS
  )
}

type Changes = {
  added: Array<LinkedOccurrence & { facts: FactColumns }>
  /** `facts` are the new ones, or null if they did not change. */
  kept: Array<{ row: OccurrenceRow; facts: Partial<FactColumns> | null }>
  removedIds: string[]
}

function changesMeeting({ row, facts }: Changes['kept'][number]): boolean {
  const { title = row.title, ends_at = row.ends_at } = facts ?? {}
  return title !== row.title || ends_at.getTime() !== row.ends_at.getTime()
}

function keepAll(stored: readonly OccurrenceRow[]): Changes {
  return { added: [], kept: stored.map((row) => ({ row, facts: null })), removedIds: [] }
}

function compare(
  stored: readonly OccurrenceRow[],
  reported: readonly LinkedOccurrence[],
  now: Date,
): Changes {
  const left = new Map(stored.map((row) => [identify(row), row]))
  const changes: Changes = { added: [], kept: [], removedIds: [] }
  const seen = new Set<string>()
  for (const linked of reported) {
    const facts = toFactColumns(linked)
    const identity = identify(linked.occurrence)
    // A feed may report an occurrence twice. The first one is used.
    if (seen.has(identity)) continue
    seen.add(identity)
    const row = left.get(identity)
    left.delete(identity)
    if (row !== undefined)
      changes.kept.push({ row, facts: hasSameFacts(row, facts) ? null : facts })
    else if (facts.ends_at > now) changes.added.push({ ...linked, facts })
  }
  for (const row of left.values()) {
    if (row.ends_at <= now) changes.kept.push({ row, facts: null })
    else if (isNeeded(row))
      changes.kept.push({ row, facts: row.is_cancelled ? null : { is_cancelled: true } })
    else changes.removedIds.push(row.id)
  }
  return changes
}

/**
 * True if the row must stay although the calendar no longer reports it. A waiting meeting has to be cancelled first.
 * Some servers leave out events for a while, and then a person's decision or a bot's attendance must not be lost.
 */
function isNeeded({ meeting_id, override, attended_start }: OccurrenceRow): boolean {
  return meeting_id !== null || override !== null || attended_start !== null
}

/** A line break is a safe separator, because no key contains one. */
function identify({ uid, key }: { uid: string; key: string }): string {
  return `${key}\n${uid}`
}

function decide(
  facts: Pick<
    FactColumns,
    | 'title'
    | 'ends_at'
    | 'is_all_day'
    | 'is_cancelled'
    | 'url'
    | 'organizer'
    | 'attendees'
    | 'own_response'
    | 'is_private'
  >,
  context: AttendanceContext,
  override: OccurrenceRow['override'],
) {
  const { title, organizer, attendees } = facts
  return decideAttendance(
    {
      title,
      organizer,
      attendees,
      endsAt: facts.ends_at,
      isAllDay: facts.is_all_day,
      isCancelled: facts.is_cancelled,
      hasLink: facts.url !== null,
      isPrivate: facts.is_private,
      ownResponse: facts.own_response,
    },
    context,
    override,
  )
}

/** Empty if the stored decision stays. Which occurrence of a room is joined is decided later. */
function findDecisionChange(row: OccurrenceRow, context: AttendanceContext, keepsReason: boolean) {
  const decided = decide(row, context, row.override)
  if (decided.reason === 'past' && isMissed(row)) return { ...decided, reason: 'missed' as const }
  const isSame =
    decided.reason === row.reason ||
    (decided.reason === 'will_join' && (row.reason === 'same_room' || keepsReason))
  return isSame ? {} : decided
}

/** True if a bot should have joined a meeting that is over, and none was sent. */
function isMissed({ decision, reason, starts_at, attended_start }: OccurrenceRow): boolean {
  if (decision === 'skip') return reason === 'missed'
  return attended_start?.getTime() !== starts_at.getTime()
}

/**
 * Lets one transaction at a time, across all nodes, plan these projects, because calendars of a project share its
 * rooms. Always acquired before the rows of calendars, and in the order of the names.
 */
export async function acquirePlanningLock(tx: Tx, projects: readonly string[]): Promise<void> {
  for (const project of [...new Set(projects)].toSorted())
    await sql`select pg_advisory_xact_lock(${PLANNING_LOCK}::int, hashtext(${project}))`.execute(tx)
}

/**
 * Runs a transaction with the planning locks of a calendar's project and of `otherProjects`, and with the calendar's
 * row locked. Null if the calendar does not exist.
 */
export async function planInTransaction<T>(
  db: Db,
  calendarId: string,
  work: (tx: Tx, calendar: Calendar) => Promise<T>,
  otherProjects: readonly string[] = [],
): Promise<{ value: T } | null> {
  for (;;) {
    const read = await findCalendarById(db, calendarId)
    if (read === undefined) return null
    const done = await db.transaction().execute(async (tx) => {
      await acquirePlanningLock(tx, [read.project, ...otherProjects])
      const calendar = await findCalendarById(tx, calendarId, 'lock')
      if (calendar === undefined) return null
      // The calendar got another project before the lock was held, so that project's lock is needed.
      if (calendar.project !== read.project) return 'again'
      return { value: await work(tx, calendar) }
    })
    if (done !== 'again') return done
  }
}

function findCalendarById(db: Db, id: string, mode: 'read' | 'lock' = 'read') {
  return selectCalendars(db)
    .where('id', '=', id)
    .$if(mode === 'lock', (query) => query.forUpdate())
    .executeTakeFirst()
}
