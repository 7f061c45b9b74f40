// Runs the tests with one database server and one template database that each test copies.
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { buildConsoleIfStale } from '../src/console/build-console.ts'
import { preventUnhandledRejection } from '../src/lib/async/await-later.ts'
import { findAffectedTests, listRepositoryFiles } from './runner/affected-tests.ts'
import { failIfStillAlive } from './runner/end-watch.ts'
import type { EndedFile, TestProcess } from './runner/import-test-files.ts'
import { orderFiles } from './runner/order-files.ts'
import { withDatabaseServer } from './support/database/database-server.ts'
import { createTemplate, dropDatabase } from './support/database/test-database.ts'
import { createMemoryFolder, createScratchFolder } from './support/database/memory-folder.ts'
import { sharedResources } from './support/shared-resources.ts'
import { IS_FULL_SIZE } from './support/test-size.ts'

/** More than the cores, because most test files wait for half of the time. With more, they spend that time polling. */
const CONCURRENT_PROCESSES = 5
const TEST_MS = 240_000
/** Several times the duration of a run on two busy cores. */
const RUN_MS = (IS_FULL_SIZE ? 240 : 45) * 60_000
/** Loading the service fills the heap's young generation many times. Collecting it takes a fifth of a short file. */
const YOUNG_GENERATION = '--min-semi-space-size=64'
const ALL_TESTS = ['test/**/*.test.ts', 'src/**/*.test.ts', 'web/**/*.test.ts']

const { values: options, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: {
    /** Only tests that changes since a commit can affect. Without a commit, the uncommitted changes. */
    changed: { type: 'boolean' },
    since: { type: 'string', default: 'HEAD' },
    /** Writes the durations of the files, which decide how files are divided between processes. */
    record: { type: 'boolean' },
  },
})
const root = join(import.meta.dirname, '..')
const files = chooseFiles()
if (files.length === 0) {
  console.log('No test is affected by the changed files.')
  process.exit()
}

const consoleBuild = preventUnhandledRejection(buildConsoleIfStale(root))
const memory = createMemoryFolder()
const scratch = createScratchFolder(memory)
const endedFiles = join(scratch, 'ended-files.jsonl')
writeFileSync(endedFiles, '')
try {
  await withDatabaseServer(join(memory, 'server'), async (server) => {
    const template = await createTemplate(server)
    await consoleBuild
    process.exitCode = await runFiles({
      TEST_DATABASE_URL: server,
      TEST_TEMPLATE: template,
      TEST_SCRATCH: scratch,
      // A service in a test would refuse these as unknown settings.
      TEST_GALENE: process.env['HANSARD_TEST_GALENE'] ?? '',
      TEST_LIVEKIT: process.env['HANSARD_TEST_LIVEKIT'] ?? '',
      TEST_SPEECH: process.env['HANSARD_TEST_SPEECH'] ?? '',
    })
    await dropDatabase(server, template)
    await sharedResources.disposeAsync()
  })
} finally {
  for (const folder of [scratch, memory]) rmSync(folder, { recursive: true, force: true })
}
// For example, a test process that ignores the end of the whole run would keep this one alive.
failIfStillAlive(['test/run.ts'])

function chooseFiles(): string[] {
  const isFolder = (path: string) =>
    statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false
  const matches = (pattern: string) =>
    globSync(isFolder(pattern) ? join(pattern, '**/*.test.ts') : pattern, { cwd: root })
  const missing = patterns.find((pattern) => matches(pattern).length === 0)
  if (missing !== undefined) throw new Error(`no test file matches ${missing}`)
  const named = [...new Set((patterns.length > 0 ? patterns : ALL_TESTS).flatMap(matches))]
  if (options.changed !== true) return named
  return findAffectedTests(root, listRepositoryFiles(root, options.since), named)
}

/** Writes the programs of the processes that run the files. */
function writePrograms(): string[] {
  const { shared, alone } = orderFiles(files)
  const processes = Math.min(CONCURRENT_PROCESSES, shared.length)
  // Files that run alone come first, because the other processes end together when no file is left.
  const groups = [...alone.map((file) => [file]), ...Array<string[]>(processes).fill(shared)]
  return groups.map((group, index) => {
    const taken = join(scratch, `taken-${group === shared ? 'shared' : index}`)
    mkdirSync(taken, { recursive: true })
    const members = group.map((file) => ({ name: file, path: join(root, file) }))
    const program: TestProcess = { files: members, taken, endedFiles }
    const path = join(scratch, `process-${index}.mjs`)
    const importer = pathToFileURL(join(root, 'test/runner/import-test-files.ts')).href
    writeFileSync(
      path,
      `import { importTestFiles } from '${importer}'\nawait importTestFiles(${JSON.stringify(program)})\n`,
    )
    return path
  })
}

async function runFiles(env: Record<string, string>): Promise<number> {
  for (const name of Object.keys(process.env)) {
    if (name === 'NODE_OPTIONS' || name.startsWith('HANSARD_')) delete process.env[name]
  }
  // Compiled code is shared between the processes, which saves a third of the time of many files.
  const cache = join(root, 'node_modules/.cache/compile')
  Object.assign(process.env, { NODE_COMPILE_CACHE: cache, ...env })
  const limit = AbortSignal.timeout(RUN_MS)
  // Without this, the processes of the files outlive a run that is stopped.
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => stop.abort())
  const results = run({
    files: writePrograms(),
    concurrency: CONCURRENT_PROCESSES,
    timeout: TEST_MS,
    execArgv: [YOUNG_GENERATION],
    signal: AbortSignal.any([limit, stop.signal]),
  })
  let isSuccess = false
  results.on('test:summary', (summary) => {
    // A summary with a file name is for a single file.
    if (summary.file === undefined) isSuccess = summary.success
  })
  await pipeline(results, new spec(), process.stdout, { end: false })
  const ended = readEndedFiles()
  if (options.record === true) recordDurations(ended)
  const unfinished = files.filter((file) => !ended.some(({ name }) => name === file))
  if (unfinished.length > 0) console.error(`Files that did not end: ${unfinished.join(', ')}`)
  if (limit.aborted) console.error(`The run did not end within ${RUN_MS / 60_000} minutes.`)
  return isSuccess && unfinished.length === 0 ? 0 : 1
}

function readEndedFiles(): EndedFile[] {
  const lines = readFileSync(endedFiles, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as EndedFile)
}

/** Prints the most expensive files, and writes the durations of files that take at least a second. */
function recordDurations(ended: EndedFile[]): void {
  const whole = ended.map(({ name, seconds }) => [name, Math.round(seconds)] as const)
  const list = Object.fromEntries(
    whole.filter(([, seconds]) => seconds > 0).toSorted(([a], [b]) => a.localeCompare(b)),
  )
  const path = join(root, 'test/runner/durations.json')
  writeFileSync(path, `${JSON.stringify(list, undefined, 2)}\n`)
  console.log('seconds, processor seconds')
  for (const file of ended.toSorted((a, b) => b.processorSeconds - a.processorSeconds)) {
    console.log(file.seconds.toFixed(1), file.processorSeconds.toFixed(1), file.name)
  }
}
