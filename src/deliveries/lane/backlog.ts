import type { LaneRecord, LaneStore } from './lane.ts'
import type { LaneEvent } from './lane-transition.ts'

/** The events that a lane has still to send: in memory as far as they are near, the rest in the store. */
export interface Backlog {
  /** The next event that is wanted, as far as it is in memory. */
  peek(): LaneEvent | null
  /** The same, read from the store when need be; null: there is none now. */
  readHead(): Promise<LaneEvent | null>
  /** What is known to wait behind the head. */
  queuedAfterHead(): readonly LaneEvent[]
  push(events: readonly LaneEvent[]): void
  /**
   * A number was given to an event that is not stored. `next`: nothing else has a number between it and what
   * is known here. `gap`: something may, and is looked for. `stale`: whoever gave it is not the one any more.
   */
  noteUnstoredSequence(sequence: number): 'next' | 'gap' | 'stale'
  /** Everything up to this sequence is done with. */
  removeThrough(sequence: number): void
  /** Something may have been missed: look into the store again. */
  invalidate(): void
  /** Whether nothing is known to wait, at this very moment. */
  isCaughtUp(): boolean
  /** Whether no further event will ever come. */
  isComplete(): boolean
  /** How far is known to be sent or not wanted. */
  readThrough(): number
  meetingEndedAt(): number | null
}

const PAGE_SIZE = 128
/** More than that in memory is nothing but memory. */
const MAX_IN_MEMORY = 256

export function createBacklog(
  lane: LaneRecord,
  store: LaneStore,
  isLast: (event: LaneEvent) => boolean,
): Backlog {
  const wanted = lane.events === null ? null : new Set(lane.events)
  const queue: LaneEvent[] = []
  let through = lane.deliveredThrough
  /** The highest number that is known to be used. */
  let highest = through
  let endedAt = lane.meetingEndedAt
  let hasSeenLast = false
  /** Whether the queue holds all that is stored behind `through`. */
  let isLevel = false
  let wasTold = false

  const isInRange = ({ sequence }: LaneEvent) =>
    lane.lastSequence === null || sequence <= lane.lastSequence
  const isRead = () => isLevel || (lane.lastSequence !== null && through >= lane.lastSequence)
  const take = (events: readonly LaneEvent[]) => {
    for (const event of events) {
      if (event.sequence <= through) continue
      through = event.sequence
      highest = Math.max(highest, through)
      hasSeenLast ||= isLast(event)
      if (isInRange(event) && (wanted?.has(event.type) ?? true)) queue.push(event)
    }
  }
  const read = async () => {
    wasTold = false
    const page = await store.readEvents(lane, through, PAGE_SIZE)
    endedAt ??= page.endedAt
    take(page.events)
    isLevel = page.events.length < PAGE_SIZE && !wasTold
  }

  return {
    peek: () => queue[0] ?? null,
    async readHead() {
      while (queue.length === 0 && !isRead()) await read()
      return queue[0] ?? null
    },
    queuedAfterHead: () => queue.slice(1),
    push(events) {
      wasTold = true
      if (!isLevel) return
      const first = events.find(({ sequence }) => sequence > through)
      // After a number that nobody here knows of there may be an event that nobody told of.
      const isGap = first !== undefined && first.sequence !== highest + 1
      if (isGap || queue.length >= MAX_IN_MEMORY) isLevel = false
      else take(events)
      const last = events.find(isLast)
      if (last !== undefined) endedAt ??= last.at
    },
    noteUnstoredSequence(sequence) {
      if (sequence <= highest) return 'stale'
      const isNext = sequence === highest + 1
      highest = sequence
      if (!isNext) isLevel = false
      return isNext ? 'next' : 'gap'
    },
    removeThrough(sequence) {
      const rest = queue.findIndex((event) => event.sequence > sequence)
      queue.splice(0, rest === -1 ? queue.length : rest)
    },
    invalidate() {
      isLevel = false
      // What is being read may be from before.
      wasTold = true
    },
    isCaughtUp: () => queue.length === 0 && isLevel,
    isComplete() {
      if (queue.length > 0 || !isRead()) return false
      return hasSeenLast || endedAt !== null || lane.lastSequence !== null
    },
    readThrough: () => Math.min(through, lane.lastSequence ?? Infinity),
    meetingEndedAt: () => endedAt,
  }
}
