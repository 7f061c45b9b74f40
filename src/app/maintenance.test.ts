import { strict as assert } from 'node:assert'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { insertLiveNodes } from '../../test/support/database/live-nodes.ts'
import { openTestDatabase } from '../../test/support/database/test-database.ts'
import { eventually } from '../../test/support/time/eventually.ts'
import { createLog } from '../log.ts'
import { startMaintenance } from './maintenance.ts'

test('the first node that runs tasks does the maintenance, and a failed job does not stop the next', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const addNode = (id: string, roles: string, secondsAgo = 0) =>
    sql`insert into node (id, lock_number, bots, practice_bots, beat_at, roles)
      values (${id}, ${1}, 0, 0, now() - make_interval(secs => ${secondsAgo}), ${roles}::text[])`.execute(
      db,
    )
  await addNode('node_a', '{api,bots}')
  await addNode('node_b', '{tasks}', 60)
  await addNode('node_c', '{tasks}')
  await addNode('node_d', '{api,bots,tasks}')
  const failed: string[] = []
  const log = pino(
    {},
    { write: (line: string) => void failed.push((JSON.parse(line) as { job: string }).job) },
  )
  const runs: string[] = []
  // Ten milliseconds before the next round, always.
  const clock = { now: () => new Date('2026-05-01T10:09:59.990Z') }
  const start = (nodeId: string) =>
    startMaintenance({
      db,
      clock,
      log,
      membership: { nodeId, onNodeLost: () => {} },
      graceOver: new AbortController().signal,
      jobs: [
        { name: 'broken', run: () => Promise.reject(new Error('no rights')) },
        { name: 'next', run: async () => void runs.push(nodeId) },
      ],
    })
  {
    await using stack = new AsyncDisposableStack()
    for (const id of ['node_a', 'node_b', 'node_d', 'node_c']) stack.use(start(id))
    await eventually(() => (runs.length >= 3 ? true : null))
  }
  assert.deepEqual(new Set(runs), new Set(['node_c']))
  assert.deepEqual(new Set(failed), new Set(['broken']))
})

test('what a crash interrupted is repaired at the start and when a node is lost, without the other jobs', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'one')
  const runs: string[] = []
  const lost = new EventEmitter()
  await using _ = startMaintenance({
    db,
    // The next round is ten minutes away.
    clock: { now: () => new Date('2026-05-01T10:00:00Z') },
    log: createLog('silent'),
    membership: { nodeId: 'one', onNodeLost: (listener) => void lost.on('node', listener) },
    graceOver: new AbortController().signal,
    jobs: [
      { name: 'old rows', run: async () => void runs.push('old rows') },
      { name: 'documents', isRepair: true, run: async () => void runs.push('documents') },
    ],
  })
  await eventually(() => (runs.length === 1 ? true : null))
  lost.emit('node')
  await eventually(() => (runs.length === 2 ? true : null))
  assert.deepEqual(runs, ['documents', 'documents'])
})
