import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { requestPoll, startPollRunner } from '../../src/connections/poll-runner.ts'
import { createLog } from '../../src/log.ts'
import { insertLiveNodes } from '../support/database/live-nodes.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'

const NOW = new Date('2026-11-19T12:00:00Z')

test('a read that an admin asks for is kept when the running one fails unexpectedly, and otherwise waits a minute', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'one')
  await db
    .insertInto('connection')
    .values({
      id: 'con_1',
      kind: 'microsoft',
      name: 'Example',
      cloud: 'global',
      tenant: 't',
      client_id: 'c',
      credential_kind: 'secret',
      credential_sealed: Buffer.alloc(1),
      excluded_titles: [],
      reads_from: NOW,
      is_paused: false,
      next_poll_at: NOW,
      created_at: NOW,
    })
    .execute()
  let polls = 0
  // Later than the request, so that only the wait after the error keeps the connection from being read again.
  const clock = { now: () => new Date(NOW.getTime() + 1_000) }
  await using _ = startPollRunner({
    db,
    clock,
    log: createLog('silent'),
    membership: { nodeId: 'one', onNodeLost: () => {}, hasFreshHeartbeat: () => true },
    async poll() {
      polls += 1
      if (polls === 1) await db.transaction().execute((tx) => requestPoll(tx, 'con_1', NOW))
      throw new Error('unexpected')
    },
  })
  const inAMinute = clock.now().getTime() + 60_000
  await eventually(async () => {
    const row = await db
      .selectFrom('connection')
      .select(['owner', 'next_poll_at as nextPollAt'])
      .executeTakeFirstOrThrow()
    return row.owner === null && row.nextPollAt.getTime() === inAMinute && polls > 1 ? row : null
  })
  assert.equal(polls, 2)
})
