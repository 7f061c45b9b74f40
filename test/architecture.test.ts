import { strict as assert } from 'node:assert'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import type { Database } from '../src/db/schema.ts'

const root = join(import.meta.dirname, '..')

/**
 * Which folder of src may import which. `bots` and `operations` group several folders, each with its own row.
 * ARCHITECTURE.md shows the same table.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  'errors.ts': [],
  'log.ts': ['lib', 'config'],
  config: ['lib', 'ai (types)', 'db (types)'],
  db: ['lib', 'deliveries (types)'],
  accounts: ['lib', 'db'],
  access: ['lib', 'db', 'accounts'],
  storage: ['lib', 'config', 'db', 'accounts'],
  'bots/browser': ['lib'],
  'bots/platforms': ['lib', 'bots/browser'],
  'bots/accounts': ['lib', 'access', 'db', 'accounts', 'bots/browser', 'bots/platforms'],
  'bots/rehearsal': ['lib', 'bots/browser', 'bots/platforms', 'stage'],
  speech: ['lib', 'bots/platforms (types)'],
  projects: ['lib', 'access', 'db'],
  language: ['lib'],
  coach: ['lib', 'ai (types)', 'language'],
  ask: ['lib', 'access', 'ai', 'language', 'projects'],
  calendars: [
    'lib',
    'access',
    'accounts',
    'db',
    'bots/platforms',
    'deliveries',
    'meetings',
    'network',
  ],
  connections: ['lib', 'access', 'accounts', 'db', 'meetings', 'network'],
  brief: [
    'lib',
    'access',
    'accounts',
    'bots/platforms (types)',
    'calendars',
    'db',
    'projects',
    'recap',
  ],
  recap: ['lib', 'access', 'ai', 'db', 'language', 'meetings', 'projects (types)'],
  network: ['lib'],
  mail: ['lib', 'access', 'accounts', 'brief', 'calendars', 'db', 'network', 'recap'],
  deliveries: ['lib', 'access', 'accounts', 'db', 'meetings (types)', 'network'],
  meetings: [
    'lib',
    'access',
    'ai',
    'db',
    'bots/platforms',
    'coach',
    'deliveries',
    'language',
    'projects',
  ],
  ai: ['lib', 'access', 'db'],
  tasks: [
    'lib',
    'access',
    'db',
    'ai',
    'bots/platforms (types)',
    'brief',
    'language',
    'meetings',
    'projects',
    'recap',
  ],
  mcp: ['lib'],
  console: ['lib'],
  'operations/backup': ['lib', 'db', 'meetings', 'projects', 'recap', 'storage'],
  'operations/documents': ['lib', 'db', 'operations/backup', 'projects', 'storage'],
  'operations/doctor': [
    'lib',
    'access',
    'bots/browser',
    'bots/platforms',
    'bots/rehearsal',
    'config',
    'db',
    'deliveries',
    'mail',
    'meetings',
    'speech',
    'storage',
  ],
  'operations/service-unit': ['lib'],
  'operations/upgrade': ['lib', 'config', 'db', 'storage'],
  'operations/system': [
    'lib',
    'accounts',
    'ai',
    'bots/browser',
    'config',
    'db',
    'meetings',
    'operations/doctor',
    'projects',
    'storage',
    'tasks',
  ],
  http: [
    'lib',
    'access',
    'accounts',
    'ai',
    'ask',
    'bots/accounts',
    'bots/platforms',
    'brief',
    'calendars',
    'connections',
    'db',
    'deliveries',
    'mail',
    'mcp',
    'meetings',
    'operations/system',
    'projects',
    'recap',
    'speech',
    'tasks',
  ],
  app: ['*'],
  cli: [
    'lib',
    'access',
    'accounts',
    'ai',
    'app',
    'bots/accounts',
    'bots/rehearsal',
    'config',
    'mcp',
    'operations/backup',
    'operations/doctor',
    'operations/documents',
    'operations/service-unit',
    'operations/upgrade',
    'projects',
    'recap',
    'speech',
    'storage',
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

/** Folders of src that only group other folders. */
const GROUPS = new Set(['bots', 'operations'])

/** The row of the table that a file belongs to. The stage, beside src, is treated as one folder. */
function folderOf(file: string): string {
  const [top, first = file, second = ''] = file.split('/')
  if (top === 'stage') return 'stage'
  return GROUPS.has(first) ? `${first}/${second}` : first
}

