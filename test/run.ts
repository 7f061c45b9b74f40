// Runs the tests: one database server for the whole run, one template that each test file copies.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from '../src/console/build.ts'
import { openDatabase } from '../src/db/open.ts'
import { migrate } from '../src/db/migrate.ts'
import { startJobs } from '../src/jobs/jobs.ts'
import { createLog } from '../src/log.ts'
import { withDatabaseServer } from './support/database-server.ts'
import { addressFor, dropDatabase, makeDatabase } from './support/database.ts'

const root = join(import.meta.dirname, '..')
const named = process.argv.slice(2)
const patterns =
  named.length > 0 ? named : ['test/**/*.test.ts', 'src/**/*.test.ts', 'web/**/*.test.ts']
/** Takes longer than any other: begun last, it would be waited for alone. */
const SLOWEST = join('test', 'http', 'fuzz.test.ts')
const found = globSync(patterns, { cwd: root }).toSorted()
const files = [
  ...found.filter((file) => file === SLOWEST),
  ...found.filter((file) => file !== SLOWEST),
]
if (files.length === 0) throw new Error(`no test file matches ${patterns.join(' ')}`)

await buildConsole(root)
const scratch = mkdtempSync(join(tmpdir(), 'hansard-test-'))
try {
  await withDatabaseServer(join(scratch, 'server'), async (server) => {
    const template = await makeDatabase(server)
    const database = await openDatabase(addressFor(server, template), {
      max: 2,
      log: createLog('error'),
    })
    await migrate(database.db)
    await (await startJobs({ pool: database.pool, log: createLog('error') }))[Symbol.asyncDispose]()
    await database.close()
    process.exitCode = await runFiles({
      TEST_DATABASE_URL: server,
      TEST_TEMPLATE: template,
      TEST_SCRATCH: scratch,
    })
    await dropDatabase(server, template)
  })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function runFiles(env: Record<string, string>): Promise<number> {
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const clean = Object.fromEntries(
    Object.entries(inherited).filter(([name]) => !name.startsWith('HANSARD_')),
  )
  const args = ['--test', '--test-timeout=240000', '--test-concurrency=3', ...files]
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...clean, ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
