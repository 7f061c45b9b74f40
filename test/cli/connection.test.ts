import { strict as assert } from 'node:assert'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startGoogleWorld } from '../support/google/google-world.ts'
import { addConference, formatKeyFile } from '../support/google/workspace.ts'
import {
  getConnection,
  ORGANIZER,
  PROJECT,
  startConnectionWorld,
  waitUntilRead,
} from '../support/microsoft/connection-world.ts'
import { addTranscript, CLIENT_ID, CLIENT_SECRET, TENANT_ID } from '../support/microsoft/tenant.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'

test('hansard connection adds, lists, checks, reads, pauses and removes a connection, and never prints its secret', async () => {
  await using world = await startConnectionWorld()
  const { admin, microsoft, organizer, service } = world
  addTranscript(microsoft.tenant, organizer)
  await using folder = createTestDataFolder()
  mkdirSync(folder.data, { recursive: true })
  const [secretFile, peopleFile] = [join(folder.data, 'secret'), join(folder.data, 'people')]
  writeFileSync(secretFile, `${CLIENT_SECRET}\n`)
  writeFileSync(peopleFile, `${ORGANIZER}\n\nnobody@example.com\n`)
  const { apiKey } = await admin.createToken()
  const address = { HANSARD_URL: `http://127.0.0.1:${service.port}` }
  const env = { ...folder.env, ...address, HANSARD_API_KEY: apiKey }
  const run = async (...args: string[]) => {
    const result = await runLoadedCommand(['connection', ...args], env)
    assert.ok(!`${result.stdout}${result.stderr}`.includes(CLIENT_SECRET))
    return result
  }
  assert.match((await run('list')).stdout, /^No connections\. .*connection add/)
  const since = new Date(world.clock.now().getTime() - 3_600_000).toISOString()
  const ids = ['--tenant', TENANT_ID, '--client-id', CLIENT_ID]
  const options = ['--name', 'Example', '--project', PROJECT, '--since', since]
  const from = ['--secret-file', secretFile, '--organizers-file', peopleFile]
  const refused = await run(
    'add',
    ...options,
    '--tenant',
    TENANT_ID,
    '--client-id',
    'wrong',
    ...from,
  )
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, / --client-id: Must be the application \(client\) ID/)
  const added = await run('add', ...options, ...ids, ...from)
  const [id = ''] = /con_\w+/.exec(added.stdout) ?? []
  await waitUntilRead(world, id)
  assert.match(
    (await run('list')).stdout,
    /Example +microsoft +research +2 +1 .*nobody@example\.com: The organization has no active user/,
  )
  assert.match((await run('transcripts', id)).stdout, /grace@example\.com +imported +meeting_/)
  const checked = await run('check', id)
  assert.equal(checked.code, 1)
  assert.match(
    checked.stdout,
    /ok {4}grace@example\.com: The transcripts of this person can be read/,
  )
  assert.match(checked.stdout, /FAIL {2}nobody@example\.com/)
  assert.match((await run('pause', id)).stdout, /^paused con_/)
  assert.equal((await getConnection(admin, id)).isPaused, true)
  assert.match((await run('resume', id)).stdout, /^resumed con_/)
  assert.match((await run('read', id)).stdout, /^reading con_/)
  assert.match((await run('remove', id)).stdout, /^removed con_/)
  assert.match((await run('list')).stdout, /^No connections/)
})

test('hansard connection adds Google Workspace with the file of a key, and checks it', async () => {
  await using world = await startGoogleWorld()
  const { admin, google, organizer, service } = world
  addConference(google.workspace, organizer)
  google.workspace.enabledApis = ['meet']
  await using folder = createTestDataFolder()
  mkdirSync(folder.data, { recursive: true })
  const keyFile = join(folder.data, 'key.json')
  writeFileSync(keyFile, formatKeyFile())
  const { apiKey } = await admin.createToken()
  const address = { HANSARD_URL: `http://127.0.0.1:${service.port}` }
  const env = { ...folder.env, ...address, HANSARD_API_KEY: apiKey }
  const run = (...args: string[]) => runLoadedCommand(['connection', ...args], env)
  const options = ['--kind', 'google', '--name', 'Example', '--project', PROJECT]
  const from = ['--key-file', keyFile, '--organizer', ORGANIZER]
  const without = await run('add', ...options, '--organizer', ORGANIZER)
  assert.match(without.stderr, /--key-file/)
  const unused = await run('add', ...options, ...from, '--tenant', TENANT_ID)
  assert.match(unused.stderr, /--tenant: Only for Microsoft 365/)
  const [id = ''] = /con_\w+/.exec((await run('add', ...options, ...from)).stdout) ?? []
  const { stdout, code } = await run('check', id)
  assert.equal(code, 1)
  assert.match(stdout, /ok {4}Google Meet API: Enabled/)
  assert.match(stdout, /FAIL {2}Google Calendar API: The Google Calendar API is not enabled/)
  await run('remove', id)
  const [plain = ''] =
    /con_\w+/.exec((await run('add', ...options, ...from, '--no-calendar')).stdout) ?? []
  assert.equal((await run('check', plain)).code, 0)
})
