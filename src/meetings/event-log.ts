import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { shareTurn } from '../lib/share-turn.ts'
import { createWakeUp } from '../lib/wake-up.ts'
import type { EventType } from './events.ts'
import type { Feed } from './feed.ts'
import { isFinal } from './status.ts'
import { requireMeeting } from './store.ts'

export type StoredEvent = { sequence: number; type: EventType; body: string }

/** One message of a stream. Without a position it is not stored: a caption that evolves. Null: nothing happens. */
export type Streamed = { position: string | null; meetingId: string; type: string; body: string }

/** Reading events: once, waiting for the next, or as they come. */
export interface EventLog {
  /** With a wait, an empty answer comes only when nothing happened for so long, or nothing ever will. */
  read(query: EventQuery, signal: AbortSignal): Promise<StoredEvent[]>
  /** Of one meeting; ends with its last event. */
  stream(
    meetingId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<Streamed | null, void, undefined>
  /** Of all meetings, from a position on. Never ends by itself. */
  streamAll(position: string, signal: AbortSignal): AsyncGenerator<Streamed | null, void, undefined>
  /** The position behind which everything is that will be stored from now on. */
  present(): Promise<string>
  /** Whether something is left to be streamed after this sequence, or may come. */
  isOpen(meetingId: string, after: number): Promise<boolean>
}

export type EventQuery = { meetingId: string; after: number; limit: number; waitMs: number }

const PAGE = 200
/** So often something is sent even if nothing happens: a proxy must not think that nobody is there. */
const BEAT_MS = 15_000
/** Whoever forgot to tell: so often it is looked anyway. */
const LOOK_MS = 5_000
/** Another transaction that began earlier may hold back what was told; it does not take long. */
const SOON_MS = 40

export function createEventLog({ db, feed }: { db: Db; feed: Feed }): EventLog {
  // Open consoles are nearly all at the same place: one look serves them, however many they are.
  const share = shareTurn<Awaited<ReturnType<typeof readAll>>>()
  return {
    async read({ meetingId, after, limit, waitMs }, signal) {
      const wakeUp = createWakeUp()
      using _ = feed.watch(meetingId, { onNews: wakeUp.wake })
      signal.addEventListener('abort', wakeUp.wake, { once: true })
      const endsAt = performance.now() + waitMs
      for (;;) {
        const { status } = await requireMeeting(db, meetingId)
        const events = await readEvents(db, meetingId, after, limit)
        const leftMs = endsAt - performance.now()
        if (events.length > 0 || isFinal(status) || leftMs <= 0 || signal.aborted) return events
        await wakeUp.sleep(Math.min(leftMs, LOOK_MS))
      }
    },

    async *stream(meetingId, after, signal) {
      const watching = watch(feed, meetingId, signal)
      using _ = watching
      let position = after
      while (!signal.aborted) {
        const { status } = await requireMeeting(db, meetingId)
        const events = await readEvents(db, meetingId, position, PAGE)
        for (const { sequence, type, body } of events) {
          watching.pass(meetingId, sequence, type)
          yield { position: String(sequence), meetingId, type, body }
          position = sequence
        }
        if (events.length === PAGE) continue
        if (events.length === 0 && isFinal(status)) return
        yield* watching.partials()
        if (events.length === 0 && (await watching.pause(LOOK_MS))) yield null
      }
    },

    async *streamAll(start, signal) {
      const watching = watch(feed, null, signal)
      using _ = watching
      let position = parsePosition(start)
      while (!signal.aborted) {
        const wasTold = watching.takeNews()
        const from = position
        const events = await share(writePosition(from), () => readAll(db, from, PAGE))
        for (const { writtenBy, meetingId, sequence, type, body } of events) {
          position = { writtenBy, meetingId, sequence }
          watching.pass(meetingId, sequence, type)
          yield { position: writePosition(position), meetingId, type, body }
        }
        if (events.length === PAGE) continue
        yield* watching.partials()
        const waitMs = wasTold && events.length === 0 ? SOON_MS : LOOK_MS
        if (events.length === 0 && (await watching.pause(waitMs))) yield null
      }
    },

    present: () => readPresent(db),

    async isOpen(meetingId, after) {
      const { status } = await requireMeeting(db, meetingId)
      return !isFinal(status) || (await readEvents(db, meetingId, after, 1)).length > 0
    },
  }
}

type PartialBody = { sequence: number; payload: { captionId: string } }

/** What happens between two looks: news to be read, and captions of which only the newest counts. */
function watch(feed: Feed, meetingId: string | null, signal: AbortSignal) {
  const wakeUp = createWakeUp()
  const newest = new Map<string, { sequence: number; partial: Streamed }>()
  /** The last final segment of each meeting that has evolving captions. */
  const finals = new Map<string, number>()
  let isTold = false
  let beatAt = performance.now() + BEAT_MS
  const watcher = feed.watch(meetingId, {
    onNews() {
      isTold = true
      wakeUp.wake()
    },
    onPartial(of, body) {
      const { sequence, payload } = JSON.parse(body) as PartialBody
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
    *partials(): Generator<Streamed> {
      for (const [key, { sequence, partial }] of newest) {
        newest.delete(key)
        if (sequence >= (finals.get(partial.meetingId) ?? 0)) yield partial
      }
    },
    /** True when it is time for a sign of life. */
    async pause(ms: number): Promise<boolean> {
      await wakeUp.sleep(ms)
      if (performance.now() < beatAt) return false
      beatAt = performance.now() + BEAT_MS
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
type Position = { writtenBy: string; meetingId: string; sequence: number }

/** Only what no transaction under way can still come before: so that a position never skips anything. */
async function readAll(db: Db, { writtenBy, meetingId, sequence }: Position, limit: number) {
  const { rows } = await sql<Position & { type: string; body: string }>`
    select written_by::text as "writtenBy", meeting_id as "meetingId", sequence, type, body from event
    where (written_by, meeting_id, sequence) > (${writtenBy}::xid8, ${meetingId}, ${sequence}::int)
      and written_by < pg_snapshot_xmin(pg_current_snapshot())
    order by written_by, meeting_id, sequence limit ${limit}`.execute(db)
  return rows
}

/** Before the first event of any meeting in the oldest transaction that is still under way. */
async function readPresent(db: Db): Promise<string> {
  const { rows } = await sql<{ writtenBy: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as "writtenBy"`.execute(db)
  return writePosition({ writtenBy: rows[0]?.writtenBy ?? '0', meetingId: '0', sequence: 0 })
}

function writePosition({ writtenBy, meetingId, sequence }: Position): string {
  return `${writtenBy}.${sequence}.${meetingId}`
}

const POSITION = /^(\d{1,19})\.(\d{1,9})\.(\w{1,100})$/

export function isPosition(text: string): boolean {
  return POSITION.test(text)
}

function parsePosition(text: string): Position {
  const [, writtenBy = '0', sequence = '0', meetingId = ''] = POSITION.exec(text) ?? []
  return { writtenBy, meetingId, sequence: Number(sequence) }
}
