// Runs the tests with one database server and one template database that each test copies.
import { globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { buildConsoleIfStale } from '../src/console/build-console.ts'
import { connectToDatabase } from '../src/db/database.ts'
import { migrateDatabase } from '../src/db/migrate.ts'
import { startJobEngine } from '../src/jobs/jobs.ts'
import { preventUnhandledRejection } from '../src/lib/async/await-later.ts'
import { createLog } from '../src/log.ts'
import { groupFiles } from './group-files.ts'
import { withDatabaseServer } from './support/database/database-server.ts'
import { poolConfigFor, dropDatabase, createDatabase } from './support/database/test-database.ts'
import { createMemoryFolder, createScratchFolder } from './support/database/memory-folder.ts'

/** More than the cores, because many test files wait most of the time. */
const CONCURRENT_FILES = 6
const TEST_MS = 240_000
/** Loading the service fills the young generation of the heap many times. Collecting it takes a fifth of a short file. */
const YOUNG_GENERATION = '--min-semi-space-size=16'

const root = join(import.meta.dirname, '..')
const namedFiles = process.argv.slice(2)
const patterns =
  namedFiles.length > 0 ? namedFiles : ['test/**/*.test.ts', 'src/**/*.test.ts', 'web/**/*.test.ts']
const files = globSync(patterns, { cwd: root })
if (files.length === 0) throw new Error(`no test file matches ${patterns.join(' ')}`)

const consoleBuild = preventUnhandledRejection(buildConsoleIfStale(root))
const memory = createMemoryFolder()
const scratch = createScratchFolder(memory)
try {
  await withDatabaseServer(join(memory, 'server'), async (server) => {
    const template = await createDatabase(server)
    const database = await connectToDatabase(poolConfigFor(server, template), {
      max: 2,
      log: createLog('error'),
    })
    await migrateDatabase(database.db)
    await (
      await startJobEngine({ query: database.longRunning.query, log: createLog('error') })
    )[Symbol.asyncDispose]()
    await database.close()
    await consoleBuild
    process.exitCode = await runFiles({
      TEST_DATABASE_URL: server,
      TEST_TEMPLATE: template,
      TEST_SCRATCH: scratch,
      // A service in a test would refuse them as unknown settings.
      TEST_GALENE: process.env['HANSARD_TEST_GALENE'] ?? '',
      TEST_SPEECH: process.env['HANSARD_TEST_SPEECH'] ?? '',
    })
    await dropDatabase(server, template)
  })
} finally {
  for (const folder of [scratch, memory]) rmSync(folder, { recursive: true, force: true })
}

/** Writes the program of one process, which runs these test files. */
function writeEntry(group: readonly string[], index: number): string {
  const entry = join(scratch, `process-${index}.mjs`)
  const importer = pathToFileURL(join(root, 'test/import-test-files.ts')).href
  const members = group.map((file) => ({ name: file, path: join(root, file) }))
  writeFileSync(
    entry,
    `import { importTestFiles } from '${importer}'\nawait importTestFiles(${JSON.stringify(members)})\n`,
  )
  return entry
}

async function runFiles(env: Record<string, string>): Promise<number> {
  for (const name of Object.keys(process.env)) {
    if (name === 'NODE_OPTIONS' || name.startsWith('HANSARD_')) delete process.env[name]
  }
  // Compiled code is shared between the processes, which saves a third of the time of many files.
  const cache = join(root, 'node_modules/.cache/compile')
  Object.assign(process.env, { NODE_COMPILE_CACHE: cache, ...env })
  const results = run({
    files: groupFiles(root, files).map(writeEntry),
    concurrency: CONCURRENT_FILES,
    timeout: TEST_MS,
    execArgv: [YOUNG_GENERATION],
  })
  let isSuccess = false
  results.on('test:summary', (summary) => {
    // The summary of a single file has a file name.
    if (summary.file === undefined) isSuccess = summary.success
  })
  await pipeline(results, new spec(), process.stdout, { end: false })
  return isSuccess ? 0 : 1
}
