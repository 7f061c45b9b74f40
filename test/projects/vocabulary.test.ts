import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MAX_TERM_CHARS, MAX_TERMS } from '../../src/projects/vocabulary-limits.ts'
import { openRecapService } from '../recap/recap-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { requireEnv } from '../support/database/test-database.ts'
import { assertError } from '../support/http/raw-requests.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'

const opened = openForFile(() => openRecapService())
const PATH = '/projects/api/vocabulary'

/** The service with a project that has a meeting. */
async function openProject() {
  const service = opened()
  await service.seedEndedMeeting([['Ada', 'Good morning.']])
  const change = (body: unknown) => service.program.ask('PATCH', PATH, body)
  const list = async () => (await service.program.ask('GET', PATH)).body['terms'] as string[]
  return { service, change, list, clear: async () => change({ remove: await list() }) }
}

test('entries are added and removed one by one, so that people who edit at once lose nothing', async () => {
  const { change, list, clear } = await openProject()
  assert.deepEqual(await list(), [])
  await Promise.all([
    change({ add: ['Nextcloud', 'Priya Raghunathan'] }),
    change({ add: ['grafana', 'Nextcloud', ' Chloë  Ott\u202e '] }),
  ])
  const added = ['Chloë Ott', 'grafana', 'Nextcloud', 'Priya Raghunathan']
  assert.deepEqual(await list(), added)
  const removed = await change({ remove: ['grafana', 'unknown'], add: ['Zabbix'] })
  assert.deepEqual(removed.body, {
    project: 'api',
    terms: ['Chloë Ott', 'Nextcloud', 'Priya Raghunathan', 'Zabbix'],
  })
  await clear()
})

test('entries without letters, and too many or too long ones, are refused and change nothing', async () => {
  const { service, change, list, clear } = await openProject()
  for (const add of [['42'], [''], ['x'.repeat(MAX_TERM_CHARS + 1)], 'Nextcloud', [null]])
    assertError(await change({ add }), 400, 'invalid_request')
  const many = Array.from({ length: MAX_TERMS }, (_, i) => `Term ${i}`)
  assertError(await change({ add: [...many, 'one more'] }), 400, 'invalid_request')
  assert.equal((await change({ add: many })).status, 200)
  assertError(await change({ add: ['one more'] }), 409, 'too_many_terms')
  assert.equal((await list()).length, MAX_TERMS)
  assert.equal((await change({ add: ['one more'], remove: ['Term 0'] })).status, 200)
  await clear()
  const missing = await service.program.ask('PATCH', '/projects/none/vocabulary', { add: ['x'] })
  assertError(missing, 404, 'project_not_found')
})

test('hostile entries are stored as they are, as plain text', async () => {
  const { change, list, clear } = await openProject()
  const hostile = ["'; drop table vocabulary_term; --", '<script>alert(1)</script>', '__proto__ $&']
  assert.equal((await change({ add: hostile })).status, 200)
  assert.deepEqual(new Set(await list()), new Set(hostile))
  await clear()
})

test('people change the vocabulary of a project from a terminal', async () => {
  const { service, list, clear } = await openProject()
  await using folder = createTestDataFolder()
  const env = {
    ...folder.env,
    HANSARD_URL: `http://127.0.0.1:${service.service.port}`,
    HANSARD_API_KEY: service.program.key['x-api-key'],
  }
  const run = (...args: string[]) =>
    runLoadedCommand(['vocabulary', ...args, '--project', 'api'], env)
  const file = join(requireEnv('TEST_SCRATCH'), 'vocabulary-terms.txt')
  writeFileSync(file, 'Nextcloud\r\n\n  Priya Raghunathan\n')
  const added = await run('add', 'Grafana', '--file', file)
  assert.deepEqual([added.code, added.stdout], [0, '3 names and terms\n'])
  assert.equal((await run()).stdout, 'Grafana\nNextcloud\nPriya Raghunathan\n')
  assert.equal((await run('remove', 'Nextcloud')).stdout, '2 names and terms\n')
  assert.deepEqual(await list(), ['Grafana', 'Priya Raghunathan'])
  const refused = await run('add', '42')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /Must have a letter/)
  await clear()
})
