import { strict as assert } from 'node:assert'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { Client } from 'pg'
import { connectToDatabase } from '../../src/db/database.ts'
import { migrateDatabase } from '../../src/db/migrate.ts'
import { createLog } from '../../src/log.ts'
import type { UpgradeCheck } from '../../src/operations/upgrade/check-upgrade.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'

async function query<T>(url: string, text: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows as T[]
  } finally {
    await client.end()
  }
}

const READ_ALL = `select name from kysely_migration union all
  select table_name || column_name from information_schema.columns where table_schema = 'public' order by 1`

test('upgrade --check names pending migrations and the tables they change, and changes nothing', async () => {
  await using database = await createTestDatabase({ empty: true })
  await using folder = createTestDataFolder()
  const env = { ...folder.env, DATABASE_URL: database.url }
  const upgrade = (...args: string[]) => runLoadedCommand(['upgrade', ...args], env)
  const opened = await connectToDatabase(
    { connectionString: database.url },
    { max: 2, log: createLog('silent') },
  )
  await migrateDatabase(opened.db, '0028-recap-gists')
  await opened.close()
  await query(database.url, 'create schema pgboss')
  await query(database.url, `create table pgboss.queue as select 'upkeep' as name`)
  await query(database.url, 'analyze segment')
  const before = await query(database.url, READ_ALL)

  const text = await upgrade('--check')
  assert.equal(text.code, 3, text.stderr)
  assert.match(text.stdout, /after 0028-recap-gists\n/)
  assert.match(text.stdout, / {2}0030-speech\n {4}changes segment: about 0 rows, \d+ MB\n/)

  const json = await upgrade('--check', '--json')
  assert.equal(json.code, 3)
  const check = JSON.parse(json.stdout) as UpgradeCheck
  assert.equal(check.state, 'pending')
  assert.deepEqual(check.pending.map(({ name }) => name).slice(0, 2), [
    '0029-exact-undo',
    '0030-speech',
  ])
  assert.equal(check.pending[1]?.tables[0]?.name, 'segment')
  assert.deepEqual(await query(database.url, READ_ALL), before)

  await query(database.url, `insert into kysely_migration values ('9999-future', 'now')`)
  const refused = await upgrade('--check', '--json')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /migrated by a newer version of Hansard \(9999-future\)/)
})

test('upgrade --check says when there is nothing to migrate', async () => {
  await using database = await createTestDatabase()
  await using folder = createTestDataFolder()
  const env = { ...folder.env, DATABASE_URL: database.url }
  const upgrade = (...args: string[]) => runLoadedCommand(['upgrade', ...args], env)
  const current = await upgrade('--check', '--json')
  assert.equal(current.code, 0, current.stderr)
  assert.equal((JSON.parse(current.stdout) as UpgradeCheck).state, 'current')
})

test('upgrade --check creates no embedded database', async () => {
  await using folder = createTestDataFolder()
  const upgrade = (...args: string[]) => runLoadedCommand(['upgrade', ...args], folder.env)
  const { code, stdout } = await upgrade('--check')
  assert.equal(code, 0)
  assert.match(stdout, /Nothing to migrate: the first start creates the tables/)
  assert.equal(existsSync(folder.data), false)
  assert.equal((await upgrade()).code, 2)
})
