import { strict as assert } from 'node:assert'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** Who may import whom. A file directly in src stands for itself. ARCHITECTURE.md shows the same table. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  'errors.ts': [],
  'log.ts': [],
  'task-settings.ts': ['lib'],
  'bot-settings.ts': ['lib'],
  'config.ts': ['lib', 'bot-settings.ts', 'task-settings.ts'],
  'load-config.ts': ['lib', 'config.ts'],
  'data-folder.ts': ['lib'],
  db: [
    'lib',
    'accounts (types)',
    'coach (types)',
    'deliveries (types)',
    'meetings (types)',
    'platforms (types)',
    'projects (types)',
    'tasks (types)',
  ],
  accounts: ['lib', 'db'],
  browser: ['lib'],
  'bot-accounts': ['lib', 'db', 'accounts', 'browser', 'platforms'],
  platforms: ['lib', 'browser'],
  projects: ['lib', 'db'],
  coach: ['lib'],
  deliveries: ['lib', 'db'],
  meetings: ['lib', 'db', 'coach', 'deliveries', 'projects', 'platforms'],
  ai: ['lib', 'coach'],
  tasks: ['lib', 'db', 'ai', 'jobs', 'meetings', 'projects'],
  mcp: ['lib'],
  console: ['lib'],
  jobs: ['lib'],
  http: [
    'lib',
    'db',
    'accounts',
    'bot-accounts',
    'deliveries',
    'mcp',
    'meetings',
    'platforms',
    'projects',
    'system',
    'tasks',
  ],
  'storage.ts': ['lib', 'config.ts', 'data-folder.ts', 'db', 'accounts'],
  doctor: [
    'lib',
    'browser',
    'config.ts',
    'load-config.ts',
    'data-folder.ts',
    'db',
    'platforms',
    'rehearsal',
    'storage.ts',
  ],
  system: [
    'lib',
    'accounts',
    'adviser.ts',
    'ai',
    'browser',
    'config.ts',
    'data-folder.ts',
    'db',
    'doctor',
    'tasks',
  ],
  rehearsal: ['lib', 'browser', 'platforms', 'stage'],
  'bots.ts': [
    'lib',
    'config.ts',
    'data-folder.ts',
    'browser',
    'platforms',
    'bot-accounts',
    'storage.ts',
  ],
  'readiness.ts': ['lib', 'config.ts', 'data-folder.ts', 'db', 'http', 'jobs', 'storage.ts'],
  backup: ['lib', 'data-folder.ts', 'db', 'meetings'],
  'first-user.ts': ['lib', 'config.ts', 'data-folder.ts', 'accounts'],
  'adviser.ts': ['lib', 'ai', 'config.ts', 'db', 'meetings', 'tasks'],
  'areas.ts': [
    'lib',
    'adviser.ts',
    'config.ts',
    'data-folder.ts',
    'db',
    'accounts',
    'bots.ts',
    'deliveries',
    'meetings',
    'platforms',
    'projects',
    'storage.ts',
  ],
  'open-tasks.ts': [
    'lib',
    'adviser.ts',
    'config.ts',
    'db',
    'jobs',
    'projects',
    'storage.ts',
    'tasks',
  ],
  'area-routes.ts': [
    'lib',
    'areas.ts',
    'bots.ts',
    'config.ts',
    'db',
    'deliveries',
    'http',
    'meetings',
    'tasks',
  ],
  'service.ts': ['*'],
  cli: [
    'lib',
    'config.ts',
    'load-config.ts',
    'data-folder.ts',
    'accounts',
    'bot-accounts',
    'backup',
    'doctor',
    'rehearsal',
    'mcp',
    'storage.ts',
    'service.ts',
    'tasks',
  ],
  'main.ts': ['cli'],
}
const EVERYWHERE = new Set(['errors.ts', 'log.ts'])

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/g

type Import = { from: string; to: string; isType: boolean }

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(IMPORT)]
    .map(([, type, fixed, dynamic]) => ({ type, path: fixed ?? dynamic ?? '' }))
    .filter(({ path }) => path.startsWith('.'))
    .map(({ type, path }) => ({
      from: file,
      to: relative(root, resolve(root, dirname(file), path)),
      isType: type !== undefined,
    }))
}

/** A folder of src or a file in it; the stage beside it is one room. */
function roomOf(file: string): string {
  return file.startsWith('stage/') ? 'stage' : (file.split('/')[1] ?? file)
}

test('every room imports only what its row allows', () => {
  const offences = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .flatMap(importsOf)
    .filter(({ from, to, isType }) => {
      const [room, target] = [roomOf(from), roomOf(to)]
      const allowed = MAY_IMPORT[room]
      assert.ok(allowed, `${room} has no row in the table`)
      if (!/^(src|stage)\//.test(to)) return true
      if (room === target || EVERYWHERE.has(target) || allowed.includes('*')) return false
      return !allowed.includes(target) && !(isType && allowed.includes(`${target} (types)`))
    })
  assert.deepEqual(
    offences.map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

test('the table in ARCHITECTURE.md is the one that is enforced', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  for (const [room, allowed] of Object.entries(MAY_IMPORT)) {
    const row = `| \`${room}\` | ${allowed.map((name) => (name === '*' ? 'everything' : name)).join(', ') || '–'} |`
    assert.ok(text.includes(row), `ARCHITECTURE.md lacks the row ${row}`)
  }
})

test('the console imports from the service only the types made for it, and what both run', () => {
  const both = new Set([
    'src/lib/net/server-sent-events.ts',
    'src/projects/front-matter.ts',
    'src/tasks/cron/next-run.ts',
    'src/tasks/cron/parse-schedule.ts',
  ])
  const offences = globSync('web/**/*.{ts,tsx}', { cwd: root })
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('src/') && !both.has(to))
    .filter(({ to, isType }) => !isType || !to.startsWith('src/http/shapes/'))
  assert.deepEqual(offences, [])
})

test('only the configuration reads the environment', () => {
  const readers = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .filter((file) => /process\.env/.test(readFileSync(join(root, file), 'utf8')))
    .toSorted()
  assert.deepEqual(readers, ['src/config/load-config.ts'])
})

test('no error vanishes: every catch does something', () => {
  const empty =
    /catch\s*(?:\([^)]*\))?\s*\{\s*(?:\/\/[^\n]*\s*|\/\*[\s\S]*?\*\/\s*)*\}|\.catch\(\s*\(\)\s*=>\s*(?:\{\s*\}|undefined|null)\s*\)/
  const offences = globSync('{src,bin,test,bench,scripts,web}/**/*.{ts,tsx,mjs}', {
    cwd: root,
  }).filter(
    (file) =>
      file !== 'test/architecture.test.ts' && empty.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(offences, [])
})

test('no two tests have the same title', () => {
  const titles = globSync('{src,test,web}/**/*.test.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\ntest\(\s*'([^']+)'/g)].map(
      ([, title]) => title,
    ),
  )
  const seen = new Set<string | undefined>()
  const twice = titles.filter((title) => seen.size === seen.add(title).size)
  assert.deepEqual(twice, [])
})
