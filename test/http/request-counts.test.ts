import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createRequestCounter } from '../../src/http/pipeline/rate-limit.ts'
import { createLog } from '../../src/log.ts'
import { openTestDatabase } from '../support/database/test-database.ts'

test('nodes exchange the counts of more callers than a statement has parameters', async () => {
  await using database = await openTestDatabase()
  const clock = { now: () => new Date('2026-11-18T08:00:30Z') }
  const openCounter = (nodeId: string) =>
    createRequestCounter({ db: database.db, clock, log: createLog('silent'), nodeId })
  await using first = openCounter('first')
  await using second = openCounter('second')
  const scopes = Array.from({ length: 66_000 }, (_, i) => `caller ${i}`)
  for (const scope of scopes) first.add(scope)
  await first.sync()
  for (const scope of scopes) second.add(scope)
  await second.sync()
  assert.equal(second.add('caller 65999'), 3)
})
