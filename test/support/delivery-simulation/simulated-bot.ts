import type { Db } from '../../../src/db/database.ts'
import type {
  PartialCaptionSequenceSource,
  PartialCaption,
} from '../../../src/deliveries/lane/partial-captions.ts'
import {
  type EventRow,
  LeaseLost,
  type MeetingLease,
} from '../../../src/meetings/record/meeting-store.ts'
import {
  createMeetingWriter,
  type MeetingWriter,
} from '../../../src/meetings/record/meeting-writer.ts'
import type { SeededRandom } from '../meetings/caption-streams.ts'
import {
  StoreOutage,
  type SimulatedTime,
  type StoreFault,
  type SimulatedProcess,
} from './simulated-time.ts'
import { LAST_PATH, writeLedgerEntry, type MeetingRow, type Tables } from './tables.ts'

/** Connects a bot to its meeting's lane on the same node, if that node has the lane. */
export type LaneHandle = {
  push(meetingId: string, events: readonly EventRow[]): void
  setSequenceSource(meetingId: string, source: PartialCaptionSequenceSource | null): void
  pushPartial(meetingId: string, partial: PartialCaption): void
  clearPartials(meetingId: string, captionIds: readonly string[]): void
}

type Parts = {
  time: SimulatedTime
  random: SeededRandom
  tables: Tables
  host: SimulatedProcess
  lane: LaneHandle
  wall(): number
  fault(): StoreFault
  recordFailure(error: unknown): void
  /** The time until the bot's next action. */
  gapMs(): number
  /** True if the meeting should end. */
  isOver(): boolean
}

export type SimulatedBot = { hold: MeetingLease; release(): void; readonly hasLeft: boolean }

/** Simulates a bot in one meeting: it shows partial captions, finalises them and writes other events. */
export function startSimulatedBot(
  parts: Parts,
  { id, fence, ...stored }: MeetingRow,
): SimulatedBot {
  const { time, random, tables, host, lane, wall } = parts
  const hold = { meetingId: id, fence }
  const captions = new Map<string, number>()
  /** The clocks of nodes differ, so a later event can have an earlier time. */
  const skewMs = random.pick([0, 0, -90_000, 90_000])
  const eventAt = () => new Date(wall() + skewMs)
  let count = 0
  let isGone = false

  const ledger = {
    write: (entry: Parameters<typeof writeLedgerEntry>[1]) =>
      time.callStore(host, () => writeLedgerEntry(tables, entry), parts.fault()),
  }
  const writer = createMeetingWriter({
    // Only meeting status changes use the database, and the simulation makes none.
    db: undefined as unknown as Db,
    ledger,
    lease: hold,
    counters: stored,
    gaps: [],
    onWritten: (events) => lane.push(id, events),
  })
  const leave = () => {
    if (isGone) return
    isGone = true
    lane.setSequenceSource(id, null)
  }
  const showCaption = () => {
    const captionId = random.chance(0.4) || captions.size === 0 ? newCaption() : oldest(captions)
    const said = (captions.get(captionId) ?? 0) + 1
    captions.set(captionId, said)
    const at = wall()
    const timestamp = new Date(at).toISOString()
    const payload = { captionId, speaker: 'Ann', text: `${said}`, timestamp }
    const body = (sequence: number) =>
      JSON.stringify({ type: 'caption_partial', meetingId: id, sequence, timestamp, payload })
    lane.pushPartial(id, { captionId, at, body })
  }
  const newCaption = () => {
    count += 1
    return `c${fence}.${count}`
  }
  const finalise = async () => {
    const ids = [...captions.keys()].slice(0, random.between(1, 3))
    for (const captionId of ids) captions.delete(captionId)
    lane.clearPartials(id, ids)
    const said = { speaker: 'Ann', text: 'So.', startedAt: wall() }
    const segments = ids.map((captionId) => ({ captionId, ...said }))
    if (segments.length > 0) await writer.writeSegments(segments, eventAt())
  }
  const act = async () => {
    const at = eventAt()
    if (parts.isOver()) {
      await finalise()
      leave()
      await writer.recordDocumentFlush({ count: 1, size: 1, edit: 0 }, LAST_PATH, at)
    } else if (random.chance(0.7)) showCaption()
    else if (random.chance(0.6)) await finalise()
    else await writeOtherEvents(writer, random, at)
  }
  const live = async () => {
    if (isGone) return
    try {
      await act()
    } catch (error) {
      if (!(error instanceof StoreOutage) && !(error instanceof LeaseLost)) throw error
      leave()
      abandonMeeting(tables, hold, time.now() + 15_000)
    }
    if (!isGone) time.after(host, parts.gapMs(), () => void live().catch(parts.recordFailure))
  }

  lane.setSequenceSource(id, writer)
  time.after(host, 1, () => void live().catch(parts.recordFailure))
  return {
    hold,
    release: leave,
    get hasLeft() {
      return isGone
    },
  }
}

function oldest(captions: ReadonlyMap<string, number>): string {
  const [first = ''] = captions.keys()
  return first
}

/** Writes events of other types, one or many in one transaction. */
async function writeOtherEvents(
  writer: MeetingWriter,
  random: SeededRandom,
  at: Date,
): Promise<void> {
  if (random.chance(0.3))
    return writer.recordDocumentFlush({ count: 1, size: 1, edit: 0 }, 'notes.md', at)
  const length = random.chance(0.02) ? random.between(60, 300) : random.between(1, 3)
  const people = Array.from({ length }, (_, i) => ({ id: `p${i}`, name: 'Bob' }))
  await writer.writeParticipants({ joined: people, left: [], count: length }, at)
}

function abandonMeeting(
  tables: Tables,
  { meetingId, fence }: MeetingLease,
  claimAfter: number,
): void {
  const meeting = tables.meetings.get(meetingId)
  if (meeting?.fence === fence) Object.assign(meeting, { owner: null, claimAfter })
}
