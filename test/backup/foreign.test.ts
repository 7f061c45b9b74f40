import { strict as assert } from 'node:assert'
import { existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { Client } from 'pg'
import { connectToDatabase } from '../../src/db/database.ts'
import {
  listTablesCreatedByMigrations,
  migrateDatabase,
  MIGRATOR_TABLES,
  readPendingMigrations,
} from '../../src/db/migrate.ts'
import { createLog } from '../../src/log.ts'
import { readRestoreMarker } from '../../src/storage/data-folder.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { startService } from '../support/service/start-service.ts'
import { backUpTo, isOperatorError, restoreTo, readAllRows, writeFileIn } from './backup-helpers.ts'

const PUBLIC_TABLES = `select relname::text as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`

let scratch: string
let file: string

before(async () => {
  scratch = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'foreign-'))
  file = join(scratch, 'one.tar.gz')
  await using source = await createTestDatabase()
  await query(
    source.url,
    `create table invoice (id serial primary key)`,
    `insert into invoice default values`,
  )
  await backUpTo(source.url, join(scratch, 'source'), file)
})

test('every migration creates exactly the tables listed for it', async () => {
  await using empty = await createTestDatabase({ empty: true })
  const { db, close } = await connectToDatabase(
    { connectionString: empty.url },
    { max: 2, log: createLog('silent') },
  )
  const names = await readPendingMigrations(db)
  for (const [i, name] of names.entries()) {
    await migrateDatabase(db, name)
    const [rows] = await query(empty.url, PUBLIC_TABLES)
    const expected = [
      ...MIGRATOR_TABLES,
      ...(await listTablesCreatedByMigrations(names.slice(0, i + 1))),
    ].toSorted()
    assert.deepEqual(rows, expected, name)
  }
  await close()
})

/** Objects of another program that conflict with Hansard's names. A refused restore must not change them. */
const NAME_CONFLICTS: Record<string, [RegExp, ...string[]]> = {
  'a foreign table with one of Hansard’s names': [
    /table public\.audit with a name that Hansard needs/,
    'create table audit (id int)',
    'insert into audit values (1)',
  ],
  'a foreign view with one of Hansard’s names': [
    /view public\.task with a name that Hansard needs/,
    'create view task as select 1 as one',
  ],
  'migrations of another program': [
    /table public\.kysely_migration with a name that Hansard needs/,
    'create table kysely_migration (name text, timestamp text)',
    `insert into kysely_migration values ('theirs', 'x')`,
  ],
}

for (const [what, [expectedError, ...statements]] of Object.entries(NAME_CONFLICTS)) {
  test(`a restore into a database with ${what} is refused even when forced`, async () => {
    await using used = await createTestDatabase({ empty: true })
    await query(used.url, ...statements)
    const before = await readAllRows(used.url)
    const data = join(scratch, 'conflict')
    for (const isForced of [false, true]) {
      await assert.rejects(
        restoreTo(used.url, data, file, isForced),
        isOperatorError(expectedError),
      )
      assert.equal(readRestoreMarker(data), null)
    }
    assert.deepEqual(await readAllRows(used.url), before)
  })
}

const FOREIGN: Record<string, [string, string]> = {
  'table public.invoice': [
    'create table invoice (id serial primary key)',
    "select nextval(pg_get_serial_sequence('invoice', 'id'))::text as name",
  ],
  'function public.theirs': [
    `create function theirs() returns int language sql as 'select 7'`,
    'select theirs()::text as name',
  ],
  'table shop.article': [
    'create schema shop create table article (id int)',
    'select count(*)::text as name from shop.article',
  ],
  'type public.colour': [
    `create type colour as enum ('red')`,
    `select 'red'::colour::text as name`,
  ],
}

for (const [what, [statement]] of Object.entries(FOREIGN)) {
  test(`a ${what} of another program blocks a restore`, async () => {
    await using used = await createTestDatabase({ empty: true })
    await query(used.url, statement)
    await assert.rejects(
      restoreTo(used.url, join(scratch, what.replace(' ', '-')), file),
      isOperatorError(
        new RegExp(`Another program uses this database \\(${what.replace('.', '\\.')}\\)`),
      ),
    )
    assert.deepEqual(
      await query(used.url, `select to_regclass('kysely_migration')::text as name`),
      [[null]],
    )
  })
}

test('a forced restore keeps everything of other programs', async () => {
  await using used = await createTestDatabase({ empty: true })
  const statements = Object.values(FOREIGN).map(([statement]) => statement)
  await query(used.url, ...statements)
  const checks = Object.values(FOREIGN).map(([, check]) => check)
  const [, ...first] = await query(used.url, ...checks)
  for (const again of ['into it', 'over itself']) {
    const done = await restoreTo(used.url, join(scratch, 'foreign'), file, true)
    assert.equal(done.rows['invoice'], undefined, again)
  }
  // The sequence of the first check has advanced by one. Everything else is unchanged.
  assert.deepEqual(await query(used.url, ...checks), [['2'], ...first])
})

test('a forced restore does not drop views of other programs on Hansard’s tables', async () => {
  await using used = await createTestDatabase()
  const data = join(scratch, 'dependent-view')
  await query(
    used.url,
    'create schema report',
    'create view report.people as select name from app_user',
  )
  await assert.rejects(
    restoreTo(used.url, data, file, true),
    isOperatorError(/depends on Hansard's tables: view report\.people/),
  )
  assert.equal(readRestoreMarker(data), null)
  const [rows] = await query(used.url, 'select name from kysely_migration')
  assert.ok((rows?.length ?? 0) > 0)
})

test('a restore into a started but unused instance replaces its tables', async () => {
  await using used = await createTestDatabase({ empty: true })
  const data = join(scratch, 'started')
  writeFileIn(join(scratch, 'before'), 'restore.part/deployed-md-files/x', '')
  {
    await using service = await startService({
      DATABASE_URL: used.url,
      HANSARD_DATA: join(scratch, 'before'),
    })
    assert.notEqual(service.setupLink, null)
    // The service removes the leftovers of a killed restore.
    assert.ok(!existsSync(join(scratch, 'before/restore.part')))
  }
  await restoreTo(used.url, data, file)
  assert.ok(!existsSync(join(data, 'restore-unfinished.json')))
})

/** Runs statements and returns the `name` column of each result. */
async function query(url: string, ...statements: string[]): Promise<(string | null)[][]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const answers = []
  for (const statement of statements) {
    const { rows } = await client.query<{ name: string | null }>(statement)
    answers.push(rows.map(({ name }) => name))
  }
  await client.end()
  return answers
}
