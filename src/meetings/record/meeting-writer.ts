import type { Participant } from '../../bots/platforms/platform.ts'
import type { Insight, InsightEngine } from '../../coach/coach.ts'
import type { Db, Tx } from '../../db/database.ts'
import { retryWhileTransient } from '../../db/transient-errors.ts'
import { waitUntilSettled } from '../../lib/async/await-later.ts'
import { newId } from '../../lib/crypto.ts'
import type { RosterChange } from '../attending/participants.ts'
import type { CaptionSegment } from '../captions/turns/segments.ts'
import type { EventContent } from '../event-types.ts'
import type { GapCause } from '../transcript/gap-causes.ts'
import type { DocumentFlush, MeetingBatchWriter, MeetingChange } from './batch-writer.ts'
import { createPendingGaps, toEventGapFields, type GapRow } from './gaps.ts'
import {
  findEventsOfCommittedStatusChange,
  LeaseLost,
  changeMeetingStatus,
  saveEndReason,
  toEventRows,
  runFileWorkUnderLease,
  type EndReasonWithDetail,
  type MeetingLease,
  type StatusChange,
  type EventRow,
  type InsightRow,
  type SegmentRow,
} from './meeting-store.ts'

/**
 * Stores what the bot of a meeting reports, one write at a time. Once another node owns the meeting, every write throws
 * `LeaseLost`.
 */
export interface MeetingWriter {
  /**
   * Changes the meeting's status. False if the current status does not allow it, for example because a stop came first.
   */
  changeStatus(change: StatusChange): Promise<boolean>
  /** Stores the end reason before the final status, so that after a crash no other bot is needed to finish. */
  storeEndReason(end: EndReasonWithDetail): Promise<void>
  /**
   * Stores segments and returns them with their numbers. The insights from `findInsights` are stored in the same
   * commit.
   */
  writeSegments(
    segments: readonly CaptionSegment[],
    at: Date,
    findInsights?: InsightFinder,
  ): Promise<SegmentRow[]>
  /** Why nothing is being recorded; null while the meeting is recorded. */
  openGapCause(): GapCause | null
  /**
   * Stores that recording stops. A gap that is already open continues. The gap is reported by the event of the next
   * segment, or by the end of the meeting.
   */
  startGap(cause: GapCause, startedAt: Date): Promise<void>
  /** Stores that something was not recorded between two times, although the rest was. */
  addGap(cause: GapCause, startedAt: Date, endedAt: Date): Promise<void>
  /** Stores that captions are recorded again. Does nothing if no gap is open. */
  endGap(at: Date): Promise<void>
  writeInsights(insights: readonly Insight[], engine: InsightEngine, at: Date): Promise<void>
  writeParticipants(change: ParticipantChanges, at: Date): Promise<void>
  /**
   * Runs work on the document file. During the work, no other node can claim the meeting and this writer does not
   * write. `edit` is the number of the meeting's newest edit.
   */
  withDocumentLock<T>(work: (tx: Tx, edit: number) => Promise<T>): Promise<T>
  recordDocumentFlush(flush: DocumentFlush, documentPath: string, at: Date): Promise<void>
  /**
   * Returns the next sequence number for a partial, which is not stored. Null in three cases: a stored event is being
   * written and must be numbered first; no reserved number is left; or no write has checked the lease recently, and a
   * node that was paused may have lost its meetings.
   */
  nextPartialSequence(): number | null
  /**
   * Reserves sequence numbers for partials in the database, so that no number is used twice even after a crash. Checks
   * the lease like every write.
   */
  reservePartialSequences(): Promise<void>
  lastSequence(): number
}

export type InsightFinder = (segments: readonly SegmentRow[]) => readonly Insight[]

export type ParticipantChanges = Pick<RosterChange, 'joined' | 'left' | 'count'>

/** The meeting's counters when it was claimed. */
export type MeetingCountersAtClaim = {
  lastSequence: number
  reservedSequence: number
  segmentCount: number
}

type Parts = {
  db: Db
  ledger: MeetingBatchWriter
  lease: MeetingLease
  counters: MeetingCountersAtClaim
  /** The gaps that are already stored. */
  gaps: readonly GapRow[]
  /** Called with the events that a write stored, after its commit and before the write returns. */
  onWritten(events: readonly EventRow[]): void
  /** Called after a gap started or ended. */
  onGapChanged?(): void
  /** Milliseconds that only increase, even while the process is paused. */
  monotonic?: () => number
}

