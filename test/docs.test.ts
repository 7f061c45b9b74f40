import { strict as assert } from 'node:assert'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { createProgram } from '../src/cli/program.ts'
import { SETTINGS } from '../src/config/settings.ts'
import { calculateMaxBots } from '../src/meetings/attending/claiming/capacity.ts'
import { DOC_TABLES, readRows, toAnchor } from '../scripts/doc-tables.ts'

const root = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
/** Documents whose links are checked. */
const LINKED = '{*.md,docs/**/*.md,examples/**/*.md,clients/*/*.md}'

for (const table of DOC_TABLES) {
  test(`the table of ${table.content} in ${table.file} matches the code`, () => {
    const hint = 'node bin/with-node.mjs scripts/doc-tables.ts --write'
    assert.deepEqual(readRows(table), table.rows(), hint)
  })
}

test('every link between documents points to an existing file', () => {
  const broken = globSync(LINKED, { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target]) => join(dirname(file), target ?? ''))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${file} → ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('every link to a heading points to an existing heading', () => {
  const broken = globSync(LINKED, { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].flatMap(
      ([, target = '', anchor = '']) => {
        const page = target === '' ? file : join(dirname(file), target)
        const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
          toAnchor(text),
        )
        return headings.includes(anchor) ? [] : [`${file} → ${page}#${anchor}`]
      },
    ),
  )
  assert.deepEqual(broken, [])
})

test('every package that the service or the console contains has one row that says why it stays, and there are at most 52', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >
  const consoleFiles = globSync('web/**/*.{ts,tsx}', { cwd: root })
  const consoleCode = consoleFiles.filter((name) => !name.includes('.test.')).map(read)
  const isInConsole = (name: string) =>
    consoleCode.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`))
  const document = read('docs/decisions/0015-each-dependency-has-a-reason.md')
  const rows = [...document.matchAll(/^\| `([^`]+)` \| [^|]+ \| [^|]+ \|$/gm)]
  assert.deepEqual(
    rows.map(([, name]) => name),
    [...Object.keys(dependencies), ...Object.keys(devDependencies).filter(isInConsole)].toSorted(),
  )
  assert.ok(rows.length <= 52)
})

test('the sizing table in docs/bots.md matches the code', () => {
  const [, section = ''] = read('docs/bots.md').split('## Sizing')
  const rows = [...section.matchAll(/^\| (\d+) GB \| (\d+) \| (\d+) \|$/gm)]
  assert.equal(rows.length, 5)
  for (const [row, memory, cores, bots] of rows) {
    const size = { memoryMb: Number(memory) * 1024, cores: Number(cores) }
    assert.equal(calculateMaxBots(size), Number(bots), row)
  }
})

test('the limits of event streams in docs/api.md are the defaults', () => {
  const text = read('docs/api.md').replaceAll(/\s+/g, ' ')
  const [, ...limits] =
    /have ([\d,]+) event streams open, an IP address ([\d,]+), and all together ([\d,]+)/.exec(
      text,
    ) ?? []
  const { streamsPerCaller, streamsPerAddress, streamsPerNode } = SETTINGS
  assert.deepEqual(
    limits.map((limit) => limit.replaceAll(',', '')),
    [streamsPerCaller, streamsPerAddress, streamsPerNode].map((setting) => setting.default),
  )
})

test('every npm script that a document names exists in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = globSync('{*.md,docs/**/*.md}', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/npm run ([a-z]+)/g)].map(([, name]) => name ?? ''),
  )
  assert.deepEqual(
    named.filter((name) => scripts[name] === undefined),
    [],
  )
})

test('the command table in README.md lists every command', () => {
  const [, table = ''] = read('README.md').split('## Command line')
  const named = [...table.matchAll(/^\|(.*?)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z]+(?:[ -][a-z]+)*)/g)].map(([, name = '']) => name.trim()),
  )
  const all = createProgram().commands.flatMap((command) =>
    command.commands.length === 0
      ? [command.name()]
      : command.commands.map((inner) => `${command.name()} ${inner.name()}`),
  )
  assert.deepEqual(named.toSorted(), all.toSorted())
})

test('no example runs hansard through npx', () => {
  // The package is not published, so npx outside a clone could run another author's package with that name.
  const offences = globSync('{docs,examples,web,client,receiver,src}/**/*.{md,ts,tsx,js}', {
    cwd: root,
  }).filter((file) => /npx hansard|"npx",\s*"args": \["hansard"/.test(read(file)))
  assert.deepEqual(offences, [])
})
