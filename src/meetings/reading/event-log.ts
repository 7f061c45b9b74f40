import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import { type Viewer, isUnrestricted } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { coalesceReadsInSameTick } from '../../lib/async/sharing.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import { memoizeAsyncForLimitedTime } from '../../lib/memoize.ts'
import { STREAM_HEARTBEAT_MS } from '../../lib/net/server-sent-events.ts'
import type { EventType } from '../event-types.ts'
import { requireMeeting } from '../record/meeting-store.ts'
import { isFinalStatus } from '../status.ts'
import type { ContentChangeType, NewEventNotifier } from './feed.ts'

export type EventLogEntry = { sequence: number; type: EventType; body: string }

/**
 * One message of an event stream. The position is null for partial captions, which are not stored, and for changes that
 * are not events.
 */
export type EventStreamMessage = {
  position: string | null
  meetingId: string
  type: string
  body: string
}

/** Reads stored events once, with long polling, or as a stream. A stream yields null as a heartbeat. */
export type EventLog = ReturnType<typeof createEventLog>

export type EventQuery = { meetingId: string; after: number; limit: number; waitMs: number }

const PAGE_SIZE = 200
/** The database is read this often even without a notification, in case a notification was lost. */
const POLL_MS = 5_000
/** If stored events wait for an older transaction, a stream reads again after this time, then less often. */
const FIRST_RECHECK_MS = 20

/** How long a stream reuses a check of rights, so that it does not repeat it for every event. */
const CACHE = { maxEntries: 1_000, ttlMs: 1_000 }

export function createEventLog({ db, feed }: { db: Db; feed: NewEventNotifier }) {
  // Most open consoles are at the same position, so they share one database read.
  const shareRead = coalesceReadsInSameTick<Awaited<ReturnType<typeof readEventsOfAllMeetings>>>()
  const shareMeetingRead = coalesceReadsInSameTick<Awaited<ReturnType<typeof readMeetingEvents>>>()
  return {
    /**
     * Reads events of a meeting, and waits up to `waitMs` for the first one. Returns an empty list after that time, or if
     * the meeting is over and has no further events.
     */
    async read(
      { meetingId, after, limit, waitMs }: EventQuery,
      signal: AbortSignal,
    ): Promise<EventLogEntry[]> {
      const wakeUp = createWakeableSleep()
      using _ = feed.subscribe(meetingId, { onNewEvents: wakeUp.wake })
      signal.addEventListener('abort', wakeUp.wake, { once: true })
      const endsAt = performance.now() + waitMs
      for (;;) {
        const { status } = await requireMeeting(db, meetingId)
        const events = await readEvents(db, meetingId, after, limit)
        const leftMs = endsAt - performance.now()
        if (events.length > 0 || isFinalStatus(status) || leftMs <= 0 || signal.aborted)
          return events
        await wakeUp.sleep(Math.min(leftMs, POLL_MS))
      }
    },

    /** Streams the events of one meeting and ends after its last event. */
    async *stream(
      meetingId: string,
      after: number,
      signal: AbortSignal,
    ): AsyncGenerator<EventStreamMessage | null, void, undefined> {
      const subscription = subscribeToFeed(feed, meetingId, signal)
      using _ = subscription
      let position = after
      while (!signal.aborted) {
        const from = position
        const { status, events } = await shareMeetingRead(`${meetingId} ${from}`, () =>
          readMeetingEvents(db, meetingId, from),
        )
        for (const { sequence, type, body } of events) {
          subscription.eventSent(meetingId, sequence, type)
          yield { position: String(sequence), meetingId, type, body }
          position = sequence
        }
        if (events.length === PAGE_SIZE) continue
        if (events.length === 0 && isFinalStatus(status)) return
        yield* subscription.takeUnstored()
        if (events.length === 0 && (await subscription.sleep(POLL_MS))) yield null
      }
    },

    /**
     * Streams the events of all meetings that the viewer may read, from a position until the signal aborts. `getViewer`
     * returns the viewer with their current rights.
     */
    async *streamAll(
      getViewer: () => Viewer,
      start: string,
      signal: AbortSignal,
    ): AsyncGenerator<EventStreamMessage | null, void, undefined> {
      const isReadable = createMeetingReadCheck(db, getViewer)
      const subscription = subscribeToFeed(feed, null, signal)
      using _ = subscription
      let position = parsePosition(start)
      let recheckMs = FIRST_RECHECK_MS
      while (!signal.aborted) {
        const from = position
        const events = await shareRead(formatPosition(from), () =>
          readEventsOfAllMeetings(db, from, PAGE_SIZE),
        )
        const inOrder = events.filter(({ isInOrder }) => isInOrder)
        for (const { writtenBy, meetingId, sequence, type, body } of inOrder) {
          position = { writtenBy, meetingId, sequence }
          subscription.eventSent(meetingId, sequence, type)
          if (await isReadable(meetingId))
            yield { position: formatPosition(position), meetingId, type, body }
        }
        if (inOrder.length === PAGE_SIZE) continue
        for (const message of subscription.takeUnstored())
          if (await isReadable(message.meetingId)) yield message
        const isWaiting = inOrder.length < events.length
        recheckMs = isWaiting ? Math.min(recheckMs * 2, POLL_MS) : FIRST_RECHECK_MS
        const waitMs = isWaiting ? recheckMs : POLL_MS
        if (inOrder.length === 0 && (await subscription.sleep(waitMs))) yield null
      }
    },

    /** A position before all events that will be stored from now on. */
    currentPosition: () => readCurrentPosition(db),

    /** True if the meeting has events after this sequence number, or is still active. */
    async mayHaveEventsAfter(meetingId: string, after: number) {
      const { status } = await requireMeeting(db, meetingId)
      return !isFinalStatus(status) || (await readEvents(db, meetingId, after, 1)).length > 0
    },
  }
}