test('every folder imports only what its row allows', () => {
  const offences = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .flatMap(importsOf)
    .filter(({ from, to, isType }) => {
      const [folder, target] = [folderOf(from), folderOf(to)]
      const allowed = MAY_IMPORT[folder]
      assert.ok(allowed, `${folder} has no row in the table`)
      if (!/^(src|stage)\//.test(to)) return true
      if (folder === target || EVERYWHERE.has(target) || allowed.includes('*')) return false
      return !allowed.includes(target) && !(isType && allowed.includes(`${target} (types)`))
    })
  assert.deepEqual(
    offences.map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

test('the table in ARCHITECTURE.md is the one that is enforced', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
    const row = `| \`${folder}\` | ${allowed.map((name) => (name === '*' ? 'everything' : name)).join(', ') || '–'} |`
    assert.ok(text.includes(row), `ARCHITECTURE.md lacks the row ${row}`)
  }
})

test('the console imports from the service only types of the shapes and shared modules', () => {
  const shared = new Set([
    'src/http/shapes/values.ts',
    'src/lib/net/same-origin-path.ts',
    'src/lib/net/server-sent-events.ts',
    'src/lib/text/bad-names.ts',
    'src/lib/text/decode-text-file.ts',
    'src/lib/time/duration-text.ts',
    'src/lib/time/durations.ts',
    'src/lib/time/zone-data.ts',
    'src/lib/time/zone-offsets.ts',
    'src/language/person-names.ts',
    'src/meetings/transcript/markdown-text.ts',
    'src/projects/front-matter.ts',
    'src/tasks/cron/next-run.ts',
    'src/tasks/cron/parse-schedule.ts',
    'src/tasks/prompts/prompt-name.ts',
  ])
  const offences = globSync('web/**/*.{ts,tsx}', { cwd: root })
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('src/') && !shared.has(to))
    .filter(({ to, isType }) => !isType || !to.startsWith('src/http/shapes/'))
  assert.deepEqual(offences, [])
})

/** Folders that may read a table of another folder, and why one query across both is worth it. */
const ALLOWED_FOREIGN_TABLE_READS: ReadonlyArray<{
  folder: string
  tables: readonly (keyof Database)[]
  reason: string
}> = [
  {
    folder: 'access',
    tables: [
      'app_user',
      'api_token',
      'project',
      'meeting',
      'removal',
      'action_item',
      'delivery_attempt',
      'task',
      'execution',
      'calendar',
      'occurrence',
    ],
    reason: 'one query finds the project of whatever a request is about, and who may use it',
  },
  {
    folder: 'deliveries',
    tables: ['meeting', 'event', 'api_token'],
    reason:
      'the events of a meeting are the outbox that lanes deliver from, and lists name the token that signs callbacks',
  },
  {
    folder: 'projects',
    tables: ['meeting', 'segment', 'meeting_words', 'project_access'],
    reason:
      'search and the document index join documents with the segments of live meetings, and the list of projects shows their access',
  },
  {
    folder: 'meetings',
    tables: ['bot_account', 'app_user'],
    reason:
      'a claim locks the account row so that all nodes together respect its bot limit, and a comment shows the name that its author has now',
  },
  {
    folder: 'bots/accounts',
    tables: ['meeting'],
    reason: 'an account is removed only while no active meeting uses it, in one statement',
  },
  {
    folder: 'recap',
    tables: ['meeting', 'app_user'],
    reason:
      'ended meetings without a recap, and the meetings of action items, are found in one query; the owner of an item is a name, compared with the names of all users',
  },
  {
    folder: 'tasks',
    tables: ['app_user'],
    reason:
      'a task shows the name of its owner and does not run after that user was removed, a prompt that of its author and of the admins to ask',
  },
  {
    folder: 'connections',
    tables: ['app_user'],
    reason:
      'without a project, a transcript is stored with the rights that the person with the address of its organizer has now',
  },
  {
    folder: 'calendars',
    tables: ['meeting', 'app_user', 'api_token', 'bot_account'],
    reason:
      'one query compares what is planned with the meetings that wait for it, and a calendar acts with the rights that its person has now',
  },
  {
    folder: 'mail',
    tables: ['app_user'],
    reason: 'the list of mail names its recipients in one query',
  },
  {
    folder: 'brief',
    tables: [
      'meeting',
      'meeting_invitation',
      'meeting_invitee',
      'participant',
      'app_user',
      'occurrence',
      'calendar',
      'task',
    ],
    reason:
      'earlier meetings are found by their series, title and people in one query, within its limit, and the tasks that a meeting starts with the meetings that were not briefed',
  },
  {
    folder: 'operations/backup',
    tables: ['meeting', 'evidence'],
    reason: 'a backup and an export contain every table',
  },
]

/** The folder that declares each table in its `tables.ts`. Only its files write the table. */
function findTableOwners(): Record<string, string> {
  const files = ['src/db/schema.ts', ...globSync('src/**/tables.ts', { cwd: root })]
  return Object.fromEntries(
    files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const [, tables = ''] = /interface Database \{\n(.*?)\n {0,2}\}\n/s.exec(text) ?? []
      const names = [...tables.matchAll(/^ {2,4}(\w+): \{$/gm)].map(([, name = '']) => name)
      return names.map((name) => [name, folderOf(file)])
    }),
  )
}

