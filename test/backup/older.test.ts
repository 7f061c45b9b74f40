import { strict as assert } from 'node:assert'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { migrateDatabase, readPendingMigrations } from '../../src/db/migrate.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { backUpTo, writeFileIn, restoreTo } from './backup-helpers.ts'

test('a backup of an older version is restored with its migrations and then migrated to this version', async () => {
  const scratch = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'older-'))
  await using older = await createTestDatabase({ empty: true })
  const { db, close } = await connectToDatabase(
    { connectionString: older.url },
    { max: 2, log: createLog('silent') },
  )
  await migrateDatabase(db, '0002-meetings')
  const path = 'deployed-md-files/docs/api/meetings/2026-01-02 0304 - Old.md'
  await sql`insert into meeting (id, platform, url, room, label, project, document_path, callback_url, options,
      status, started_at, segment_count)
    values ('meeting_1_old', 'practice', 'practice://long', 'r', 'Old', 'api', ${path}, 'http://127.0.0.1:9/', '{}',
      'live', now(), 1)`.execute(db)
  await sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at)
    values ('meeting_1_old', 1, 'c1', 'Ana', 'Said long ago', now())`.execute(db)
  await close()
  const oldData = join(scratch, 'older-data')
  writeFileIn(oldData, path, 'begun')
  const old = join(scratch, 'older.tar.gz')
  await backUpTo(older.url, oldData, old)

  await using empty = await createTestDatabase({ empty: true })
  const data = join(scratch, 'older-restored')
  const { manifest } = await restoreTo(empty.url, data, old)
  assert.deepEqual(manifest.migrations, ['0001-accounts', '0002-meetings'])
  // This version rewrites the document of an active meeting.
  assert.match(readFileSync(join(data, path), 'utf8'), /Said long ago/)
  const restored = await connectToDatabase(
    { connectionString: empty.url },
    { max: 2, log: createLog('silent') },
  )
  assert.deepEqual(await readPendingMigrations(restored.db), [])
  const { rows } = await sql<{ found: boolean }>`
    select words @@ 'long'::tsquery as found from segment`.execute(restored.db)
  assert.deepEqual(rows, [{ found: true }])
  await restored.close()
})
