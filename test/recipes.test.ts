import { strict as assert } from 'node:assert'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SECRET_SETTING_NAMES } from '../src/config/settings.ts'
import { EVENT_TYPES } from '../src/http/shapes/values.ts'
import { EVENTS } from '../src/meetings/event-types.ts'
import { runProgram } from './support/service/run-program.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const [, recipes = ''] = /\n## Recipes\n([\s\S]*?)\n## /.exec(read('ARCHITECTURE.md')) ?? []

test('every file and table that a recipe of ARCHITECTURE.md names exists', () => {
  const paths = [...recipes.matchAll(/`((?:src|web|test|docs|scripts)\/[^`\s]+)/g)].map(
    ([, path]) => path ?? '',
  )
  assert.ok(paths.length > 10)
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  )
  const tables = [...recipes.matchAll(/`([A-Z_]+)` of `([^`]+)`/g)]
  assert.ok(tables.length > 0)
  for (const [, table = '', path = ''] of tables) {
    assert.match(read(path), new RegExp(`\\bconst ${table}\\b`))
  }
})

test('to add an event is one row, which the API values and docs/events.md follow', () => {
  const events = Object.keys(EVENTS).toSorted()
  assert.deepEqual([...EVENT_TYPES].toSorted(), events)
  const document = read('docs/events.md')
  for (const event of events) assert.ok(document.includes(`\`${event}\``), event)
})

test('the log redacts every secret setting', async () => {
  assert.ok(SECRET_SETTING_NAMES.includes('browserCdp'))
  const config = Object.fromEntries(SECRET_SETTING_NAMES.map((name) => [name, `secret-of-${name}`]))
  const script = `
    import { createLog } from './src/log.ts'
    const config = ${JSON.stringify(config)}
    createLog('info').info(config, 'at the top')
    createLog('info').info({ config }, 'inside an object')`
  const command = [process.execPath, '--input-type=module', '--eval', script] as const
  const { stderr, code } = await runProgram(command, { cwd: root })
  assert.equal(code, 0, stderr)
  assert.match(stderr, /inside an object/)
  assert.doesNotMatch(stderr, /secret-of-/)
  assert.equal(stderr.split('[hidden]').length - 1, 2 * SECRET_SETTING_NAMES.length)
})
