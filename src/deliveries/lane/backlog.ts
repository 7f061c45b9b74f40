import type { LaneEvent, LaneRecord, LaneStore } from './lane-record.ts'

type BacklogMode =
  /** The store may hold events that are not in memory. readHead() reads the next page. */
  | 'backfilling'
  /** A page is being read. A push or an invalidation during the read sets the mode back to `backfilling`. */
  | 'reading'
  /** Every stored event is in memory. Pushed events are appended without a read. */
  | 'live'
  /** No further event will come, and every event that is left to send is in memory. */
  | 'complete'

const PAGE_SIZE = 128
/** Pushed events beyond this number stay in the store until they are due. This limits memory. */
const MAX_IN_MEMORY = 256

/** The events that a lane still has to send: the next ones in memory, the rest in the store. */
export function createBacklog(
  lane: LaneRecord,
  store: Pick<LaneStore, 'readEvents'>,
  isLastEvent: (event: LaneEvent) => boolean,
) {
  const wantedTypes = lane.events === null ? null : new Set(lane.events)
  const lastSequence = lane.kind === 'replay' ? lane.lastSequence : Infinity
  const queue: LaneEvent[] = []
  let through = lane.deliveredThrough
  /** The highest sequence known to be used, by a stored event or a partial caption. */
  let highest = through
  let meetingEndedAt = lane.meetingEndedAt
  const isRangeRead = () => through >= lastSequence
  let mode: BacklogMode = isRangeRead() ? 'complete' : 'backfilling'
  const currentMode = (): BacklogMode => mode

  const append = (events: readonly LaneEvent[]) => {
    for (const event of events) {
      if (event.sequence <= through) continue
      through = event.sequence
      highest = Math.max(highest, through)
      if (isLastEvent(event)) meetingEndedAt ??= event.at
      const isWanted = wantedTypes?.has(event.type) ?? true
      if (isWanted && event.sequence <= lastSequence) queue.push(event)
    }
  }
  const modeWhenAllIsInMemory = (): BacklogMode =>
    lane.kind === 'replay' || meetingEndedAt !== null ? 'complete' : 'live'
  const invalidate = () => {
    if (!isRangeRead()) mode = 'backfilling'
  }
  const readPage = async () => {
    mode = 'reading'
    const page = await store.readEvents(lane, through, PAGE_SIZE)
    meetingEndedAt ??= page.endedAt
    append(page.events)
    // A push or an invalidation during the read may be about an event that the page does not have yet.
    const isUpToDate = currentMode() === 'reading' && page.events.length < PAGE_SIZE
    if (isRangeRead()) mode = 'complete'
    else mode = isUpToDate ? modeWhenAllIsInMemory() : 'backfilling'
  }

  return {
    /** The next event to send, if it is in memory. */
    peek: () => queue[0] ?? null,
    /** The next event to send, read from the store if necessary. Null if there is none now. */
    async readHead(): Promise<LaneEvent | null> {
      while (queue.length === 0 && currentMode() === 'backfilling') await readPage()
      return queue[0] ?? null
    },
    queuedAfterHead: () => queue.slice(1),
    /** Adds events that were just stored. */
    push(events: readonly LaneEvent[]): void {
      if (mode === 'reading' || mode === 'backfilling') return invalidate()
      const first = events.find(({ sequence }) => sequence > through)
      // A skipped sequence may belong to a stored event that was not pushed to this lane.
      const isGap = first !== undefined && first.sequence !== highest + 1
      const last = events.find(isLastEvent)
      if (last !== undefined) meetingEndedAt ??= last.at
      if (isGap || queue.length >= MAX_IN_MEMORY) return invalidate()
      append(events)
      mode = modeWhenAllIsInMemory()
    },
    /**
     * Records that a sequence was given to an event that is never stored.
     * `next`: it directly follows the highest known sequence.
     * `gap`: events in between may be missing, so the store is read again.
     * `stale`: the sequence is already used, so it comes from a bot that no longer owns the meeting.
     */
    noteUnstoredSequence(sequence: number): 'next' | 'gap' | 'stale' {
      if (sequence <= highest) return 'stale'
      const isNext = sequence === highest + 1
      highest = sequence
      if (!isNext) invalidate()
      return isNext ? 'next' : 'gap'
    },
    /** Removes the events up to this sequence, because they are delivered or given up. */
    removeThrough(sequence: number): void {
      const rest = queue.findIndex((event) => event.sequence > sequence)
      queue.splice(0, rest === -1 ? queue.length : rest)
    },
    /** Makes the next readHead() read the store again, because it may hold events that were not pushed. */
    invalidate,
    /** True if every event so far was read and taken. Never true for a replay or after the meeting ended. */
    isCaughtUp: () => queue.length === 0 && mode === 'live',
    /** True if no event waits and no further event will come. */
    isComplete: () => queue.length === 0 && mode === 'complete',
    /** The highest sequence that was read, limited to the range of a replay. */
    readThrough: () => Math.min(through, lastSequence),
    meetingEndedAt: () => meetingEndedAt,
  }
}

export type Backlog = ReturnType<typeof createBacklog>
