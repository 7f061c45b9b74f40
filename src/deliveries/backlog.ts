import type { LaneRecord, LaneStore } from './lane.ts'
import type { StoredEvent } from './lane-state.ts'

/** The events that a lane has still to send: in memory as far as they are near, the rest in the store. */
export interface Backlog {
  /** The next event that is wanted, as far as it is in memory. */
  first(): StoredEvent | null
  /** The same, read from the store when need be; null: there is none now. */
  head(): Promise<StoredEvent | null>
  /** What is known to wait behind the head. */
  behind(): readonly StoredEvent[]
  tell(events: readonly StoredEvent[]): void
  /**
   * A number was given to an event that is not stored. `next`: nothing else has a number between it and what
   * is known here. `ahead`: something may, and is looked for. `behind`: whoever gave it is not the one any more.
   */
  skip(sequence: number): 'next' | 'ahead' | 'behind'
  /** Everything up to this sequence is done with. */
  settle(sequence: number): void
  /** Something may have been missed: look into the store again. */
  doubt(): void
  /** Whether nothing is known to wait, at this very moment. */
  isEmpty(): boolean
  /** Whether no further event will ever come. */
  isComplete(): boolean
  /** How far is known to be sent or not wanted. */
  readThrough(): number
  endedAt(): number | null
}

const PAGE = 128
/** More than that in memory is nothing but memory. */
const MOST_IN_MEMORY = 256

export function createBacklog(
  lane: LaneRecord,
  store: LaneStore,
  isLast: (event: StoredEvent) => boolean,
): Backlog {
  const wanted = lane.events === null ? null : new Set(lane.events)
  const queue: StoredEvent[] = []
  let through = lane.deliveredThrough
  /** The highest number that is known to be used. */
  let highest = through
  let endedAt = lane.endedAt
  let hasSeenLast = false
  /** Whether the queue holds all that is stored behind `through`. */
  let isLevel = false
  let wasTold = false

  const isInRange = ({ sequence }: StoredEvent) => lane.endsAt === null || sequence <= lane.endsAt
  const isRead = () => isLevel || (lane.endsAt !== null && through >= lane.endsAt)
  const take = (events: readonly StoredEvent[]) => {
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
    const page = await store.read(lane, through, PAGE)
    endedAt ??= page.endedAt
    take(page.events)
    isLevel = page.events.length < PAGE && !wasTold
  }

  return {
    first: () => queue[0] ?? null,
    async head() {
      while (queue.length === 0 && !isRead()) await read()
      return queue[0] ?? null
    },
    behind: () => queue.slice(1),
    tell(events) {
      wasTold = true
      if (!isLevel) return
      const first = events.find(({ sequence }) => sequence > through)
      // After a number that nobody here knows of there may be an event that nobody told of.
      const isGap = first !== undefined && first.sequence !== highest + 1
      if (isGap || queue.length >= MOST_IN_MEMORY) isLevel = false
      else take(events)
      const last = events.find(isLast)
      if (last !== undefined) endedAt ??= last.at
    },
    skip(sequence) {
      if (sequence <= highest) return 'behind'
      const isNext = sequence === highest + 1
      highest = sequence
      if (!isNext) isLevel = false
      return isNext ? 'next' : 'ahead'
    },
    settle(sequence) {
      const rest = queue.findIndex((event) => event.sequence > sequence)
      queue.splice(0, rest === -1 ? queue.length : rest)
    },
    doubt() {
      isLevel = false
      // What is being read may be from before.
      wasTold = true
    },
    isEmpty: () => queue.length === 0 && isLevel,
    isComplete() {
      if (queue.length > 0 || !isRead()) return false
      return hasSeenLast || endedAt !== null || lane.endsAt !== null
    },
    readThrough: () => Math.min(through, lane.endsAt ?? Infinity),
    endedAt: () => endedAt,
  }
}