/** Wakes a stream on news from the feed, and collects what is not stored: the newest partial of each caption. */
function subscribeToFeed(feed: NewEventNotifier, meetingId: string | null, signal: AbortSignal) {
  const wakeUp = createWakeableSleep()
  const newest = new Map<string, { sequence: number; partial: EventStreamMessage }>()
  /** The sequence number of each meeting's last `segment_finalized` event. */
  const lastFinalized = new Map<string, number>()
  const contentChanges = new Map<string, { of: string; type: ContentChangeType }>()
  let heartbeatAt = performance.now() + STREAM_HEARTBEAT_MS
  const feedSubscription = feed.subscribe(meetingId, {
    onNewEvents: wakeUp.wake,
    onPartial(of, { sequence, captionId, body }) {
      const partial = { position: null, meetingId: of, type: 'caption_partial', body }
      newest.set(`${of} ${captionId}`, { sequence, partial })
      wakeUp.wake()
    },
    onContentChanged(of, type) {
      contentChanges.set(`${type} ${of}`, { of, type })
      wakeUp.wake()
    },
  })
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  return {
    /**
     * Call before a stream sends a stored event. It drops partial captions that are older than a final segment, because
     * they may show the same text.
     */
    eventSent(meetingId: string, sequence: number, type: string) {
      if (type === 'segment_finalized') lastFinalized.set(meetingId, sequence)
    },
    /** The messages that are neither stored nor sent yet. */
    *takeUnstored(): Generator<EventStreamMessage> {
      for (const [key, { of, type }] of contentChanges) {
        // Deleted before the yield, so that a change that arrives while the consumer is busy is sent too.
        contentChanges.delete(key)
        yield {
          position: null,
          meetingId: of,
          type,
          body: JSON.stringify({ type, meetingId: of }),
        }
      }
      for (const [key, { sequence, partial }] of newest) {
        newest.delete(key)
        if (sequence >= (lastFinalized.get(partial.meetingId) ?? 0)) yield partial
      }
    },
    /** Sleeps until the feed has news, the stream is aborted or the time is up. Returns true if a heartbeat is due. */
    async sleep(ms: number): Promise<boolean> {
      await wakeUp.sleep(ms)
      if (performance.now() < heartbeatAt) return false
      heartbeatAt = performance.now() + STREAM_HEARTBEAT_MS
      return true
    },
    [Symbol.dispose]: () => feedSubscription[Symbol.dispose](),
  }
}

