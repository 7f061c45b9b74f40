import { strict as assert } from 'node:assert'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { eventually } from '../support/time/eventually.ts'
import { openProjectsService } from '../support/projects-service.ts'
import { startService } from '../support/service/start-service.ts'
import { assertError } from '../support/http/raw-requests.ts'

const PERIOD_MS = 600_000

test('maintenance removes only meetings that ended longer ago than HANSARD_MEETING_DAYS', async () => {
  const settings = {
    HANSARD_MEETING_DAYS: '9',
    HANSARD_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
  }
  await using library = await openProjectsService({ ...settings, HANSARD_ROLES: 'api,bots' })
  const { program, service } = library
  const old = await program.start('practice://denied?speed=1000', { title: 'Old' })
  const recent = await program.start('practice://denied?speed=1000', { title: 'Fresh' })
  const live = await program.start('practice://long?speed=1', { title: 'Live' })
  await Promise.all([program.waitForStatus(old), program.waitForStatus(recent)])
  const { body } = await program.get(`/${old}/transcript`)
  const file = join(library.data, String(body['documentPath']))
  assert.ok(existsSync(file))
  await makeOlder(service.databaseUrl, old)
  // For this node, maintenance is always due in a moment.
  const due = Math.ceil(Date.now() / PERIOD_MS) * PERIOD_MS
  await using _ = await startService(
    { ...settings, DATABASE_URL: service.databaseUrl, HANSARD_DATA: library.data },
    { clock: { now: () => new Date(due - 100) } },
  )
  const report = await eventually(async () => {
    const answer = await library.get('/removals')
    const [first] = answer.body['removals'] as Array<Record<string, unknown>>
    return first ?? null
  })
  assert.deepEqual([report['meetingId'], report['removedBy']], [old, 'retention'])
  assertError(await program.get(`/${old}`), 404, 'meeting_not_found')
  assert.equal(existsSync(file), false)
  for (const id of [recent, live]) assert.equal((await program.get(`/${id}`)).status, 200)
})

async function makeOlder(url: string, meetingId: string): Promise<void> {
  const log = createLog('silent')
  const database = await connectToDatabase({ connectionString: url }, { max: 2, log })
  await sql`update meeting set ended_at = ended_at - interval '10 days'
    where id = ${meetingId}`.execute(database.db)
  await database.close()
}
