// Runs the tests with one database server and one template database that each test copies.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { buildConsoleIfStale } from '../src/console/build-console.ts'
import { openDatabase } from '../src/db/database.ts'
import { migrateDatabase } from '../src/db/migrate.ts'
import { startJobEngine } from '../src/jobs/jobs.ts'
import { createLog } from '../src/log.ts'
import { withDatabaseServer } from './support/database/database-server.ts'
import { poolConfigFor, dropDatabase, createDatabase } from './support/database/test-database.ts'
import { createMemoryFolder } from './support/database/memory-folder.ts'

/** More than the cores, because many test files wait most of the time. */
const CONCURRENT_FILES = 4
const TEST_MS = 240_000

const root = join(import.meta.dirname, '..')
const namedFiles = process.argv.slice(2)
const patterns =
  namedFiles.length > 0 ? namedFiles : ['test/**/*.test.ts', 'src/**/*.test.ts', 'web/**/*.test.ts']
/** Start first, so that the run does not wait for them alone at the end. */
const SLOWEST = [
  'test/http/fuzz.test.ts',
  'test/service/kills.test.ts',
  'test/platforms/google',
  'test/platforms/micro',
].map((path) => path.replaceAll('/', sep))
const rank = (file: string) => (SLOWEST.some((path) => file.startsWith(path)) ? 0 : 1)
const files = globSync(patterns, { cwd: root })
  .toSorted()
  .toSorted((a, b) => rank(a) - rank(b))
if (files.length === 0) throw new Error(`no test file matches ${patterns.join(' ')}`)
/** Test files of src and web share one process, because starting one is slower than most of them. A file that matches gets its own. */
const OWN_PROCESS_PATTERN =
  /\bprocess\.|'node:(?:child_process|https?|net|worker_threads)'|^(?:before|after)(?:Each)?\(|support\/(?:browser|database|service)/m
const isUnit = (file: string) =>
  !file.startsWith(`test${sep}`) &&
  !OWN_PROCESS_PATTERN.test(readFileSync(join(root, file), 'utf8'))
const units = files.filter(isUnit)
const processes = files.filter((file) => !units.includes(file))
if (units.length > 0) processes.unshift(join('test', 'unit-tests.ts'))

await buildConsoleIfStale(root)
const scratch = mkdtempSync(join(tmpdir(), 'hansard-test-'))
const memory = createMemoryFolder()
try {
  await withDatabaseServer(join(memory, 'server'), async (server) => {
    const template = await createDatabase(server)
    const database = await openDatabase(poolConfigFor(server, template), {
      max: 2,
      log: createLog('error'),
    })
    await migrateDatabase(database.db)
    await (
      await startJobEngine({ query: database.longRunning.query, log: createLog('error') })
    )[Symbol.asyncDispose]()
    await database.close()
    process.exitCode = await runFiles({
      TEST_DATABASE_URL: server,
      TEST_TEMPLATE: template,
      TEST_SCRATCH: scratch,
      TEST_UNITS: units.map((file) => join(root, file)).join('\n'),
    })
    await dropDatabase(server, template)
  })
} finally {
  for (const folder of [scratch, memory]) rmSync(folder, { recursive: true, force: true })
}

async function runFiles(env: Record<string, string>): Promise<number> {
  for (const name of Object.keys(process.env)) {
    if (name === 'NODE_OPTIONS' || name.startsWith('HANSARD_')) delete process.env[name]
  }
  // Compiled code is shared between the processes, which saves a third of the time of many files.
  const cache = join(root, 'node_modules/.cache/compile')
  Object.assign(process.env, { NODE_COMPILE_CACHE: cache, ...env })
  const results = run({
    files: processes.map((file) => join(root, file)),
    concurrency: CONCURRENT_FILES,
    timeout: TEST_MS,
  })
  let isSuccess = false
  results.on('test:summary', (summary) => {
    // The summary of a single file has a file name.
    if (summary.file === undefined) isSuccess = summary.success
  })
  await pipeline(results, new spec(), process.stdout, { end: false })
  return isSuccess ? 0 : 1
}
