import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import { openStage } from '../../stage/stage.ts'
import { openBotAccounts } from '../support/meetings/bot-accounts.ts'
import { eventually } from '../support/time/eventually.ts'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'

type Piece = { state: string; marks: string[]; survey: { address: string }; screenshot: string }

test('a browser bot joins with its bot account, is denied, and stores evidence and refreshed cookies', async () => {
  await using stage = await openStage()
  const show = stage.open('https://meet.google.com/abc-room-xyz', { knobs: { speed: 20 } })
  const args = [...stage.browserArguments, '--no-proxy-server']
  await using service = await startService({
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_BROWSER_MODE: 'shell',
    HANSARD_BROWSER_ARGS: JSON.stringify(args),
  })
  await using stored = await openBotAccounts(service.databaseUrl)
  await stored.addGoogle('notes')
  const program = await openMeetingsClient(service)
  const id = await program.start('https://meet.google.com/abc-room-xyz', { account: 'notes' })
  await Promise.race([show.waitFor('knocked'), program.waitForStatus(id, ['error', 'ended'])])
  show.deny()
  const meeting = await program.waitForStatus(id, ['error', 'ended'])
  assert.deepEqual([meeting['status'], meeting['reason']], ['error', 'denied'])

  const [piece] = (await program.get(`/${id}/evidence`)).body['evidence'] as Piece[]
  assert.ok(piece)
  assert.deepEqual(
    [piece.state, piece.survey.address],
    ['denied', 'https://meet.google.com/abc-room-xyz'],
  )
  assert.ok(piece.marks.length > 0)
  const answer = await fetch(`${service.url}${piece.screenshot}`, { headers: program.key })
  const picture = Buffer.from(await answer.arrayBuffer())
  assert.deepEqual([...picture.subarray(0, 3)], [0xff, 0xd8, 0xff])
  assert.ok(picture.length > 1_000)
  const account = await eventually(async () => {
    const [row] = await stored.accounts.list(INSTANCE_VIEWER)
    return row?.refreshedAt ? row : null
  })
  assert.equal(account.inUse, 0)
  assert.notEqual(account.lastUsedAt, null)
})
