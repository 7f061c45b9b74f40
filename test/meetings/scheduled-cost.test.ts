import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import type { Db } from '../../src/db/database.ts'
import {
  listNewestEndedMeetings,
  readMeetingHistory,
} from '../../src/meetings/reading/meeting-lists.ts'
import {
  countScheduledBy,
  findDueMeetings,
  findNextJoinTime,
} from '../../src/meetings/scheduling/scheduled-meetings.ts'
import { findBestSegmentPerMeeting } from '../../src/projects/search/whole-document-search.ts'
import { MEETING_WORDS_INDEX_VERSION } from '../../src/projects/search/words/search-vector.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { seedMeeting } from '../support/meetings/seed-meeting.ts'
import { openForFile } from '../support/open-for-file.ts'

const MANY = 4_000
const NOW = new Date('2026-11-15T12:00:00.000Z')

const opened = openForFile(async () => {
  const database = await openTestDatabase()
  const { db } = database
  const scheduled = await seedMeeting(db, {
    status: 'scheduled',
    fence: 0,
    join_at: new Date('2026-12-01T00:00:00Z'),
    started_at: new Date('2026-12-01T00:00:00Z'),
    scheduled_viewer: JSON.stringify(INSTANCE_VIEWER),
  })
  const ended = await seedMeeting(db, { status: 'ended', ended_at: NOW, segment_count: 3 })
  await sql`update meeting set words_version = ${MEETING_WORDS_INDEX_VERSION} where id = ${ended}`.execute(
    db,
  )
  for (const [id, step] of [
    [scheduled, '1 minute'],
    [ended, '-1 minute'],
  ] as const) {
    await sql`insert into meeting (id, platform, url, room, label, project, callback_url, options, status, started_at,
        join_at, ended_at, scheduled_viewer, segment_count, words_version)
      select id || '_' || n, platform, url, room, label, project, callback_url, options, status,
        started_at + n * ${step}::interval, join_at + n * ${step}::interval, ended_at, scheduled_viewer, segment_count,
        words_version
      from meeting, generate_series(1, ${MANY}) n where id = ${id}`.execute(db)
  }
  await sql`update meeting set status = 'error' where status = 'ended' and started_at > ${NOW}::timestamptz - interval '400 minutes'`.execute(
    db,
  )
  await seedMeeting(db, { status: 'live', segment_count: 3 })
  await sql`insert into meeting_words (meeting_id, title, words) select id, ''::tsvector, ('other:1 word' || started_at::date)::tsvector
    from meeting where ended_at is not null`.execute(db)
  await sql`analyze meeting, meeting_words`.execute(db)
  return database
})

/** How many rows of the meeting table the work reads, with or without an index. */
async function countRowsRead(work: (tx: Db) => Promise<unknown>): Promise<number> {
  return opened()
    .db.transaction()
    .execute(async (tx) => {
      const before = await readRowCount(tx)
      await work(tx)
      return (await readRowCount(tx)) - before
    })
}

/** All rows that this connection has read and not reported yet. It reports nothing during a transaction. */
async function readRowCount(tx: Db): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select seq_tup_read + coalesce(idx_tup_fetch, 0) as count from pg_stat_xact_user_tables
    where relname = 'meeting'`.execute(tx)
  return Number(rows[0]?.count)
}

const READERS: Record<string, (tx: Db) => Promise<unknown>> = {
  'the due meetings': (tx) => findDueMeetings(tx, NOW, null, 50),
  'the next join time': findNextJoinTime,
  'the number that a token has scheduled': (tx) =>
    countScheduledBy(tx, { viewer: INSTANCE_VIEWER, tokenId: 'none' }, 10_000),
  'the history of failed meetings': (tx) =>
    readMeetingHistory(tx, INSTANCE_VIEWER, { status: 'error' }, 20, undefined),
  'the history of live meetings': (tx) =>
    readMeetingHistory(tx, INSTANCE_VIEWER, { status: 'live' }, 20, undefined),
  'the newest ended meetings': (tx) => listNewestEndedMeetings(tx, INSTANCE_VIEWER, 20),
  'a search in whole meetings': (tx) =>
    findBestSegmentPerMeeting({
      db: tx,
      filters: { viewer: INSTANCE_VIEWER },
      termTsQueries: [`'budget'`, `'hiring'`],
      wordsTsQuery: `'budget' & 'hiring'`,
      exactTsQuery: `'budget' & 'hiring'`,
      speakerTsQuery: null,
      excludedIds: [],
    }),
}

for (const [name, read] of Object.entries(READERS)) {
  test(`${name}: found without reading all scheduled meetings`, async () => {
    const count = await countRowsRead(read)
    assert.ok(count < 200, `${name} reads ${count} rows`)
  })
}