const SEQUENCE_BLOCK = 64
/** Much shorter than the time after which other nodes claim the meetings of a node without a heartbeat. */
const LEASE_CHECK_MAX_AGE_MS = 5_000

export function createMeetingWriter({
  db,
  ledger,
  lease,
  counters,
  gaps: storedGaps,
  onWritten,
  onGapChanged,
  monotonic = () => performance.now(),
}: Parts): MeetingWriter {
  const { meetingId, fence } = lease
  let { lastSequence, reservedSequence, segmentCount } = counters
  let nextSequence = Math.max(lastSequence, reservedSequence) + 1
  let previousWrite: Promise<unknown> = Promise.resolve()
  let pendingWrites = 0
  const leased = createLeasedWriter(ledger, lease, monotonic)
  const gaps = createPendingGaps(storedGaps)

  /** Runs one write at a time, so that sequence numbers follow the order of the commits. */
  const serialize = <T>(work: () => Promise<T>): Promise<T> => {
    pendingWrites += 1
    const done = previousWrite.then(work).finally(() => (pendingWrites -= 1))
    previousWrite = waitUntilSettled(done)
    return done
  }
  const publish = (events: readonly EventRow[]) => {
    const last = events.at(-1)
    if (last === undefined) return
    lastSequence = last.sequence
    nextSequence = last.sequence + 1
    onWritten(events)
  }
  const write = async (
    change: Omit<MeetingChange, 'lease' | 'lastSequence' | 'reservedSequence' | 'events'>,
    at: Date,
    events: readonly EventContent[],
  ) => {
    const rows = toEventRows(meetingId, nextSequence, at, events)
    await leased.write({ ...change, lastSequence, reservedSequence, events: rows })
    publish(rows)
  }
  const writeGap = async (gap: GapRow | null, at: Date) =>
    gap === null ? undefined : write({ gaps: [gap] }, at, []).then(onGapChanged)

  return {
    changeStatus: (change) =>
      serialize(async () => {
        const at = { fence, nextSequence }
        const events = await retryWhileTransient((isRepeat) =>
          db.transaction().execute(async (tx) => {
            const written = await changeMeetingStatus(tx, meetingId, change, at)
            return (
              written ??
              (isRepeat ? findEventsOfCommittedStatusChange(tx, lease, change, nextSequence) : null)
            )
          }),
        )
        publish(events ?? [])
        return events !== null
      }),

    storeEndReason: (end) =>
      serialize(() => retryWhileTransient(() => saveEndReason(db, lease, end))),

    writeSegments: (segments, at, findInsights = () => []) =>
      serialize(async () => {
        const { before, changed } = gaps.takeBeforeSegments(segments, at)
        const rows = toSegmentRows(segments, segmentCount + 1, before)
        const insights = toInsightRows(findInsights(rows), 'rules', at)
        const events = [...rows.map(toSegmentEvent), ...insights.map(toInsightEvent)]
        await write({ segments: rows, insights, gaps: changed }, at, events)
        gaps.clearEnded()
        segmentCount += rows.length
        return rows
      }),

    openGapCause: gaps.openCause,
    startGap: (cause, startedAt) =>
      serialize(() => writeGap(gaps.start(cause, startedAt, segmentCount), startedAt)),
    addGap: (cause, startedAt, endedAt) =>
      serialize(() => writeGap(gaps.add(cause, startedAt, endedAt, segmentCount), endedAt)),
    endGap: (at) => serialize(() => writeGap(gaps.end(at), at)),

    writeInsights: (insights, engine, at) =>
      serialize(() => {
        const rows = toInsightRows(insights, engine, at)
        return write({ insights: rows }, at, rows.map(toInsightEvent))
      }),

    writeParticipants: (change, at) =>
      serialize(() => {
        const rows = { participants: participantRows(change, at), participantCount: change.count }
        return write(rows, at, participantEvents(change, at))
      }),

    withDocumentLock: (work) => serialize(() => runFileWorkUnderLease(db, lease, work)),

    recordDocumentFlush: (documentFlush, documentPath, at) =>
      serialize(() => {
        const event = toDocumentSavedEvent(documentPath, documentFlush.count, segmentCount)
        return write({ documentFlush }, at, [event])
      }),

    nextPartialSequence() {
      if (pendingWrites > 0 || nextSequence > reservedSequence || !leased.isCheckFresh())
        return null
      nextSequence += 1
      return nextSequence - 1
    },

    reservePartialSequences: () =>
      serialize(async () => {
        if (nextSequence <= reservedSequence && leased.isCheckFresh()) return
        const wanted = nextSequence + SEQUENCE_BLOCK - 1
        await leased.write({ lastSequence, reservedSequence: wanted })
        reservedSequence = wanted
      }),

    lastSequence: () => lastSequence,
  }
}

