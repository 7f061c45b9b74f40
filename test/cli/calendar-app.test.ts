import { strict as assert } from 'node:assert'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startServiceForFile } from '../support/service-for-file.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'

const opened = startServiceForFile()
const SECRET = 'GOCSPX-the-value-of-the-secret'

test('hansard calendar-app sets, lists and removes an application, and never prints its secret', async () => {
  const service = opened()
  const admin = await service.adminClient()
  await using folder = createTestDataFolder()
  mkdirSync(folder.data, { recursive: true })
  const secretFile = join(folder.data, 'secret')
  writeFileSync(secretFile, `${SECRET}\n`)
  const { apiKey } = await admin.createToken()
  const env = { ...folder.env, HANSARD_URL: service.url, HANSARD_API_KEY: apiKey }
  const run = async (...args: string[]) => {
    const result = await runLoadedCommand(['calendar-app', ...args], env)
    assert.ok(!`${result.stdout}${result.stderr}`.includes(SECRET))
    return result
  }
  const empty = (await run('list')).stdout
  assert.match(empty, /Redirect URI: http.*\/web\/calendar-accounts\/callback\nNo applications/)
  const from = ['--secret-file', secretFile]
  const refused = await run('set', 'microsoft', '--client-id', 'id', '--tenant', 'a/b', ...from)
  assert.deepEqual([refused.code, /--tenant: Must be/.test(refused.stderr)], [1, true])
  await run('set', 'microsoft', '--client-id', 'first', '--tenant', 'organizations', ...from)
  assert.match((await run('list')).stdout, /microsoft +first +organizations/)
  // The secret belongs to a client ID, so another one needs another secret.
  assert.equal((await run('set', 'microsoft', '--client-id', 'second')).code, 1)
  assert.match((await run('set', 'microsoft', '--client-id', 'first')).stdout, /^Set the app/)
  assert.match((await run('remove', 'microsoft')).stdout, /^Removed/)
  assert.equal((await run('remove', 'microsoft')).code, 1)
})
