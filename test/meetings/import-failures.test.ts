import { strict as assert } from 'node:assert'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import type { Db } from '../../src/db/database.ts'
import { ServiceError } from '../../src/errors.ts'
import { claimIdempotencyKey, renewIdempotencyClaim } from '../../src/http/pipeline/idempotency.ts'
import { createLog } from '../../src/log.ts'
import {
  writeMissingImportedDocuments,
  createTranscriptImports,
  MAX_RESERVED_IMPORTS,
} from '../../src/meetings/importing/transcript-imports.ts'
import { deleteExpiredMeetings } from '../../src/meetings/removal.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { insertMissingRecaps } from '../../src/recap/store/recap-claims.ts'
import { openTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { openForFile } from '../support/open-for-file.ts'
import { createManualClock } from '../support/time/manual-clock.ts'

const NOW = '2026-11-15T08:30:00.000Z'
const REQUEST = {
  content: 'Ada: Hello\nBen: Good morning\n',
  fileName: null,
  format: null,
  title: 'Talk',
  project: 'api',
  startedAt: new Date('2020-01-01T00:00:00Z'),
  timeZone: null,
  recapLanguage: null,
}

const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const { db } = stack.use(await openTestDatabase())
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'import-'))
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  const log = createLog('silent')
  const problems = {
    documentChanged: () => Promise.resolve(),
    registerProject: (_db: Db) => Promise.resolve(),
    /** The error that the connection reports after a commit that succeeded. */
    lostCommit: null as Error | null,
  }
  const imports = createTranscriptImports({
    closing: new AbortController().signal,
    db: withLostCommits(db, () => problems.lostCommit),
    clock: createManualClock(NOW),
    log,
    files: createFolderDocuments(root),
    timeZone: 'UTC',
    hasDiskSpace: () => true,
    membership: { requireFreshHeartbeat: () => Promise.resolve() },
    documentChanged: () => problems.documentChanged(),
    registerProject: (by) => problems.registerProject(by),
    learnWords: () => undefined,
    onImported: () => undefined,
  })
  const move = stack.move()
  return { db, root, log, imports, problems, [Symbol.asyncDispose]: () => move.disposeAsync() }
})

