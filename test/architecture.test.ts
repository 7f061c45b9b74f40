import { strict as assert } from 'node:assert'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { ALLOWED_FOREIGN_TABLE_READS, MAY_IMPORT } from './architecture-rules.ts'

const root = join(import.meta.dirname, '..')

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
