import type { Insight, InsightEngine } from '../coach/coach.ts'
import type { Db } from '../db/open.ts'
import { persevere } from '../db/passing-trouble.ts'
import { newId } from '../lib/random.ts'
import type { Person } from '../platforms/platform.ts'
import type { Segment } from './captions/segmenter.ts'
import type { NewEvent } from './events.ts'
import type { Entry, EventRow, InsightRow, Ledger, SegmentRow } from './ledger.ts'
import {
  findMove,
  HoldLost,
  moveMeeting,
  settleMeeting,
  toEventRows,
  withHoldOnFile,
  type End,
  type Hold,
  type Move,
  type Tx,
} from './store.ts'

/** What the bot of one meeting writes, one call after the other. Each is refused once the hold is lost. */
export interface MeetingWriter {
  /** False: the move is not in the table, or somebody else got there first. */
  move(move: Move): Promise<boolean>
  /** Why it will be over, once all that belongs to its end is done: that is tried again, and the visit is not. */
  settle(end: End): Promise<void>
  /** Answers the segments with their numbers. What `advise` says of them is stored with them, or neither is. */
  segments(segments: readonly Segment[], at: Date, advise?: Advise): Promise<SegmentRow[]>
  insights(insights: readonly Insight[], engine: InsightEngine, at: Date): Promise<void>
  people(change: PeopleChange, at: Date): Promise<void>
  /** Work on the document while nobody else can come to own the meeting; no other write of it is under way. */
  atFile<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  flushed(count: number, size: number, documentPath: string, at: Date): Promise<void>
  /**
   * A number for an event that is not stored. Null while one is being stored, which must go first, or when
   * none is at hand: they come in blocks, so that no number is ever used twice, not even after a crash.
   */
  takeNumber(): number | null
  reserveNumbers(): Promise<void>
  lastSequence(): number
}

export type Advise = (segments: readonly SegmentRow[]) => readonly Insight[]

export type PeopleChange = { joined: readonly Person[]; left: readonly Person[]; count: number }

/** What is stored when the hold begins. */
export type Stored = { lastSequence: number; reservedSequence: number; segmentCount: number }

type Parts = {
  db: Db
  ledger: Ledger
  hold: Hold
  stored: Stored
  /** Told after each commit, before the call returns. */
  onWritten(events: readonly EventRow[]): void
}

const NUMBER_BLOCK = 64

export function createMeetingWriter({ db, ledger, hold, stored, onWritten }: Parts): MeetingWriter {
  const { meetingId, fence } = hold
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
    change: Omit<Entry, 'hold' | 'lastSequence' | 'reservedSequence' | 'events'>,
    at: Date,
    events: readonly NewEvent[],
  ) => {
    const rows = toEventRows(meetingId, nextSequence, at, events)
    const entry = { ...change, hold, lastSequence, reservedSequence, events: rows }
    if (!(await ledger.write(entry))) throw new HoldLost(meetingId)
    tell(rows)
  }

  return {
    move: (move) =>
      inTurn(async () => {
        const owner = { fence, nextSequence }
        const events = await persevere((isRepeat) =>
          db.transaction().execute(async (tx) => {
            const moved = await moveMeeting(tx, meetingId, move, owner)
            return moved ?? (isRepeat ? findMove(tx, hold, move, nextSequence) : null)
          }),
        )
        tell(events ?? [])
        return events !== null
      }),

    settle: (end) => inTurn(() => persevere(() => settleMeeting(db, hold, end))),

    segments: (segments, at, advise = () => []) =>
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

    insights: (insights, engine, at) =>
      inTurn(() => {
        const rows = toInsightRows(insights, engine, at)
        return write({ insights: rows }, at, rows.map(toInsightEvent))
      }),

    people: (change, at) =>
      inTurn(() => {
        const row = (person: Person, hasLeft: boolean) => {
          const { id, name, isHost = false } = person
          return { id, name, isHost, at, hasLeft }
        }
        const people = [
          ...change.left.map((person) => row(person, true)),
          ...change.joined.map((person) => row(person, false)),
        ]
        return write({ people, participantCount: change.count }, at, peopleEvents(change, at))
      }),

    atFile: (work) => inTurn(() => withHoldOnFile(db, hold, work)),

    flushed: (count, size, documentPath, at) =>
      inTurn(() => {
        const payload = { documentPath, segmentsWritten: count, totalSegments: segmentCount }
        return write({ flushed: { count, size } }, at, [{ type: 'document_saved', payload }])
      }),

    takeNumber() {
      if (waiting > 0 || nextSequence > reservedSequence) return null
      nextSequence += 1
      return nextSequence - 1
    },

    reserveNumbers: () =>
      inTurn(async () => {
        if (nextSequence <= reservedSequence) return
        const wanted = nextSequence + NUMBER_BLOCK - 1
        const entry = { hold, lastSequence, reservedSequence: wanted }
        if (!(await ledger.write(entry))) throw new HoldLost(meetingId)
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
function peopleEvents({ joined, left, count }: PeopleChange, at: Date): NewEvent[] {
  const before = count - joined.length + left.length
  const payload = (person: Person, participantCount: number) => ({
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