/** Reads the status first, so that a final status means that the events are complete. */
async function readMeetingEvents(db: Db, meetingId: string, after: number) {
  const { status } = await requireMeeting(db, meetingId)
  return { status, events: await readEvents(db, meetingId, after, PAGE_SIZE) }
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

/** A position in the order of all meetings' events. `writtenBy` is the id of the transaction that stored the event. */
type EventPosition = { writtenBy: string; meetingId: string; sequence: number }

/**
 * The oldest open transaction of this database, or the next one. Transactions of the server's other databases are
 * excluded, because an open one would hide new events.
 */
const OLDEST_OPEN = sql`coalesce(
  (select xid from pg_snapshot_xip(pg_current_snapshot()) as open (xid)
    where xid::xid not in (
      select transactionid from pg_locks join pg_stat_activity using (pid)
      where locktype = 'transactionid' and granted and datname <> current_database())
    order by xid limit 1),
  pg_snapshot_xmax(pg_current_snapshot()))`

/**
 * Reads all meetings' events after a position, but only from transactions that are older than every open one. Only
 * those are in order: no event can still be committed before them.
 */
async function readEventsOfAllMeetings(
  db: Db,
  { writtenBy, meetingId, sequence }: EventPosition,
  limit: number,
) {
  const { rows } = await sql<EventPosition & { type: string; body: string; isInOrder: boolean }>`
    select written_by::text as "writtenBy", meeting_id as "meetingId", sequence, type, body,
      written_by < ${OLDEST_OPEN} as "isInOrder"
    from event
    where (written_by, meeting_id, sequence) > (${writtenBy}::xid8, ${meetingId}, ${sequence}::int)
    order by written_by, meeting_id, sequence limit ${limit}`.execute(db)
  return rows
}

/** A position before all events of the oldest open transaction. */
async function readCurrentPosition(db: Db): Promise<string> {
  const { rows } = await sql<{ writtenBy: string }>`
    select (${OLDEST_OPEN})::text as "writtenBy"`.execute(db)
  return formatPosition({ writtenBy: rows[0]?.writtenBy ?? '0', meetingId: '0', sequence: 0 })
}

function formatPosition({ writtenBy, meetingId, sequence }: EventPosition): string {
  return `${writtenBy}.${sequence}.${meetingId}`
}

export const ALL_MEETINGS_POSITION_PATTERN = /^(\d{1,19})\.(\d{1,9})\.(\w{1,100})$/

export function isEventPosition(text: string): boolean {
  return ALL_MEETINGS_POSITION_PATTERN.test(text)
}

function parsePosition(text: string): EventPosition {
  const [, writtenBy = '0', sequence = '0', meetingId = ''] =
    ALL_MEETINGS_POSITION_PATTERN.exec(text) ?? []
  return { writtenBy, meetingId, sequence: Number(sequence) }
}

/** Checks for a long-lived stream if its viewer may read a meeting, because rights can change while it is open. */
function createMeetingReadCheck(
  db: Db,
  getViewer: () => Viewer,
): (meetingId: string) => Promise<boolean> {
  const isReadable = memoizeAsyncForLimitedTime(async (meetingId) => {
    const row = await db
      .selectFrom('meeting')
      .select('id')
      .where('id', '=', meetingId)
      .where(readsProject(getViewer(), 'meeting.project'))
      .executeTakeFirst()
    return row !== undefined
  }, CACHE)
  return async (meetingId) => isUnrestricted(getViewer()) || isReadable(meetingId)
}
