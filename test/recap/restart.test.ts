import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { startService } from '../support/service/start-service.ts'
import { openRecapService } from './recap-client.ts'

test('a node that starts later makes the recaps of meetings that ended before', async () => {
  const shared = { HANSARD_MASTER_KEY: MASTER_KEY }
  await using first = await openRecapService({ ...shared, HANSARD_RECAP: 'off' })
  const { service, program, runMeeting, waitForRecap } = first
  const id = await runMeeting({ saveTranscript: false })
  const { body } = await program.get(`/${id}/recap`)
  assert.equal(body['error'], 'A recap of this meeting is made only on request')
  await using _ = await startService({
    ...shared,
    DATABASE_URL: service.databaseUrl,
    HANSARD_RECAP: 'on',
  })
  const recap = await waitForRecap(id)
  assert.deepEqual([recap.method, recap.version, recap.documentState], ['rules', 1, 'none'])
})
