import { strict as assert } from 'node:assert'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { DATABASE_TIME_LIMIT_PRESETS, connectToDatabase } from '../../src/db/database.ts'
import { openNodeMembership } from '../../src/db/nodes/node-membership.ts'
import { isTransientDatabaseError } from '../../src/db/transient-errors.ts'
import { createLog } from '../../src/log.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { openDatabaseProxy } from '../support/database/database-proxy.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { eventually } from '../support/time/eventually.ts'

const log = createLog('silent')
/** These tests are about a service that cannot reach its database. */
const SERVICE_CONNECT = { databaseConnectMs: DATABASE_TIME_LIMIT_PRESETS.service.connect }

// These tests wait most of the time.
void suite('a dropped link', { concurrency: true }, () => {
  void test('a node whose link to the database drops accepts nothing, and serves again when the link is back', async () => {
    await using created = await createTestDatabase()
    await using proxy = await openDatabaseProxy(created.url)
    await using service = await startService({ DATABASE_URL: proxy.url }, SERVICE_CONNECT)
    const program = await openMeetingsClient(service)
    const attended = await program.start('practice://standup?speed=1')
    await program.waitForStatus(attended, ['live'])
    const readiness = async () => {
      const { status, body } = await service.anonymousClient().get('/readyz')
      const rows = body['checks'] as Array<{ name: string; ok: boolean }>
      return { status, failed: rows.filter(({ ok }) => !ok).map(({ name }) => name) }
    }

    proxy.stopForwarding()
    await using stack = new AsyncDisposableStack()
    // A node needs its database to shut down.
    stack.defer(async () => proxy.resumeForwarding())
    await eventually(async () => ((await readiness()).failed.includes('heartbeat') ? true : null))
    const body = { url: 'practice://standup', callbackUrl: 'http://127.0.0.1:9/hook' }
    const refused = await program.post('/start', body)
    assert.deepEqual([refused.status, refused.body.code], [503, 'database_unavailable'])
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)

    proxy.resumeForwarding()
    await eventually(async () => ((await readiness()).status === 200 ? true : null))
    const meetingId = await program.start('practice://host-ends?speed=1000')
    await program.waitForStatus(meetingId, ['ended'])
    const { body: detail } = await program.get(`/${attended}`)
    assert.partialDeepStrictEqual(detail['meeting'], { visits: 1 })
  })

  void test('a node has no fresh heartbeat while its link is dropped, and one soon after it is back', async () => {
    await using created = await createTestDatabase()
    await using proxy = await openDatabaseProxy(created.url)
    await using stack = new AsyncDisposableStack()
    const { db, pool, close } = await connectToDatabase(
      { connectionString: proxy.url },
      { max: 2, log, isRemote: true, timeLimits: DATABASE_TIME_LIMIT_PRESETS.service },
    )
    stack.defer(close)
    const capacity = { bots: 0, practiceBots: 1 }
    const node = stack.use(
      await openNodeMembership({ db, pool, log, capacity, ownsDatabase: false }),
    )
    stack.defer(async () => proxy.resumeForwarding())
    assert.equal(node.hasFreshHeartbeat(), true)
    proxy.stopForwarding()
    await eventually(() => (node.hasFreshHeartbeat() ? null : true))
    await assert.rejects(node.requireFreshHeartbeat(), { code: 'database_unavailable' })
    proxy.resumeForwarding()
    await eventually(() => node.hasFreshHeartbeat() || null)
    await node.requireFreshHeartbeat()
  })

  void test('a connection that is opened while the link is dropped is answered when the link is back', async () => {
    await using created = await createTestDatabase()
    await using proxy = await openDatabaseProxy(created.url)
    proxy.stopForwarding()
    const client = new Client({ connectionString: proxy.url })
    await using stack = new AsyncDisposableStack()
    stack.defer(() => client.end())
    const connected = client.connect()
    await proxy.waitForConnection()
    proxy.resumeForwarding()
    await connected
    const { rows } = await client.query('select 1 as answer')
    assert.deepEqual(rows, [{ answer: 1 }])
  })

  void test('a node whose first heartbeat fails keeps no connection', async () => {
    await using created = await createTestDatabase()
    const { db, pool, close } = await connectToDatabase(
      { connectionString: created.url },
      { max: 2, log },
    )
    await using stack = new AsyncDisposableStack()
    stack.defer(close)
    await pool.query('alter table node rename to renamed_node')
    const capacity = { bots: 0, practiceBots: 1 }
    const opening = openNodeMembership({ db, pool, log, capacity, ownsDatabase: false })
    await assert.rejects(opening, /relation "node" does not exist/)
    assert.equal(pool.totalCount, pool.idleCount)
  })

  void test('a statement without an answer fails, and one that may take long does not', async () => {
    await using created = await createTestDatabase()
    const answer = { ...DATABASE_TIME_LIMIT_PRESETS.service.answer, ordinary: 3_000 }
    const { pool, longRunning, close } = await connectToDatabase(
      { connectionString: created.url },
      { max: 4, log, timeLimits: { ...DATABASE_TIME_LIMIT_PRESETS.service, answer } },
    )
    await using stack = new AsyncDisposableStack()
    stack.defer(close)
    const [ordinary, long, notCut] = await Promise.allSettled([
      pool.query('select pg_sleep(600)'),
      longRunning.query('select 1 as done from pg_sleep(7)'),
      longRunning.db.selectFrom('meeting').select('id').execute(),
    ])
    assert.ok(ordinary.status === 'rejected' && isTransientDatabaseError(ordinary.reason))
    assert.deepEqual(long.status === 'fulfilled' && long.value.rows, [{ done: 1 }])
    assert.equal(notCut.status, 'fulfilled')
    // A connection that ran a long statement has the ordinary limit again.
    await assert.rejects(pool.query('select pg_sleep(600)'), isTransientDatabaseError)
  })

  void test('a node that is paused between two statements of a transaction does not keep its locks', async () => {
    await using created = await createTestDatabase()
    const connect = (betweenStatements: number) => {
      const timeLimits = { ...DATABASE_TIME_LIMIT_PRESETS.service, betweenStatements }
      return connectToDatabase({ connectionString: created.url }, { max: 1, log, timeLimits })
    }
    await using stack = new AsyncDisposableStack()
    const [paused, other] = [await connect(4_000), await connect(60_000)]
    stack.defer(paused.close)
    stack.defer(other.close)
    const lock = sql`lock table node in exclusive mode`
    const [isLocked, isResumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const unfinished = paused.db.transaction().execute(async (tx) => {
      await lock.execute(tx)
      isLocked.resolve()
      await isResumed.promise
      await sql`select 1`.execute(tx)
    })
    await isLocked.promise
    await other.db.transaction().execute((tx) => lock.execute(tx))
    isResumed.resolve()
    await assert.rejects(unfinished, isTransientDatabaseError)
    await sql`select 1`.execute(paused.db)
  })
})
