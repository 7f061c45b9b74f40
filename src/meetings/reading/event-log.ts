import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { coalesceReads } from '../../lib/async/coalesce-reads.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import type { EventType } from '../event-types.ts'
import type { Feed } from './feed.ts'
import { isFinal } from '../status.ts'
import { requireMeeting } from '../store.ts'

export type EventLogEntry = { sequence: number; type: EventType; body: string }

/** One message of a stream. Without a position it is not stored: a caption that evolves. Null: nothing happens. */
export type StreamMessage = {
  position: string | null
  meetingId: string
  type: string
  body: string
}

/** Reading events: once, waiting for the next, or as they come. */
export interface EventLog {
  /** With a wait, an empty answer comes only when nothing happened for so long, or nothing ever will. */
  read(query: EventQuery, signal: AbortSignal): Promise<EventLogEntry[]>
  /** Of one meeting; ends with its last event. */
  stream(
    meetingId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<StreamMessage | null, void, undefined>
  /** Of all meetings, from a position on. Never ends by itself. */
  streamAll(
    position: string,
    signal: AbortSignal,
  ): AsyncGenerator<StreamMessage | null, void, undefined>
  /** The position behind which everything is that will be stored from now on. */
  currentPosition(): Promise<string>
  /** Whether something is left to be streamed after this sequence, or may come. */
  mayHaveEventsAfter(meetingId: string, after: number): Promise<boolean>
}

export type EventQuery = { meetingId: string; after: number; limit: number; waitMs: number }

const PAGE_SIZE = 200
/** So often something is sent even if nothing happens: a proxy must not think that nobody is there. */
const HEARTBEAT_MS = 15_000
/** Whoever forgot to tell: so often it is looked anyway. */
const POLL_MS = 5_000
/** Another transaction that began earlier may hold back what was told; it does not take long. */
const RECHECK_MS = 40

export function createEventLog({ db, feed }: { db: Db; feed: Feed }): EventLog {
  // Open consoles are nearly all at the same place: one look serves them, however many they are.
  const share = coalesceReads<Awaited<ReturnType<typeof readEventsOfAllMeetings>>>()
  return {
    async read({ meetingId, after, limit, waitMs }, signal) {
      const wakeUp = createWakeUp()
      using _ = feed.subscribe(meetingId, { onNewEvents: wakeUp.wake })
      signal.addEventListener('abort', wakeUp.wake, { once: true })
      const endsAt = performance.now() + waitMs
      for (;;) {
        const { status } = await requireMeeting(db, meetingId)
        const events = await readEvents(db, meetingId, after, limit)
        const leftMs = endsAt - performance.now()
        if (events.length > 0 || isFinal(status) || leftMs <= 0 || signal.aborted) return events
        await wakeUp.sleep(Math.min(leftMs, POLL_MS))
      }
    },

    async *stream(meetingId, after, signal) {
      const watching = watchFeed(feed, meetingId, signal)
      using _ = watching
      let position = after
      while (!signal.aborted) {
        const { status } = await requireMeeting(db, meetingId)
        const events = await readEvents(db, meetingId, position, PAGE_SIZE)
        for (const { sequence, type, body } of events) {
          watching.pass(meetingId, sequence, type)
          yield { position: String(sequence), meetingId, type, body }
          position = sequence
        }
        if (events.length === PAGE_SIZE) continue
        if (events.length === 0 && isFinal(status)) return
        yield* watching.partials()
        if (events.length === 0 && (await watching.pause(POLL_MS))) yield null
      }
    },

    async *streamAll(start, signal) {
      const watching = watchFeed(feed, null, signal)
      using _ = watching
      let position = parsePosition(start)
      while (!signal.aborted) {
        const wasTold = watching.takeNews()
        const from = position
        const events = await share(formatPosition(from), () =>
          readEventsOfAllMeetings(db, from, PAGE_SIZE),
        )
        for (const { writtenBy, meetingId, sequence, type, body } of events) {
          position = { writtenBy, meetingId, sequence }
          watching.pass(meetingId, sequence, type)
          yield { position: formatPosition(position), meetingId, type, body }
        }
        if (events.length === PAGE_SIZE) continue
        yield* watching.partials()
        const waitMs = wasTold && events.length === 0 ? RECHECK_MS : POLL_MS
        if (events.length === 0 && (await watching.pause(waitMs))) yield null
      }
    },

    currentPosition: () => readCurrentPosition(db),

    async mayHaveEventsAfter(meetingId, after) {
      const { status } = await requireMeeting(db, meetingId)
      return !isFinal(status) || (await readEvents(db, meetingId, after, 1)).length > 0
    },
  }
}

type PartialEventBody = { sequence: number; payload: { captionId: string } }

/** What happens between two looks: news to be read, and captions of which only the newest counts. */
function watchFeed(feed: Feed, meetingId: string | null, signal: AbortSignal) {
  const wakeUp = createWakeUp()
  const newest = new Map<string, { sequence: number; partial: StreamMessage }>()
  /** The last final segment of each meeting that has evolving captions. */
  const finals = new Map<string, number>()
  let isTold = false
  let beatAt = performance.now() + HEARTBEAT_MS
  const watcher = feed.subscribe(meetingId, {
    onNewEvents() {
      isTold = true
      wakeUp.wake()
    },
    onPartial(of, body) {
      const { sequence, payload } = JSON.parse(body) as PartialEventBody
      const partial = { position: null, meetingId: of, type: 'caption_partial', body }
      newest.set(`${of} ${payload.captionId}`, { sequence, partial })
      wakeUp.wake()
    },
  })
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  return {
    takeNews() {
      const wasTold = isTold
      isTold = false
      return wasTold
    },
    /** An event goes out: captions that were shown before it was final may be the ones it makes final. */
    pass(meetingId: string, sequence: number, type: string) {
      if (type === 'segment_finalized') finals.set(meetingId, sequence)
    },
    *partials(): Generator<StreamMessage> {
      for (const [key, { sequence, partial }] of newest) {
        newest.delete(key)
        if (sequence >= (finals.get(partial.meetingId) ?? 0)) yield partial
      }
    },
    /** True when it is time for a sign of life. */
    async pause(ms: number): Promise<boolean> {
      await wakeUp.sleep(ms)
      if (performance.now() < beatAt) return false
      beatAt = performance.now() + HEARTBEAT_MS
      return true
    },
    [Symbol.dispose]: () => watcher[Symbol.dispose](),
  }
}

function readEvents(db: Db, meetingId: string, after: number, limit: number) {
  return db
    .selectFrom('event')
    .select(['sequence', 'type', 'body'])
    .where('meeting_id', '=', meetingId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
}

/** A place in the order of all events of all meetings. */
type EventPosition = { writtenBy: string; meetingId: string; sequence: number }

/** Only what no transaction under way can still come before: so that a position never skips anything. */
async function readEventsOfAllMeetings(
  db: Db,
  { writtenBy, meetingId, sequence }: EventPosition,
  limit: number,
) {
  const { rows } = await sql<EventPosition & { type: string; body: string }>`
    select written_by::text as "writtenBy", meeting_id as "meetingId", sequence, type, body from event
    where (written_by, meeting_id, sequence) > (${writtenBy}::xid8, ${meetingId}, ${sequence}::int)
      and written_by < pg_snapshot_xmin(pg_current_snapshot())
    order by written_by, meeting_id, sequence limit ${limit}`.execute(db)
  return rows
}

/** Before the first event of any meeting in the oldest transaction that is still under way. */
async function readCurrentPosition(db: Db): Promise<string> {
  const { rows } = await sql<{ writtenBy: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as "writtenBy"`.execute(db)
  return formatPosition({ writtenBy: rows[0]?.writtenBy ?? '0', meetingId: '0', sequence: 0 })
}

function formatPosition({ writtenBy, meetingId, sequence }: EventPosition): string {
  return `${writtenBy}.${sequence}.${meetingId}`
}

const POSITION = /^(\d{1,19})\.(\d{1,9})\.(\w{1,100})$/

export function isEventPosition(text: string): boolean {
  return POSITION.test(text)
}

function parsePosition(text: string): EventPosition {
  const [, writtenBy = '0', sequence = '0', meetingId = ''] = POSITION.exec(text) ?? []
  return { writtenBy, meetingId, sequence: Number(sequence) }
}