/** A database whose connections can break right after a commit. */
function withLostCommits(db: Db, lostCommit: () => Error | null): Db {
  return new Proxy(db, {
    get(target, name) {
      if (name !== 'transaction') {
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return () => ({
        execute: async (work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) => {
          const result: unknown = await target.transaction().execute(work)
          const error = lostCommit()
          if (error !== null) throw error
          return result
        },
      })
    },
  })
}

const countMeetings = async () => {
  const { rows } = await sql<{ n: number }>`select (select count(*) from meeting)::int
    + (select count(*) from segment)::int + (select count(*) from event)::int as n`.execute(
    opened().db,
  )
  return rows[0]?.n
}
const removeAll = () => {
  const { db, root, log } = opened()
  const parts = {
    db,
    files: createFolderDocuments(root),
    log,
    documentChanged: () => Promise.resolve(),
  }
  return deleteExpiredMeetings(parts, new Date('2027-12-20T00:00:00Z'), 30)
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

test('an import of a person who lost access while the file was read stores nothing', async () => {
  const { imports, problems, db } = opened()
  problems.registerProject = (by) =>
    by.isTransaction ? Promise.reject(new ServiceError('project_not_found')) : Promise.resolve()
  await assert.rejects(
    imports.add(INSTANCE_VIEWER, REQUEST, null, () => Promise.resolve()),
    { code: 'project_not_found' },
  )
  problems.registerProject = () => Promise.resolve()
  assert.equal(await countMeetings(), 0)
  assert.deepEqual(listFiles(), [])

  const row = { project: 'api', access: 'team' as const, created_by: null }
  await db
    .insertInto('project_access')
    .values({ ...row, created_at: new Date(NOW) })
    .execute()
  const failing = imports.add(INSTANCE_VIEWER, REQUEST, null, async () => {
    // Access to the project cannot change between the check and the commit.
    await assert.rejects(
      sql`select 1 from project_access where project = 'api' for update nowait`.execute(db),
      { code: '55P03' },
    )
    throw new Error('checked')
  })
  await assert.rejects(failing, /checked/)
})

test('a node accepts a limited number of imports at once', () => {
  const { imports } = opened()
  const reserved = Array.from({ length: MAX_RESERVED_IMPORTS }, () => imports.reserve())
  assert.throws(() => imports.reserve(), { code: 'at_capacity' })
  // Returning one of them twice makes room for only one.
  reserved[0]?.()
  reserved[0]?.()
  reserved.push(imports.reserve())
  assert.throws(() => imports.reserve(), { code: 'at_capacity' })
  for (const release of reserved) release()
})

test('an import whose commit was not confirmed keeps its meeting and its document', async () => {
  const { imports, problems, root } = opened()
  const add = imports.add(INSTANCE_VIEWER, REQUEST, null, () => {
    problems.lostCommit = new Error('connection lost')
    return Promise.resolve()
  })
  // The document is written in a separate transaction, whose response is lost too.
  const { meeting } = await add
  problems.lostCommit = null
  assert.match(readFileSync(join(root, meeting.documentPath ?? ''), 'utf8'), /Good morning/)
  await removeAll()
})

test('a document that was not written before a crash is written later', async () => {
  const { imports, root, db, log } = opened()
  const { meeting } = await imports.add(INSTANCE_VIEWER, REQUEST, null, () => Promise.resolve())
  const path = join(root, meeting.documentPath ?? '')
  const complete = readFileSync(path, 'utf8')
  // The state after a crash right after the commit, if the reserved name is also lost.
  rmSync(path)
  await db.updateTable('meeting').set({ document_size: 0 }).execute()
  const changed: string[] = []
  const documentChanged = async (name: string) => void changed.push(name)
  await writeMissingImportedDocuments({
    db,
    files: createFolderDocuments(root),
    log,
    documentChanged,
  })
  assert.equal(readFileSync(path, 'utf8'), complete)
  assert.deepEqual(changed, [meeting.documentPath])
  await writeMissingImportedDocuments({
    db,
    files: createFolderDocuments(root),
    log,
    documentChanged,
  })
  assert.equal(changed.length, 1)
  await removeAll()
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
  assert.match(readFileSync(join(root, meeting.document_path ?? ''), 'utf8'), /Good morning/)
  const parts = {
    db,
    files: createFolderDocuments(root),
    log,
    documentChanged: () => Promise.resolve(),
  }
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

test('a request that renews its Idempotency-Key keeps it for longer than a minute', async () => {
  const { db } = opened()
  const at = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1_000)
  await sql`insert into api_token
      (id, name, key_hash, key_prefix, key_last4, signing_secret, created_at)
    values ('token', 'token', 'x', 'sk_', 'abcd', '', now())`.execute(db)
  const claimAt = (seconds: number) =>
    claimIdempotencyKey(db, at(seconds), 'token', 'long', Buffer.alloc(32))
  const first = await claimAt(0)
  assert.ok(first.kind === 'claimed')
  await renewIdempotencyClaim(db, at(50), first.claim)
  assert.equal((await claimAt(100)).kind, 'in_progress')
  const taken = await claimAt(120)
  assert.equal(taken.kind, 'claimed')
  // The former owner does not get it back.
  await renewIdempotencyClaim(db, at(170), first.claim)
  assert.equal((await claimAt(190)).kind, 'claimed')
})

test('the database refuses an imported meeting that is not over', async () => {
  const { imports, db } = opened()
  const { meeting } = await imports.add(INSTANCE_VIEWER, REQUEST, null, () => Promise.resolve())
  await assert.rejects(
    db
      .updateTable('meeting')
      .where('id', '=', meeting.id)
      .set({ status: 'joining', ended_at: null })
      .execute(),
    /meeting_imported_is_over/,
  )
})
