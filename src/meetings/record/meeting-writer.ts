import type { Insight, InsightEngine } from '../../coach/coach.ts'
import type { Db } from '../../db/database.ts'
import { retryTransient } from '../../db/transient-errors.ts'
import { newId } from '../../lib/crypto/random.ts'
import type { Participant } from '../../bots/platforms/platform.ts'
import type { Segment } from '../captions/segmenter.ts'
import type { NewEvent } from '../event-types.ts'
import type {
  MeetingChange,
  EventRow,
  InsightRow,
  MeetingBatchWriter,
  SegmentRow,
} from './batch-writer.ts'
import {
  findStatusChange,
  LeaseLost,
  changeMeetingStatus,
  storeMeetingEnd,
  toEventRows,
  withLeaseForFile,
  type MeetingEnd,
  type MeetingLease,
  type StatusChange,
  type Tx,
} from '../store.ts'

/** What the bot of one meeting writes, one call after the other. Each is refused once the hold is lost. */
export interface MeetingWriter {
  /** False: the move is not in the table, or somebody else got there first. */
  changeStatus(change: StatusChange): Promise<boolean>
  /** Why it will be over, once all that belongs to its end is done: that is tried again, and the visit is not. */
  storeEnd(end: MeetingEnd): Promise<void>
  /** Answers the segments with their numbers. What `advise` says of them is stored with them, or neither is. */
  writeSegments(
    segments: readonly Segment[],
    at: Date,
    advise?: FindInsights,
  ): Promise<SegmentRow[]>
  writeInsights(insights: readonly Insight[], engine: InsightEngine, at: Date): Promise<void>
  writeParticipants(change: ParticipantChange, at: Date): Promise<void>
  /** Work on the document while nobody else can come to own the meeting; no other write of it is under way. */
  withDocumentLock<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  recordDocumentFlush(count: number, size: number, documentPath: string, at: Date): Promise<void>
  /**
   * A number for an event that is not stored. Null while one is being stored, which must go first, or when
   * none is at hand: they come in blocks, so that no number is ever used twice, not even after a crash.
   */
  nextPartialSequence(): number | null
  reservePartialSequences(): Promise<void>
  lastSequence(): number
}

export type FindInsights = (segments: readonly SegmentRow[]) => readonly Insight[]

export type ParticipantChange = {
  joined: readonly Participant[]
  left: readonly Participant[]
  count: number
}

/** What is stored when the hold begins. */
export type StoredCounters = {
  lastSequence: number
  reservedSequence: number
  segmentCount: number
}

type Parts = {
  db: Db
  ledger: MeetingBatchWriter
  hold: MeetingLease
  stored: StoredCounters
  /** Told after each commit, before the call returns. */
  onWritten(events: readonly EventRow[]): void
}

const SEQUENCE_BLOCK = 64

