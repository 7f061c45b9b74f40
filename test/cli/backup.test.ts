import { strict as assert } from 'node:assert'
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { migrateDatabase } from '../../src/db/migrate.ts'
import { createLog } from '../../src/log.ts'
import { writeRestoreMarker } from '../../src/storage/data-folder.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  signInAsAdmin,
  createTestDataFolder,
  runCommand,
  startServiceProcess,
} from '../support/service/service-process.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'
import { runLoadedCommand, startLoadedCommand } from '../support/service/loaded-commands.ts'
import { runProgram } from '../support/service/run-program.ts'

test('a backup of a running instance can be restored into an empty folder and started there', async () => {
  await using old = await createInitializedDataFolder('old')
  const running = await startServiceProcess(old.env)
  const { apiKey } = await (await signInAsAdmin(running)).createToken()
  const note = join(old.data, 'deployed-md-files/docs/api/note.md')
  mkdirSync(dirname(note), { recursive: true })
  writeFileSync(note, '# Note')
  const file = join(dirname(old.data), 'b.tar.gz')
  const created = await runLoadedCommand(['backup', '-o', file, '--json'], old.env)
  assert.deepEqual([created.code, created.stderr], [0, ''])
  const prompts = readdirSync(join(old.data, 'scheduled-prompts'))
  assert.ok(prompts.length > 0)
  assert.equal((JSON.parse(created.stdout) as { files: number }).files, 1 + prompts.length)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const busy = await runLoadedCommand(['restore', file], old.env)
  assert.equal(busy.code, 1)
  assert.match(busy.stderr, /already running/)
  await running.stop('SIGTERM')

  await using fresh = createTestDataFolder('fresh')
  const restored = await runLoadedCommand(['restore', file], fresh.env)
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stdout, /right master key is missing/)
  mkdirSync(join(fresh.data, 'secrets'), { recursive: true })
  copyFileSync(join(old.data, 'secrets/master.key'), join(fresh.data, 'secrets/master.key'))
  await using again = await startServiceProcess(fresh.env)
  assert.equal(again.setupLink, null)
  const answer = await fetch(`${again.url}/api/v1/token`, { headers: { 'x-api-key': apiKey } })
  assert.equal(answer.status, 200)
  assert.ok(existsSync(join(fresh.data, 'deployed-md-files/docs/api/note.md')))
})

test('a backup that cannot be written reports the reason and leaves no file', async () => {
  await using source = await createTestDatabase()
  await using folder = createTestDataFolder()
  const env = { ...folder.env, DATABASE_URL: source.url }
  const nowhere = join(dirname(folder.data), 'no/such/b.tar.gz')
  const { code, stderr } = await runLoadedCommand(['backup', '-o', nowhere], env)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^hansard: The backup could not be written: ENOENT.*\n {2}Choose another path/,
  )

  const pipeTo = async (output: number | 'closed') => {
    const { code, stderr } = await runCommand(['backup', '-o', '-'], env, { output })
    assert.equal(code, 1, stderr)
    return stderr
  }
  assert.match(await pipeTo('closed'), /^hansard: The backup could not be written: .*EPIPE\n$/)
  if (!existsSync('/dev/full')) return
  using full = new DisposableStack()
  const device = openSync('/dev/full', 'w')
  full.defer(() => closeSync(device))
  assert.match(
    await pipeTo(device),
    /^hansard: The backup could not be written: .*ENOSPC.*\n {2}Free/,
  )
})

test('a killed restore leaves the old data as it was, and a marker blocks the service until the restore is repeated', async () => {
  await using source = await createTestDatabase()
  await using folder = createTestDataFolder()
  const file = join(dirname(folder.data), 'b.tar.gz')
  const env = { ...folder.env, DATABASE_URL: source.url }
  const launcher = join(INSTALLATION_FOLDER, 'bin/hansard.mjs')
  const piped = `"${process.execPath}" "${launcher}" backup --with-key -o - | cat > "${file}"`
  const made = await runProgram(['sh', '-c', piped], { env })
  assert.equal(made.code, 0, made.stderr)

  await using used = await createTestDatabase({ empty: true })
  await using other = createTestDataFolder('other')
  const target = { ...other.env, DATABASE_URL: used.url }
  await using old = await openOlderInstance(used.url)
  const note = join(other.data, 'deployed-md-files/docs/api/note.md')
  mkdirSync(dirname(note), { recursive: true })
  writeFileSync(note, '# Note')
  // An open transaction that creates a table of a later migration blocks the restore after it has dropped old tables.
  await old.client.query('begin')
  await old.client.query('create table execution (id text)')
  await using killed = startLoadedCommand(['restore', '--force', file], target)
  await eventually(async () => {
    const { rows } = await old.client.query(`select from pg_locks where not granted and pid in (
      select pid from pg_locks join pg_database on oid = database where datname = current_database())`)
    return rows.length > 0 ? true : null
  })
  killed.kill('SIGKILL')
  assert.equal((await killed.waitForEnd()).signal, 'SIGKILL')
  await old.client.query('rollback')
  const mark = join(other.data, 'restore-unfinished.json')
  assert.ok(!existsSync(mark))
  assert.ok(existsSync(note))
  const { rows } = await old.client.query('select id from app_user')
  assert.deepEqual(rows, [{ id: 'u' }])

  // A restore that is killed while it switches files and database leaves the marker.
  writeRestoreMarker(other.data, { file, since: 'today' })
  const refused = await runLoadedCommand(['serve'], target)
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /was not completed\n.*hansard restore --force/)
  const done = await runLoadedCommand(['restore', '--force', file], target)
  assert.match(done.stdout, /The master key is correct/, done.stderr)
  assert.ok(!existsSync(mark))
  const tokens = await runLoadedCommand(['token', 'list', '--json'], target)
  assert.deepEqual(JSON.parse(tokens.stdout), { tokens: [] })
  const exportFolder = join(dirname(other.data), 'plain')
  const exported = await runLoadedCommand(['export', exportFolder], target)
  assert.equal(exported.code, 0, exported.stderr)
  assert.ok(existsSync(join(exportFolder, 'tables/instance.jsonl')))
})

/** Prepares a database of an older version with one user, and a connection to it. */
async function openOlderInstance(url: string): Promise<AsyncDisposable & { client: Client }> {
  const { db, close } = await connectToDatabase(
    { connectionString: url },
    { max: 1, log: createLog('silent') },
  )
  await migrateDatabase(db, '0002-meetings')
  await close()
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`insert into app_user (id, email, name, role, password_hash)
    values ('u', 'u@x', 'u', 'admin', 'x')`)
  return { client, [Symbol.asyncDispose]: () => client.end() }
}
