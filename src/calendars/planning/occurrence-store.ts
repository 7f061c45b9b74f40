import { isDeepStrictEqual } from 'node:util'
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { PlatformName } from '../../bots/platforms/platform.ts'
import type { Tx } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { Occurrence } from '../ics/events.ts'
import { findEnd } from './decide-attendance.ts'

/** Where a meeting takes place, according to the links in its invitation. */
export type FoundPlace = { platform: PlatformName; url: string; room: string; label: string }

/** An occurrence as a source reported it, with storable texts, and the meeting that its links lead to. */
export type LinkedOccurrence = { occurrence: Occurrence; place: FoundPlace | null }

export type OccurrenceRow = Selectable<Database['occurrence']>

/** Past occurrences are kept this long, so that people see what happened with them. */
export const KEPT_AFTER_END_MS = 7 * DAY_MS

/** An occurrence that may be joined, with what matters for the choice between occurrences in one room. */
export type RoomCandidate = {
  id: string
  startsAt: Date
  endsAt: Date
  /** True if a bot attends it or has attended it. */
  hasBot: boolean
}

/** The caller holds the lock of the calendar's row, so no meeting is created for an occurrence until the commit. */
export function readOccurrences(tx: Tx, calendarId: string): Promise<OccurrenceRow[]> {
  return tx
    .selectFrom('occurrence')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .orderBy('id')
    .execute()
}

/** The columns that the source determines. */
export function toFactColumns({ occurrence, place }: LinkedOccurrence) {
  return {
    starts_at: occurrence.startsAt,
    ends_at: findEnd(occurrence),
    is_all_day: occurrence.isAllDay,
    is_cancelled: occurrence.isCancelled,
    title: occurrence.title,
    organizer: occurrence.organizer,
    attendees: [...occurrence.attendees],
    own_response: occurrence.ownResponse ?? null,
    is_private: occurrence.isPrivate ?? false,
    join_url: occurrence.joinUrl ?? null,
    url: place?.url ?? null,
    room: place?.room ?? null,
    platform: place?.platform ?? null,
    label: place?.label ?? null,
  }
}

export type FactColumns = ReturnType<typeof toFactColumns>

export function hasSameFacts(row: OccurrenceRow, facts: FactColumns): boolean {
  return (Object.keys(facts) as Array<keyof FactColumns>).every((column) =>
    isDeepStrictEqual(row[column], facts[column]),
  )
}

export async function insertOccurrences(
  tx: Tx,
  rows: ReadonlyArray<Omit<OccurrenceRow, 'override' | 'meeting_id' | 'attended_start'>>,
): Promise<void> {
  const values = rows.map((row): Insertable<Database['occurrence']> => ({
    ...row,
    attendees: JSON.stringify(row.attendees),
  }))
  for (let i = 0; i < values.length; i += 500)
    await tx
      .insertInto('occurrence')
      .values(values.slice(i, i + 500))
      .execute()
}

export async function updateOccurrence(
  tx: Tx,
  id: string,
  change: Partial<FactColumns> & Pick<Updateable<Database['occurrence']>, 'decision' | 'reason'>,
): Promise<void> {
  const { attendees, ...rest } = change
  await tx
    .updateTable('occurrence')
    .set({ ...rest, ...(attendees !== undefined && { attendees: JSON.stringify(attendees) }) })
    .where('id', '=', id)
    .execute()
}

export async function deleteOccurrences(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('occurrence').where('id', 'in', ids).execute()
}

/** True if an occurrence ended so long ago that it is removed. */
export function isExpired({ ends_at }: OccurrenceRow, now: Date): boolean {
  return ends_at.getTime() < now.getTime() - KEPT_AFTER_END_MS
}

/**
 * Decides for each of these rooms of a project which occurrences a bot joins. Other calendars may have occurrences
 * there, so the caller must hold the planning lock.
 */
export async function settleRooms(
  tx: Tx,
  project: string,
  rooms: readonly string[],
  now: Date,
): Promise<void> {
  if (rooms.length === 0) return
  const read = (mode: 'read' | 'lock') => readCandidates(tx, { project, rooms, now }, mode)
  // Most plans change nothing, and then nothing is locked.
  if (findMisjudged(await read('read')).length === 0) return
  // Read again under the lock, because a meeting may have been created for one of them since.
  for (const { id, decision } of findMisjudged(await read('lock')))
    await updateOccurrence(tx, id, decision === 'skip' ? JOINED : SAME_ROOM)
}

type Candidate = RoomCandidate & { room: string; decision: 'join' | 'skip' }

async function readCandidates(
  tx: Tx,
  { project, rooms, now }: { project: string; rooms: readonly string[]; now: Date },
  mode: 'read' | 'lock',
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select o.id, o.room, o.starts_at as "startsAt", o.ends_at as "endsAt", o.decision,
      (o.attended_start is not distinct from o.starts_at
        or coalesce(m.status not in ('ended', 'error'), false)) as "hasBot"
    from occurrence o join calendar c on c.id = o.calendar_id left join meeting m on m.id = o.meeting_id
    where c.project = ${project} and o.room = any(${[...new Set(rooms)]}::text[])
      and o.ends_at > ${now} and (o.decision = 'join' or o.reason = 'same_room')
      and not coalesce(${NEVER_BEGAN}, false)
    order by o.id ${mode === 'lock' ? sql`for update of o` : sql``}`.execute(tx)
  return rows
}

/** The candidates whose decision differs from the choice for their room. */
function findMisjudged(candidates: readonly Candidate[]): Candidate[] {
  const attended = new Set<string>()
  for (const sameRoom of Map.groupBy(candidates, ({ room }) => room).values())
    for (const id of chooseAttended(sameRoom)) attended.add(id)
  return candidates.filter(({ id, decision, hasBot }) => {
    // If another meeting's bot attended it, that stays, and it gets no bot of its own when that bot leaves.
    const isSettled = decision === 'skip' && hasBot
    return !isSettled && attended.has(id) !== (decision === 'join')
  })
}

/** The meeting was stopped before it began, or was refused, so the room is free for another invitation. */
const NEVER_BEGAN = sql`(o.attended_start is not distinct from o.starts_at
  and (m.status = 'ended' and m.last_sequence = 0 or m.status = 'error' and m.reason = 'not_allowed'))`

const JOINED = { decision: 'join', reason: 'will_join' } as const
const SAME_ROOM = { decision: 'skip', reason: 'same_room' } as const

/**
 * Chooses which occurrences in a room of a project a bot joins. If several overlap, it joins only one, because one bot
 * is enough for a project's readers. An occurrence with a bot stays chosen even after the bot was stopped. Otherwise
 * another invitation would bring the bot back. Without a bot, the oldest invitation is chosen.
 */
export function chooseAttended(candidates: readonly RoomCandidate[]): ReadonlySet<string> {
  const ordered = candidates.toSorted(
    (a, b) => Number(b.hasBot) - Number(a.hasBot) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
  const chosen: RoomCandidate[] = []
  for (const candidate of ordered) {
    if (!chosen.some((other) => overlaps(candidate, other))) chosen.push(candidate)
  }
  return new Set(chosen.map(({ id }) => id))
}

function overlaps(a: RoomCandidate, b: RoomCandidate): boolean {
  return a.startsAt < b.endsAt && b.startsAt < a.endsAt
}