/** The table names in a file's SQL, by how the SQL uses them. */
function tablesIn(text: string): { written: string[]; read: string[] } {
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, table]) => table ?? '')
  return {
    written: [
      ...named(/\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g),
      ...named(/\b(?:insert into|update|delete from|truncate)\s+"?(\w+)/g),
    ],
    read: [
      ...named(/\.(?:selectFrom|innerJoin|leftJoin)\(\s*'(\w+)/g),
      ...named(/\b(?:from|join)\s+"?(\w+)/g),
    ],
  }
}

test('only the owner of a table writes it, and only listed folders read it besides the owner', () => {
  const owners = findTableOwners()
  const mayRead = (folder: string, table: string) =>
    ALLOWED_FOREIGN_TABLE_READS.some(
      (row) => row.folder === folder && row.tables.some((name) => name === table),
    )
  const offences = globSync('src/**/*.ts', {
    cwd: root,
    exclude: ['**/*.test.ts', 'src/db/migrations/**'],
  }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    // Other files have no SQL, and their prose may use the same words.
    if (!/from 'kysely'|db\/database\.ts'|\/store\.ts'/.test(text)) return []
    const folder = folderOf(file)
    const { written, read } = tablesIn(withoutComments(text))
    const isForeign = (table: string) => Object.hasOwn(owners, table) && owners[table] !== folder
    return [
      ...written.filter(isForeign).map((table) => `${file} writes ${table}`),
      ...read
        .filter((table) => isForeign(table) && !mayRead(folder, table))
        .map((table) => `${file} reads ${table}`),
    ]
  })
  assert.deepEqual([...new Set(offences)], [])
})

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

test("every justified read of another folder's table is in use", () => {
  const unused = ALLOWED_FOREIGN_TABLE_READS.flatMap(({ folder, tables }) => {
    const texts = globSync(`src/${folder}/**/*.ts`, { cwd: root, exclude: ['**/*.test.ts'] }).map(
      (file) => withoutComments(readFileSync(join(root, file), 'utf8')),
    )
    const read = new Set(texts.flatMap((text) => tablesIn(text).read))
    return tables.filter((table) => !read.has(table)).map((table) => `${folder}: ${table}`)
  })
  assert.deepEqual(unused, [])
})

/** Every module of the service that the console's bundle contains. */
function bundledModules(): string[] {
  const found = new Set<string>()
  const add = ({ to, isType }: Import) => {
    if (isType || !to.startsWith('src/') || found.has(to)) return
    found.add(to)
    importsOf(to).forEach(add)
  }
  globSync('web/**/*.{ts,tsx}', { cwd: root }).flatMap(importsOf).forEach(add)
  return [...found].toSorted()
}

test('the console is rebuilt when a module of the service in its bundle changes', () => {
  const listed = readFileSync(join(root, 'src/console/build-console.ts'), 'utf8')
  const missing = bundledModules().filter(
    (file) => !listed.includes(`'${file}'`) && !listed.includes(`'${dirname(file)}'`),
  )
  assert.deepEqual(missing, [])
})

test('the console bundle does not contain zod', () => {
  const importers = bundledModules().filter((file) =>
    /from 'zod'/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(importers, [])
})

test('what the service runs needs no package for development', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>
  }
  const isForDevelopment = (name: string) => lock.packages[`node_modules/${name}`]?.dev === true
  const code = globSync('{src,stage,client,receiver}/**/*.{ts,js}', {
    cwd: root,
    exclude: ['**/*.test.ts'],
  }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)]
      .filter(([, type]) => type === undefined)
      .map(([, , fixed, dynamic]) => ({ file, name: fixed ?? dynamic ?? '' })),
  )
  const offences = code.filter(({ name }) =>
    isForDevelopment(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''),
  )
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
  const offences = globSync('{src,bin,test,bench,faults,scripts,stage,web}/**/*.{ts,tsx,mjs,js}', {
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

/** Files that read the machine's clock, and why they may. All other code gets a Clock. */
const MACHINE_CLOCK_READERS: Record<string, string> = {
  'src/lib/time/clock.ts': 'defines the clock of the machine',
  'src/projects/index/index-entry.ts': 'compares it with the change time of a file',
  'src/db/embedded/postmaster.ts': 'compares it with the change time of a file',
  'src/tasks/prompts/template/template-variables.ts': 'sample values for a trial',
  'src/tasks/running/document-tools.ts': 'compares it with the change times of files',
  'src/cli/commands/listen/listen.ts': 'prints it beside a line of output',
}

test('only listed files read the clock of the machine, so that nodes compare times of one clock', () => {
  const readers = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).filter((file) =>
    /\bDate\.now\(\)|\bnew Date\(\)/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(readers.toSorted(), Object.keys(MACHINE_CLOCK_READERS).toSorted())
  const users = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).filter((file) =>
    /\bsystemClock\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(users.toSorted(), [
    'src/cli/commands/account.ts',
    'src/cli/commands/backup.ts',
    'src/cli/commands/rehearse-against.ts',
    'src/cli/commands/token.ts',
    'src/deliveries/transport.ts',
    'src/lib/time/clock.ts',
    // Compares a file's time with the clock of the machine that wrote it.
    'src/speech/install/install-lock.ts',
    'src/storage/open-storage.ts',
  ])
})
