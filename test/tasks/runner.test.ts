import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { NodeMembership } from '../../src/db/nodes/node-membership.ts'
import { createLog } from '../../src/log.ts'
import { createLiveOutputs } from '../../src/tasks/running/live-output.ts'
import type { ExecutionQueue } from '../../src/tasks/running/execution-queue.ts'
import {
  startExecutionRunner,
  type ExecutionRunner,
} from '../../src/tasks/running/execution-runner.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'

const ME = 'node_me'
/** A round asks for the time up to three times: after so many, one has begun and ended. */
const ROUND_ENDS = 6

/** A runner on a real database, at one execution that does not end by itself, while others belong to other nodes. */
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
  /** A node that beat so long ago. */
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
  const beat = (id: string) =>
    db
      .updateTable('node')
      .set({ beat_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
  const world = { steadyMs: 0, rounds: 0 }
  const waiting: string[] = []
  const queue: ExecutionQueue = {
    enqueue: async () => undefined,
    enqueueMissing: async () => [],
    dequeue: async (_, count) => waiting.splice(0, count),
  }
  const presence: NodeMembership = {
    nodeId: ME,
    isOnlyNode: () => false,
    broadcast: () => undefined,
    onMessage: () => undefined,
    onNodeLost: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }
  const start = () =>
    startExecutionRunner({
      db,
      log: createLog('silent'),
      presence,
      queue,
      outputs: createLiveOutputs(presence),
      concurrency: 1,
      time: async () => now,
      // Read at the start of every round.
      monotonicMs: () => {
        world.rounds += 1
        return world.steadyMs
      },
      execute: (_, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    })
  const opened = stack.move()
  let runner: ExecutionRunner | null = null
  return {
    waiting,
    addExecution,
    addNode,
    beat,
    start: () => (runner = opened.use(start())),
    /** So much time passes, and the runner has looked at least once since. */
    async pass(ms: number): Promise<void> {
      world.steadyMs += ms
      const { rounds } = world
      await eventually(() => {
        runner?.wake()
        return world.rounds > rounds + ROUND_ENDS ? true : null
      })
    },
    async statusOf(id: string): Promise<string> {
      const row = db.selectFrom('execution').select('status').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).status
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('a node never gives up what it is at itself, and what others are at only when it can tell', async () => {
  await using nodes = await openWorld()
  // As after a database that was away: nobody has beaten, and one node is gone for good.
  await nodes.addNode(ME, 20)
  await nodes.addNode('node_silent', 20)
  const mine = await nodes.addExecution(null)
  const silent = await nodes.addExecution('node_silent')
  const gone = await nodes.addExecution('node_gone')
  nodes.waiting.push(mine)
  const runner = nodes.start()
  await eventually(() => (runner.runningCount() === 1 ? true : null))
  await nodes.pass(20_000)
  const statuses = () => Promise.all([mine, silent, gone].map(nodes.statusOf))
  assert.deepEqual(await statuses(), ['running', 'running', 'running'])
  await nodes.beat(ME)
  await nodes.pass(20_000)
  assert.deepEqual(await statuses(), ['running', 'stale', 'stale'])
  assert.equal(runner.runningCount(), 1)
})
