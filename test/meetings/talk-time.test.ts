import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTalkTimeReader } from '../../src/meetings/reading/talk-time.ts'
import { openTestDatabase } from '../support/database/test-database.ts'

test('cached talk time that is updated in several reads equals talk time that is read once', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await sql`insert into meeting (id, platform, url, room, label, project, callback_url, options, status, started_at)
    values ('m', 'practice', '', '', 'Talk', 'api', '', '{}', 'live', now())`.execute(db)
  const insertSegments = (from: number, to: number) =>
    sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at)
      select 'm', i, i::text, 'Speaker ' || i % 3, repeat('word ', 1 + i % 7),
        now() + make_interval(secs => i + 5 * (i % 2)) from generate_series(${from}::int, ${to}::int) as i`.execute(
      db,
    )
  const caching = createTalkTimeReader(db)
  assert.deepEqual(await caching.read('m'), [])
  for (const [from, to] of [
    [1, 1],
    [2, 1500],
    [1501, 2500],
  ] as const) {
    await insertSegments(from, to)
    const cached = await caching.read('m')
    assert.deepEqual(cached, await createTalkTimeReader(db).read('m'))
    assert.equal(
      cached.reduce((sum, { segments }) => sum + segments, 0),
      to,
    )
  }
})
