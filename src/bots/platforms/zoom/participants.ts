import { setNewest } from '../../../lib/newest-entries.ts'
import type { PlatformEvent } from '../platform.ts'
import { createWireRoster } from '../wire/wire-roster.ts'
import { EVENT_TYPES, type StreamEvent } from './protocol/messages.ts'

const MAX_KNOWN = 10_000

/** The participants of a meeting, from the events of its stream and from who speaks. The bot is not one of them. */
export function createZoomParticipants(emit: (event: PlatformEvent) => void) {
  const roster = createWireRoster()
  /** When each participant last joined or left, in Zoom's time. */
  const changedAt = new Map<string, number>()
  let isReporting = false

  const report = () => {
    if (!isReporting) return
    for (const people of roster.takeSnapshots()) emit({ kind: 'people', people })
  }
  /** False for an event that arrives after a newer one about the same participant. */
  const isNewest = (id: string, time = 0): boolean => {
    if (time < (changedAt.get(id) ?? 0)) return false
    setNewest(changedAt, id, time, MAX_KNOWN)
    return true
  }
  const apply = (id: string, presence: 'here' | 'gone', name: string | undefined) =>
    roster.applyChanges([{ id, presence, ...(name?.trim() && { name: name.trim() }) }])

  return {
    nameOf: roster.nameOf,
    readEvent({ event_type: type, timestamp, participants = [], ...event }: StreamEvent): void {
      if (type === EVENT_TYPES.activeSpeaker)
        return this.noteSpeaker(event.user_id, event.user_name)
      const isJoin = type === EVENT_TYPES.participantsJoined
      if (!isJoin && type !== EVENT_TYPES.participantsLeft) return
      const current = participants.filter(({ user_id: id }) => isNewest(id, timestamp))
      for (const { user_id: id, user_name: name } of current)
        apply(id, isJoin ? 'here' : 'gone', name)
      if (current.length > 0) report()
    },
    /** Who speaks is present, even if the event of the joining was lost. */
    noteSpeaker(id: string | undefined, name: string | undefined): void {
      // Zoom uses 0 for several participants together.
      if (id === undefined || id === '' || id === '0' || !name?.trim()) return
      if (changedAt.has(id) || roster.nameOf(id) === name.trim()) return
      apply(id, 'here', name)
      report()
    },
    /** Reports the list from now on. */
    start(): void {
      isReporting = true
      if (roster.presentParticipants().length > 0) report()
    },
  }
}
export type ZoomParticipants = ReturnType<typeof createZoomParticipants>