export function createMeetingWriter({
  db,
  ledger,
  hold: lease,
  stored,
  onWritten,
}: Parts): MeetingWriter {
  const { meetingId, fence } = lease
  let { lastSequence, reservedSequence, segmentCount } = stored
  let nextSequence = Math.max(lastSequence, reservedSequence) + 1
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0

  /** Writers of one meeting take turns: numbers are given out in the order of the commits. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    waiting += 1
    const done = turn.then(work).finally(() => {
      waiting -= 1
    })
    turn = Promise.allSettled([done])
    return done
  }
  const tell = (events: readonly EventRow[]) => {
    const last = events.at(-1)
    if (last === undefined) return
    lastSequence = last.sequence
    nextSequence = last.sequence + 1
    onWritten(events)
  }
  const write = async (
    change: Omit<MeetingChange, 'lease' | 'lastSequence' | 'reservedSequence' | 'events'>,
    at: Date,
    events: readonly NewEvent[],
  ) => {
    const rows = toEventRows(meetingId, nextSequence, at, events)
    const entry = { ...change, lease, lastSequence, reservedSequence, events: rows }
    if (!(await ledger.write(entry))) throw new LeaseLost(meetingId)
    tell(rows)
  }

  return {
    changeStatus: (move) =>
      inTurn(async () => {
        const owner = { fence, nextSequence }
        const events = await retryTransient((isRepeat) =>
          db.transaction().execute(async (tx) => {
            const moved = await changeMeetingStatus(tx, meetingId, move, owner)
            return moved ?? (isRepeat ? findStatusChange(tx, lease, move, nextSequence) : null)
          }),
        )
        tell(events ?? [])
        return events !== null
      }),

    storeEnd: (end) => inTurn(() => retryTransient(() => storeMeetingEnd(db, lease, end))),

    writeSegments: (segments, at, advise = () => []) =>
      inTurn(async () => {
        const rows = segments.map((segment, i) => ({
          number: segmentCount + 1 + i,
          captionId: segment.captionId,
          speaker: segment.speaker,
          text: segment.text,
          startedAt: new Date(segment.startedAt),
        }))
        const insights = toInsightRows(advise(rows), 'rules', at)
        const events = [...rows.map(toSegmentEvent), ...insights.map(toInsightEvent)]
        await write({ segments: rows, insights }, at, events)
        segmentCount += rows.length
        return rows
      }),

    writeInsights: (insights, engine, at) =>
      inTurn(() => {
        const rows = toInsightRows(insights, engine, at)
        return write({ insights: rows }, at, rows.map(toInsightEvent))
      }),

    writeParticipants: (change, at) =>
      inTurn(() => {
        const row = (person: Participant, hasLeft: boolean) => {
          const { id, name, isHost = false } = person
          return { id, name, isHost, at, hasLeft }
        }
        const participants = [
          ...change.left.map((person) => row(person, true)),
          ...change.joined.map((person) => row(person, false)),
        ]
        return write(
          { participants, participantCount: change.count },
          at,
          participantEvents(change, at),
        )
      }),

    withDocumentLock: (work) => inTurn(() => withLeaseForFile(db, lease, work)),

    recordDocumentFlush: (count, size, documentPath, at) =>
      inTurn(() => {
        const payload = { documentPath, segmentsWritten: count, totalSegments: segmentCount }
        return write({ documentFlush: { count, size } }, at, [{ type: 'document_saved', payload }])
      }),

    nextPartialSequence() {
      if (waiting > 0 || nextSequence > reservedSequence) return null
      nextSequence += 1
      return nextSequence - 1
    },

    reservePartialSequences: () =>
      inTurn(async () => {
        if (nextSequence <= reservedSequence) return
        const wanted = nextSequence + SEQUENCE_BLOCK - 1
        const entry = { lease, lastSequence, reservedSequence: wanted }
        if (!(await ledger.write(entry))) throw new LeaseLost(meetingId)
        reservedSequence = wanted
      }),

    lastSequence: () => lastSequence,
  }
}

function toInsightRows(
  insights: readonly Insight[],
  engine: InsightEngine,
  at: Date,
): InsightRow[] {
  return insights.map((insight) => ({ ...insight, id: newId('insight'), engine, at }))
}

function toInsightEvent({ id, at, ...insight }: InsightRow): NewEvent {
  const payload = { insightId: id, ...insight, timestamp: at.toISOString() }
  return { type: 'coach_insight', payload }
}

function toSegmentEvent(row: SegmentRow): NewEvent {
  return {
    type: 'segment_finalized',
    payload: {
      speaker: row.speaker,
      text: row.text,
      timestamp: row.startedAt.toISOString(),
      segmentNumber: row.number,
      captionId: row.captionId,
    },
  }
}

/** Each event tells the count after it, so the events of one change count up and down in turn. */
function participantEvents({ joined, left, count }: ParticipantChange, at: Date): NewEvent[] {
  const before = count - joined.length + left.length
  const payload = (person: Participant, participantCount: number) => ({
    participantId: person.id,
    name: person.name,
    participantCount,
    timestamp: at.toISOString(),
  })
  return [
    ...left.map((person, i): NewEvent => ({
      type: 'participant_left',
      payload: payload(person, before - i - 1),
    })),
    ...joined.map((person, i): NewEvent => ({
      type: 'participant_joined',
      payload: payload(person, before - left.length + i + 1),
    })),
  ]
}
