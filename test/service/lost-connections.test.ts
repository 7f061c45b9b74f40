import { strict as assert } from 'node:assert'
import { suite, test } from 'node:test'
import { connectToDatabase, DATABASE_TIME_LIMIT_PRESETS } from '../../src/db/database.ts'
import { isTransientDatabaseError } from '../../src/db/transient-errors.ts'
import { createLog } from '../../src/log.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { openDatabaseProxy } from '../support/database/database-proxy.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'

const timeLimits = DATABASE_TIME_LIMIT_PRESETS.service
/** Longer than two connection checks take. */
const LONG_SECONDS = 7

/** A pool of connections through a proxy that can drop them. */
async function openPoolBehindProxy() {
  await using stack = new AsyncDisposableStack()
  const created = stack.use(await createTestDatabase())
  const proxy = stack.use(await openDatabaseProxy(created.url))
  const { pool, close } = await connectToDatabase(
    { connectionString: proxy.url },
    { max: 4, log: createLog('silent'), isRemote: true, timeLimits },
  )
  stack.defer(close)
  const opened = stack.move()
  return { pool, proxy, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

// These tests wait most of the time.
void suite('lost connections', { concurrency: true }, () => {
  void test('a silently lost connection is closed, and a slow query is not interrupted', async () => {
    await using setting = await openPoolBehindProxy()
    const { pool, proxy } = setting
    // This query occupies its connection, so the next query uses another one.
    const client = await pool.connect()
    const lost = client.query('select pg_sleep(600)').then(
      () => null,
      (error: unknown) => error,
    )
    assert.ok(proxy.loseServerConnections() > 0)
    const long = pool.query<{ done: number }>(`select 1 as done from pg_sleep(${LONG_SECONDS})`)
    assert.deepEqual((await long).rows, [{ done: 1 }])
    const error = await lost
    assert.ok(isTransientDatabaseError(error), String(error))
    client.release(true)
  })

  void test('a connection on which a statement or its answer was lost is closed, and a slow query is not interrupted', async () => {
    await using setting = await openPoolBehindProxy()
    const { pool, proxy } = setting
    const client = await pool.connect()
    await client.query('begin')
    proxy.silenceOpenConnections()
    const lost = client.query('select 1').then(
      () => null,
      (error: unknown) => error,
    )
    const long = pool.query<{ done: number }>(`select 1 as done from pg_sleep(${LONG_SECONDS})`)
    const error = await lost
    assert.ok(isTransientDatabaseError(error), String(error))
    client.release(true)
    assert.deepEqual((await long).rows, [{ done: 1 }])
  })

  void test('meetings and callbacks continue after all database connections are lost silently', async () => {
    await using created = await createTestDatabase()
    await using proxy = await openDatabaseProxy(created.url)
    await using service = await startService(
      { DATABASE_URL: proxy.url },
      { databaseConnectMs: timeLimits.connect },
    )
    const program = await openMeetingsClient(service)
    await using receiver = await openRecordingReceiver(program.signingSecret)
    const start = () => program.start('practice://long?speed=5', { callbackUrl: receiver.url })
    const ids = await Promise.all([start(), start()])
    for (const id of ids) await program.waitForStatus(id, ['live'])
    assert.ok(proxy.loseServerConnections() > 0)
    const before = new Map(ids.map((id) => [id, durable(receiver.callsFor(id))]))
    await receiver.waitUntil(() =>
      ids.every((id) => durable(receiver.callsFor(id)) > (before.get(id) ?? 0) + 2),
    )
    for (const id of ids) {
      const { body } = await program.get(`/${id}`)
      assert.equal((body['meeting'] as { visits: number }).visits, 1)
    }
  })
})

function durable(calls: ReadonlyArray<{ event: { type: string } }>): number {
  return calls.filter(({ event }) => event.type !== 'caption_partial').length
}