/** Writes changes under the lease, and knows how long ago a write found the lease valid. */
function createLeasedWriter(
  ledger: MeetingBatchWriter,
  lease: MeetingLease,
  monotonic: () => number,
) {
  /** When the last write that found the lease valid began. */
  let checkedAt = monotonic()
  return {
    isCheckFresh: () => monotonic() - checkedAt <= LEASE_CHECK_MAX_AGE_MS,
    async write(change: Omit<MeetingChange, 'lease'>): Promise<void> {
      const beganAt = monotonic()
      if (!(await ledger.write({ ...change, lease }))) throw new LeaseLost(lease.meetingId)
      checkedAt = beganAt
    },
  }
}

function toSegmentRows(
  segments: readonly CaptionSegment[],
  firstNumber: number,
  gapsBefore: readonly GapRow[],
): SegmentRow[] {
  return segments.map((segment, i) => ({
    number: firstNumber + i,
    captionId: segment.captionId,
    speaker: segment.speaker,
    text: segment.text,
    startedAt: new Date(segment.startedAt),
    source: segment.isFromSpeech ? 'speech' : 'captions',
    isIncomplete: segment.isIncomplete ?? false,
    ...(i === 0 && { gapsBefore }),
  }))
}

function toInsightRows(
  insights: readonly Insight[],
  engine: InsightEngine,
  at: Date,
): InsightRow[] {
  return insights.map((insight) => ({ ...insight, id: newId('insight'), engine, at }))
}

function toInsightEvent({ id, at, ...insight }: InsightRow): EventContent {
  const payload = { insightId: id, ...insight, timestamp: at.toISOString() }
  return { type: 'coach_insight', payload }
}

function toDocumentSavedEvent(
  documentPath: string,
  segmentsWritten: number,
  totalSegments: number,
): EventContent {
  return { type: 'document_saved', payload: { documentPath, segmentsWritten, totalSegments } }
}

function toSegmentEvent(row: SegmentRow): EventContent {
  return {
    type: 'segment_finalized',
    payload: {
      speaker: row.speaker,
      text: row.text,
      timestamp: row.startedAt.toISOString(),
      segmentNumber: row.number,
      captionId: row.captionId,
      source: row.source,
      ...(row.isIncomplete && { incomplete: true }),
      ...toEventGapFields(row.gapsBefore ?? []),
    },
  }
}

function participantRows({ joined, left }: ParticipantChanges, at: Date) {
  const toRow = (person: Participant, hasLeft: boolean) => {
    const { id, name, isHost = false } = person
    return { id, name, isHost, at, hasLeft }
  }
  return [
    ...left.map((person) => toRow(person, true)),
    ...joined.map((person) => toRow(person, false)),
  ]
}

/** `participantCount` is the count after the event: first down for each left, then up for each joined. */
function participantEvents({ joined, left, count }: ParticipantChanges, at: Date): EventContent[] {
  const before = count - joined.length + left.length
  const payload = (person: Participant, participantCount: number) => ({
    participantId: person.id,
    name: person.name,
    participantCount,
    timestamp: at.toISOString(),
  })
  return [
    ...left.map((person, i): EventContent => ({
      type: 'participant_left',
      payload: payload(person, before - i - 1),
    })),
    ...joined.map((person, i): EventContent => ({
      type: 'participant_joined',
      payload: payload(person, before - left.length + i + 1),
    })),
  ]
}
