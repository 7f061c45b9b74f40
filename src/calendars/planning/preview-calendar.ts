import type { PlatformName } from '../../bots/platforms/platform.ts'
import type { LinkedOccurrence } from './occurrence-store.ts'
import { decideAttendance, type AttendanceContext } from './decide-attendance.ts'
import { findEnd, PLANNED_MS } from './planned-window.ts'
import type { UpcomingReason } from './reasons.ts'
import { chooseAttended } from './same-room.ts'

/** What would be planned for one occurrence. */
export type PreviewedMeeting = {
  title: string
  startsAt: Date
  endsAt: Date
  platform: PlatformName | null
  label: string | null
  willJoin: boolean
  reason: UpcomingReason
}

const MAX_PREVIEWED = 500

/** Decides about the occurrences of the next two weeks without storing anything. */
export function previewCalendar(
  reported: readonly LinkedOccurrence[],
  context: AttendanceContext,
): PreviewedMeeting[] {
  const until = context.now.getTime() + PLANNED_MS
  const decided = reported
    .map(({ occurrence, place }) => {
      const { title, startsAt, isAllDay, isCancelled, organizer, attendees } = occurrence
      const endsAt = findEnd(occurrence)
      const hasLink = place !== null
      const facts = { title, endsAt, isAllDay, isCancelled, hasLink, organizer, attendees }
      return { title, startsAt, endsAt, place, ...decideAttendance(facts, context, null) }
    })
    .filter(({ startsAt, reason }) => reason !== 'past' && startsAt.getTime() < until)
    .slice(0, MAX_PREVIEWED)
  const candidates = decided.flatMap(({ place, decision, startsAt, endsAt }, i) =>
    place === null || decision === 'skip'
      ? []
      : [{ id: formatPosition(i), room: place.room, startsAt, endsAt, hasBot: false }],
  )
  const attended = new Set<string>()
  for (const sameRoom of Map.groupBy(candidates, ({ room }) => room).values())
    for (const id of chooseAttended(sameRoom)) attended.add(id)
  return decided.map(({ title, startsAt, endsAt, place, decision, reason }, i) => {
    const willJoin = attended.has(formatPosition(i))
    return {
      title,
      startsAt,
      endsAt,
      platform: place?.platform ?? null,
      label: place?.label ?? null,
      willJoin,
      reason: decision === 'join' && !willJoin ? 'same_room' : reason,
    }
  })
}

/** As text that sorts by position. */
function formatPosition(i: number): string {
  return String(i).padStart(6, '0')
}
