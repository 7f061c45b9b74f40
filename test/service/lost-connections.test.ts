import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openDatabase } from '../../src/db/database.ts'
import { isTransient } from '../../src/db/transient-errors.ts'
import { createLog } from '../../src/log.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { openDatabaseProxy } from '../support/database/database-proxy.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'

/** Longer than it takes to look at the connections twice. */
const LONG_SECONDS = 7

test('a connection that was lost without a word is ended, one that only takes long is not', async () => {
  await using made = await createTestDatabase()
  await using line = await openDatabaseProxy(made.url)
  const { pool, close } = await openDatabase(
    { connectionString: line.url },
    { max: 4, log: createLog('silent'), isRemote: true },
  )
  await using stack = new AsyncDisposableStack()
  stack.defer(close)
  // Its connection is busy, so that what comes after has one of its own.
  const client = await pool.connect()
  const lost = client.query('select pg_sleep(600)').then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(line.loseServerConnections() > 0)
  const long = pool.query<{ done: number }>(`select 1 as done from pg_sleep(${LONG_SECONDS})`)
  assert.deepEqual((await long).rows, [{ done: 1 }])
  const error = await lost
  assert.ok(isTransient(error), String(error))
  client.release(true)
})

test('meetings and callbacks go on after all connections to the database were lost without a word', async () => {
  await using made = await createTestDatabase()
  await using line = await openDatabaseProxy(made.url)
  await using service = await startService({ DATABASE_URL: line.url })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const start = () => program.start('practice://standup?speed=1', { callbackUrl: receiver.url })
  const ids = await Promise.all([start(), start(), start(), start()])
  for (const id of ids) await program.reaches(id, ['live'])
  assert.ok(line.loseServerConnections() > 0)
  const before = new Map(ids.map((id) => [id, durable(receiver.callsFor(id))]))
  await receiver.waitUntil(() =>
    ids.every((id) => durable(receiver.callsFor(id)) > (before.get(id) ?? 0) + 2),
  )
  for (const id of ids) {
    const { body } = await program.get(`/${id}`)
    assert.equal((body['meeting'] as { visits: number }).visits, 1)
  }
})

function durable(calls: ReadonlyArray<{ event: { type: string } }>): number {
  return calls.filter(({ event }) => event.type !== 'caption_partial').length
}
