import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../test/support/database/test-database.ts'
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

test('the job queue of earlier versions is dropped, but not that of another program', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const isThere = async () => {
    const { rows } = await sql<{ isThere: boolean }>`
      select to_regclass('pgboss.queue') is not null as "isThere"`.execute(db)
    return rows[0]?.isThere
  }
  for (const [queues, stays] of [
    [`('executions'), ('upkeep'), ('__pgboss__send-it')`, false],
    [`('executions'), ('mails')`, true],
    [`('__pgboss__send-it')`, true],
  ] as const) {
    await sql`create schema if not exists pgboss`.execute(db)
    await sql`drop table if exists pgboss.queue`.execute(db)
    await sql`create table pgboss.queue (name text)`.execute(db)
    await sql`insert into pgboss.queue values ${sql.raw(queues)}`.execute(db)
    await findMigration('0036-no-job-tables').up(db)
    assert.equal(await isThere(), stays, queues)
  }
})
