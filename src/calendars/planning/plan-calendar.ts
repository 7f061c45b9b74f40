import type { Tx } from '../../db/database.ts'
import { newOrderedId } from '../../lib/crypto/random.ts'
import type { Calendar } from '../calendar.ts'
import { decideAttendance, type AttendanceContext } from './decide-attendance.ts'
import {
  deleteOccurrences,
  hasSameFacts,
  insertOccurrences,
  isExpired,
  lockOccurrences,
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
  /** Why no meeting of the calendar is joined at the moment. */
  obstacle: UpcomingReason | null
  /** What the source reported; null to decide again about what is stored. */
  reported: readonly LinkedOccurrence[] | null
}

/**
 * Stores what a calendar has and decides about every occurrence. The caller holds the planning lock and the row of the
 * calendar. Returns whether the occurrences changed.
 */
export async function planCalendar(
  tx: Tx,
  calendar: Pick<Calendar, 'id' | 'project' | 'rules' | 'address'>,
  { now, obstacle, reported }: Plan,
): Promise<boolean> {
  const { rules, address } = calendar
  const context: AttendanceContext = { now, rules, address, obstacle }
  const stored = await lockOccurrences(tx, calendar.id)
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
    const change = { ...facts, ...findDecisionChange({ ...row, ...facts }, context) }
    if (Object.keys(change).length > 0) await updateOccurrence(tx, row.id, change)
  }
  const places = [...stored, ...changes.added, ...changes.kept].map((one) =>
    'facts' in one ? one.facts?.room : one.room,
  )
  const rooms = places.filter((room) => typeof room === 'string')
  await settleRooms(tx, calendar.project, rooms, now)
  const isChanged = changes.kept.some(({ facts }) => facts !== null)
  return isChanged || changes.added.length > 0 || changes.removedIds.length > 0
}

type Changes = {
  added: Array<LinkedOccurrence & { facts: FactColumns }>
  /** With the new facts, or null when they are the same. */
  kept: Array<{ row: OccurrenceRow; facts: Partial<FactColumns> | null }>
  removedIds: string[]
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
    // A meeting that waits for it has to be cancelled first; the next plan removes the row.
    else if (row.meeting_id !== null)
      changes.kept.push({ row, facts: row.is_cancelled ? null : { is_cancelled: true } })
    else changes.removedIds.push(row.id)
  }
  return changes
}

/** No uid contains a line break. */
function identify({ uid, key }: { uid: string; key: string }): string {
  return `${key}\n${uid}`
}

function decide(
  facts: Pick<
    FactColumns,
    'title' | 'ends_at' | 'is_all_day' | 'is_cancelled' | 'url' | 'organizer' | 'attendees'
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
    },
    context,
    override,
  )
}

/** Empty when the stored decision stays. Which occurrence of a room is joined is decided afterwards. */
function findDecisionChange(row: OccurrenceRow, context: AttendanceContext) {
  const decided = decide(row, context, row.override)
  const isSame =
    decided.reason === row.reason || (decided.reason === 'will_join' && row.reason === 'same_room')
  return isSame ? {} : decided
}
