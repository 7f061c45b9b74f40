import { strict as assert } from 'node:assert'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import { createLog } from '../../src/log.ts'
import { createTranscriptImports } from '../../src/meetings/importing/transcript-imports.ts'
import { deleteExpiredMeetings } from '../../src/meetings/removal/retention.ts'
import { insertMissingRecaps } from '../../src/recap/store/recap-claims.ts'
import { createManualClock } from '../support/time/manual-clock.ts'
import { openTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { openForFile } from '../support/open-for-file.ts'

const NOW = '2026-11-15T08:30:00.000Z'
const REQUEST = {
  content: 'Ada: Hello\nBen: Good morning\n',
  fileName: null,
  format: null,
  title: 'Talk',
  project: 'api',
  startedAt: new Date('2020-01-01T00:00:00Z'),
  timeZone: null,
}

const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const { db } = stack.use(await openTestDatabase())
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'import-'))
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  const log = createLog('silent')
  const problems = { documentChanged: () => Promise.resolve() }
  const imports = createTranscriptImports({
    db,
    clock: createManualClock(NOW),
    log,
    root,
    timeZone: 'UTC',
    hasDiskSpace: () => true,
    membership: { requireFreshHeartbeat: () => Promise.resolve() },
    documentChanged: () => problems.documentChanged(),
    registerProject: () => Promise.resolve(),
    learnWords: () => undefined,
    onImported: () => undefined,
  })
  const move = stack.move()
  return { db, root, log, imports, problems, [Symbol.asyncDispose]: () => move.disposeAsync() }
})

const countMeetings = async () => {
  const { rows } = await sql<{ n: number }>`select (select count(*) from meeting)::int
    + (select count(*) from segment)::int + (select count(*) from event)::int as n`.execute(
    opened().db,
  )
  return rows[0]?.n
}
const listFiles = () =>
  readdirSync(opened().root, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ name }) => name)

test('an import that is rolled back leaves no meeting and no document', async () => {
  const { imports } = opened()
  const failing = imports.add(INSTANCE_VIEWER, REQUEST, null, () => {
    assert.equal(listFiles().length, 1)
    return Promise.reject(new Error('no'))
  })
  await assert.rejects(failing, /no/)
  assert.equal(await countMeetings(), 0)
  assert.deepEqual(listFiles(), [])
})

test('a failure after the commit keeps the meeting and its document', async () => {
  const { imports, problems, root, db, log } = opened()
  problems.documentChanged = () => Promise.reject(new Error('index failed'))
  await assert.rejects(
    imports.add(INSTANCE_VIEWER, REQUEST, null, () => Promise.resolve()),
    /index failed/,
  )
  problems.documentChanged = () => Promise.resolve()
  const meeting = await db
    .selectFrom('meeting')
    .select(['id', 'document_path'])
    .executeTakeFirstOrThrow()
  assert.ok(existsSync(join(root, meeting.document_path ?? '')))
  const parts = { db, root, log, documentChanged: () => Promise.resolve() }
  assert.equal(await deleteExpiredMeetings(parts, new Date('2026-11-20T00:00:00Z'), 30), 0)
  assert.equal(await deleteExpiredMeetings(parts, new Date('2026-12-20T00:00:00Z'), 30), 1)
  assert.equal(await countMeetings(), 0)
})

test('an old meeting gets a recap for as long after its import as another after its end', async () => {
  const { imports, db } = opened()
  await imports.add(INSTANCE_VIEWER, REQUEST, null, () => Promise.resolve())
  const countRecaps = async () =>
    (await db.selectFrom('recap').select('meeting_id').execute()).length
  await insertMissingRecaps(db, new Date('2026-11-23T00:00:00Z'))
  assert.equal(await countRecaps(), 0)
  await insertMissingRecaps(db, new Date('2026-11-16T00:00:00Z'))
  assert.equal(await countRecaps(), 1)
})

test('the database refuses an imported meeting that is not over', async () => {
  const { db } = opened()
  await assert.rejects(
    db.updateTable('meeting').set({ status: 'joining', ended_at: null }).execute(),
    /meeting_imported_is_over/,
  )
})
