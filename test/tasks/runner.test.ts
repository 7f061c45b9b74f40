import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { NodeMembership } from '../../src/db/nodes/node-membership.ts'
import { createLog } from '../../src/log.ts'
import {
  startExecutionRunner,
  type ExecutionRunner,
} from '../../src/tasks/running/execution-runner.ts'
import { createLiveOutputs } from '../../src/tasks/running/live-output.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'

const THIS_NODE = 'node_me'
/** A heartbeat this far in the future stays fresh for the whole test. */
const FAR_AHEAD_SECONDS = 3_600
/** A round reads the time up to three times, so after this many reads a complete round has passed. */
const READS_FOR_ONE_ROUND = 6

/** A runner on a real database. Its executions run until they are aborted, and other nodes can own executions. */
async function openWorld() {
  await using stack = new AsyncDisposableStack()
  const { db } = stack.use(await openTestDatabase())
  const now = new Date()
  const task = { prompt_name: 'p', timezone: 'UTC', enabled: true, timeout_ms: 1_000 }
  await db
    .insertInto('task')
    .values({ ...task, id: 'task_a', name: 'a', created_at: now, updated_at: now })
    .execute()
  let number = 0
  const addExecution = async (owner: string | null): Promise<string> => {
    number += 1
    const id = `execution_${number}`
    const kind = { execution_type: 'on_demand', trigger_type: 'manual', status: 'running' } as const
    const times = { created_at: now, started_at: now, missed: 0, is_catch_up: false }
    await db
      .insertInto('execution')
      .values({ ...kind, ...times, id, task_id: 'task_a', number, owner })
      .execute()
    return id
  }
  /** Adds a node whose last heartbeat was this long ago. */
  const addNode = async (id: string, secondsAgo: number) => {
    const beat_at = sql<Date>`now() - make_interval(secs => ${secondsAgo})`
    await db
      .insertInto('node')
      .values({
        id,
        lock_number: (number += 1),
        bots: 0,
        practice_bots: 0,
        beat_at,
        back_since: null,
      })
      .execute()
  }
  const beat = (id: string, secondsAgo = 0) =>
    db
      .updateTable('node')
      .set({ beat_at: sql<Date>`now() - make_interval(secs => ${secondsAgo})` })
      .where('id', '=', id)
      .execute()
  const world = { steadyMs: 0, timeReads: 0 }
  const membership: NodeMembership = {
    nodeId: THIS_NODE,
    hasRole: () => true,
    hasMasterKey: true,
    isOnlyNode: () => false,
    hasFreshHeartbeat: () => true,
    requireFreshHeartbeat: async () => undefined,
    heartbeatAgeMs: () => 0,
    announceDocuments: async () => {},
    broadcast: () => undefined,
    send: () => undefined,
    onMessage: () => undefined,
    onNodeLost: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }
  const start = () =>
    startExecutionRunner({
      db,
      log: createLog('silent'),
      membership,
      outputs: createLiveOutputs(membership),
      graceOver: AbortSignal.abort(),
      concurrency: 1,
      clock: { now: () => now },
      // Read at the start of every round.
      monotonicMs: () => {
        world.timeReads += 1
        return world.steadyMs
      },
      execute: (_, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    })
  const opened = stack.move()
  let runner: ExecutionRunner | null = null
  return {
    addExecution,
    addNode,
    beat,
    start: () => (runner = opened.use(start())),
    /** Advances the time and waits until the runner has completed a round. */
    async pass(ms: number): Promise<void> {
      world.steadyMs += ms
      const { timeReads } = world
      await eventually(() => {
        runner?.wake()
        return world.timeReads > timeReads + READS_FOR_ONE_ROUND ? true : null
      })
    },
    async statusOf(id: string): Promise<string> {
      const row = db.selectFrom('execution').select('status').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).status
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('a node never marks its own running executions stale, and those of others only while its heartbeat is current', async () => {
  await using nodes = await openWorld()
  await nodes.addNode(THIS_NODE, -FAR_AHEAD_SECONDS)
  const mine = await nodes.addExecution(null)
  const runner = nodes.start()
  await eventually(() => (runner.runningCount() === 1 ? true : null))
  // As after a database outage: no node has a fresh heartbeat, and one node no longer exists.
  await nodes.beat(THIS_NODE, 20)
  await nodes.addNode('node_silent', 20)
  const silent = await nodes.addExecution('node_silent')
  const gone = await nodes.addExecution('node_gone')
  await nodes.pass(20_000)
  const statuses = () => Promise.all([mine, silent, gone].map(nodes.statusOf))
  assert.deepEqual(await statuses(), ['running', 'running', 'running'])
  await nodes.beat(THIS_NODE)
  await nodes.pass(20_000)
  assert.deepEqual(await statuses(), ['running', 'stale', 'stale'])
  assert.equal(runner.runningCount(), 1)
})

test('a node whose heartbeat in the database is late claims no queued executions', async () => {
  await using nodes = await openWorld()
  await nodes.addNode(THIS_NODE, 20)
  await nodes.addExecution(null)
  const runner = nodes.start()
  await nodes.pass(20_000)
  assert.equal(runner.runningCount(), 0)
  await nodes.beat(THIS_NODE, -FAR_AHEAD_SECONDS)
  await eventually(() => {
    runner.wake()
    return runner.runningCount() === 1 ? true : null
  })
})
