import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openRecapService } from '../recap/recap-client.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'

test('people list decisions and action items, and correct a recap, from a terminal', async () => {
  await using opened = await openRecapService()
  await using folder = createTestDataFolder()
  const env = {
    ...folder.env,
    HANSARD_URL: `http://127.0.0.1:${opened.service.port}`,
    HANSARD_API_KEY: opened.program.key['x-api-key'],
  }
  const run = (...args: string[]) => runLoadedCommand(args, env)
  const id = await opened.seedEndedMeeting(
    [
      ['Ada', 'We decided to ship the new search page on Friday.'],
      ['Ben', 'I will fix the search page by Wednesday.'],
    ],
    'Red \u001b[31mpump',
  )
  const { actions } = await opened.makeRecap(id)
  const [action] = actions
  assert.ok(action)

  const listed = await run('actions', 'list')
  assert.deepEqual([listed.code, listed.stderr], [0, ''])
  assert.match(
    listed.stdout,
    new RegExp(`^ID .*\n${action.actionId} .*Ben .*Red \\\\x1b\\[31mpump`),
  )
  assert.equal(
    (await run('actions', 'done', action.actionId)).stdout,
    `${action.actionId} is done\n`,
  )
  assert.equal((await run('actions')).stdout, 'No action items.\n')
  const reopened = await run('actions', 'reopen', action.actionId, '--json')
  assert.partialDeepStrictEqual(JSON.parse(reopened.stdout), { action: { state: 'open' } })

  const added = await run('recap', 'add', id, 'Blue it is', '--kind', 'decision', '--line', '2')
  assert.match(added.stdout, /^Added item_\w+\n$/)
  const itemId = added.stdout.split(' ')[1]?.trim() ?? ''
  await run('recap', 'edit', id, itemId, '--text', 'Blue \u001b[2J it is', '--speaker', 'none')
  const shown = (await run('recap', 'show', id)).stdout
  assert.ok(shown.includes(`  ${itemId}  Blue [2J it is (line 2)\n`), shown)
  const decisions = (await run('decisions', '--meeting', id)).stdout
  assert.match(decisions, /^MEETING .*\n.*Ada +We decided to ship.*\n.*Blue \[2J it is\n$/)
  assert.equal((await run('recap', 'delete', id, itemId)).stdout, `Deleted ${itemId}\n`)

  const again = await run('recap', 'delete', id, itemId)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /no such item in the recap/)
  const wrong = await run(
    'recap',
    'add',
    id,
    'x',
    '--kind',
    'action',
    '--line',
    '1',
    '--speaker',
    'Ada',
  )
  assert.match(wrong.stderr, /--speaker: An action item has none/)
  assert.equal((await run('recap', 'add', id, 'x', '--kind', 'plan')).code, 2)
})
