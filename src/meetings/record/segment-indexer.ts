import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { isTransientDatabaseError } from '../../db/transient-errors.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import {
  createSearchVectors,
  MEETING_WORDS_INDEX_VERSION,
} from '../../projects/search/words/search-vector.ts'
import { updateMeeting } from './meeting-store.ts'

export type EndedMeetingReindexer = ReturnType<typeof startEndedMeetingReindexer>

/** Pause while there is nothing to do. Until a meeting is indexed, a search reads its segments one by one. */
const IDLE_PAUSE_MS = 30_000
/** Pause after a failure of the database. */
const RETRY_PAUSE_MS = 5_000
const UPDATE_BATCH_SIZE = 500

/**
 * Indexes the segments of ended meetings for search again: with the language of the whole meeting, and with all its
 * words together. If a new version of Hansard changes what the index stores, all meetings are indexed again, newest
 * first. Each meeting is one transaction, so an interruption loses nothing.
 */
export function startEndedMeetingReindexer({ db, log }: { db: Db; log: Log }) {
  const wakeUp = createWakeableSleep()
  const closing = new AbortController()
  const indexNext = async (): Promise<number> => {
    const startedAt = performance.now()
    try {
      const isIndexed = await reindexNextEndedMeeting(db, log)
      // Uses at most half of one processor, because live meetings have priority.
      return isIndexed ? performance.now() - startedAt : IDLE_PAUSE_MS
    } catch (error) {
      if (!closing.signal.aborted) log.error({ err: error }, 'failed to index segments of meetings')
      return RETRY_PAUSE_MS
    }
  }
  const run = async () => {
    while (!closing.signal.aborted) await wakeUp.sleep(await indexNext())
  }
  const running = run()
  return {
    /** Looks now for a meeting to index, because one has ended. */
    wake: wakeUp.wake,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await running
    },
  }
}

/** Indexes the newest ended meeting that needs it and that no other node works on. False if there is none. */
export async function reindexNextEndedMeeting(db: Db, log: Log): Promise<boolean> {
  let meetingId: string | null = null
  try {
    return await db.transaction().execute(async (tx) => {
      const meeting = await lockNextMeeting(tx)
      if (meeting === undefined) return false
      meetingId = meeting.id
      await indexSegments(tx, meeting)
      await markIndexed(tx, meeting.id)
      return true
    })
  } catch (error) {
    if (meetingId === null || isTransientDatabaseError(error)) throw error
    // Its segments can still be found as they were written. A retry would block the indexing of all other meetings.
    log.error({ err: error, meetingId }, 'failed to index the segments of a meeting')
    await markIndexed(db, meetingId)
    return true
  }
}

type IndexedMeeting = { id: string; title: string | null; label: string }

function lockNextMeeting(tx: Tx): Promise<IndexedMeeting | undefined> {
  return (
    tx
      .selectFrom('meeting')
      .select(['id', 'title', 'label'])
      .where('words_version', '<', MEETING_WORDS_INDEX_VERSION)
      .where('ended_at', 'is not', null)
      // In the order of the index, so that meetings that are up to date are not read.
      .orderBy('words_version')
      .orderBy('started_at', 'desc')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
  )
}

async function indexSegments(tx: Tx, { id, title, label }: IndexedMeeting): Promise<void> {
  const segments = await tx
    .selectFrom('segment')
    .select(['number', 'speaker', 'text'])
    .where('meeting_id', '=', id)
    .orderBy('number')
    .execute()
  const { texts, whole } = await createSearchVectors([{ text: title ?? label }, ...segments])
  const [titleWords = '', ...segmentWords] = texts
  for (let start = 0; start < segments.length; start += UPDATE_BATCH_SIZE) {
    const numbers = segments.slice(start, start + UPDATE_BATCH_SIZE).map(({ number }) => number)
    await sql`update segment s set words = v.words::tsvector
      from unnest(${numbers}::int[], ${segmentWords.slice(start, start + UPDATE_BATCH_SIZE)}::text[])
        as v(number, words)
      where s.meeting_id = ${id} and s.number = v.number and s.words is distinct from v.words::tsvector`.execute(
      tx,
    )
  }
  await tx.deleteFrom('meeting_words').where('meeting_id', '=', id).execute()
  if (whole === null || segments.length === 0) return
  await sql`insert into meeting_words (meeting_id, title, words)
    values (${id}, ${titleWords}::tsvector, ${whole}::tsvector)`.execute(tx)
}

async function markIndexed(db: Db, id: string): Promise<void> {
  await updateMeeting(db, id, { words_version: MEETING_WORDS_INDEX_VERSION })
}
