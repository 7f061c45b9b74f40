import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { findTouchedTables, findMigration } from './migrate.ts'

test('the tables of a migration are those that its statements change', async () => {
  const statements = [
    'create table made (id text primary key)',
    'alter table meeting add column a text',
    'ALTER TABLE IF EXISTS ONLY "event" drop column b',
    `-- why\n  update\n segment set a = 1 from meeting`,
    'insert into public.token select 1',
    'create unique index a_b on delivery (a)',
    'select 1 from users',
  ]
  const touched = await findTouchedTables({
    up: async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  })
  assert.deepEqual(touched, ['meeting', 'event', 'segment', 'token', 'delivery'])
})

test('the tables of released migrations are found without a database', async () => {
  assert.deepEqual(await findTouchedTables(findMigration('0030-speech')), ['segment'])
  assert.deepEqual(await findTouchedTables(findMigration('0025-meeting-edits')), [
    'meeting',
    'segment',
  ])
})
