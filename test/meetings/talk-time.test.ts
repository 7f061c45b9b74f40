import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTalkTimeReader } from '../../src/meetings/reading/talk-time.ts'
import { openTestDatabase } from '../support/database/test-database.ts'

test('talk time that is counted on from look to look is that of somebody who looks for the first time', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await sql`insert into meeting (id, platform, url, room, label, project, callback_url, options, status, started_at)
    values ('m', 'practice', '', '', 'Talk', 'api', '', '{}', 'live', now())`.execute(db)
  const say = (from: number, to: number) =>
    sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at)
      select 'm', i, i::text, 'Speaker ' || i % 3, repeat('word ', 1 + i % 7),
        now() + make_interval(secs => i + 5 * (i % 2)) from generate_series(${from}::int, ${to}::int) as i`.execute(
      db,
    )
  const steady = createTalkTimeReader(db)
  assert.deepEqual(await steady.read('m'), [])
  for (const [from, to] of [
    [1, 1],
    [2, 1500],
    [1501, 2500],
  ] as const) {
    await say(from, to)
    const [known, fresh] = [await steady.read('m'), await createTalkTimeReader(db).read('m')]
    assert.deepEqual(known, fresh)
    assert.equal(
      known.reduce((sum, { segments }) => sum + segments, 0),
      to,
    )
  }
})
