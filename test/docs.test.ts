import { strict as assert } from 'node:assert'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { SETTINGS } from '../src/config.ts'
import { ERRORS } from '../src/errors.ts'
import { EVENTS } from '../src/meetings/events.ts'

const root = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const settings: Array<{ env: string; default?: string; about: string; isSecret?: true }> =
  Object.values(SETTINGS)

test('docs/configuration.md has a row for each setting, in order, and no other', () => {
  const rows = read('docs/configuration.md')
    .split('\n')
    .filter((line) => /^\| `[A-Z_]+` \|/.test(line))
  const expected = settings.map(
    (row) =>
      `| \`${row.env}\` | ${row.default === undefined ? '' : `\`${row.default}\``} | ${row.about}${row.isSecret ? ' (secret)' : ''} |`,
  )
  assert.deepEqual(rows, expected)
})

test('.env.example names each setting with its default, and no other', () => {
  const lines = read('.env.example')
    .split('\n')
    .filter((line) => /^#?[A-Z_]+=/.test(line))
  assert.deepEqual(
    lines,
    settings.map((row) => `#${row.env}=${row.default ?? ''}`),
  )
})

test('docs/api.md has a row for each error, in order, and no other', () => {
  const rows = read('docs/api.md')
    .split('\n')
    .filter((line) => /^\| \d{3} \|/.test(line))
  const expected = Object.entries(ERRORS).map(
    ([code, { status, text }]) => `| ${status} | \`${code}\` | ${text} |`,
  )
  assert.deepEqual(rows, expected)
})

test('docs/events.md has a row for each event, in order, and no other', () => {
  const rows = read('docs/events.md')
    .split('\n')
    .filter((line) => /^\| `[a-z_]+` \|/.test(line))
  const expected = Object.entries(EVENTS).map(([type, { about, isKept, payload }]) => {
    const fields = Object.keys(payload.shape).map((name) => `\`${name}\``)
    return `| \`${type}\` | ${about} | ${isKept ? 'yes' : 'no'} | ${fields.join(', ')} |`
  })
  assert.deepEqual(rows, expected)
})

test('every link between documents leads to a file', () => {
  const broken = globSync('{*.md,docs/**/*.md}', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target]) => join(dirname(file), target ?? ''))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${file} → ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('every command that a document names exists in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = globSync('{*.md,docs/**/*.md}', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/npm run ([a-z]+)/g)].map(([, name]) => name ?? ''),
  )
  assert.deepEqual(
    named.filter((name) => scripts[name] === undefined),
    [],
  )
})
