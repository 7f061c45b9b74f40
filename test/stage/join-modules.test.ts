import { strict as assert } from 'node:assert'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { joinModules } from '../../stage/server/join-modules.ts'
import { requireEnv } from '../support/database/test-database.ts'

const FILES = {
  'main.js': `import { one, two as second } from './a.js'\nimport {\n  three,\n} from './b.js'\nexport const all = [one, second(), await three()]`,
  'a.js': `import { count } from './count.js'\nconst own = 'a'\nexport const one = own + count()\nexport function two() {\n  return own + count()\n}`,
  'b.js': `import { count } from './count.js'\nconst own = 'b'\nexport async function three() {\n  return own + count()\n}`,
  'count.js': 'let n = 0\nexport function count() {\n  return (n += 1)\n}',
}

test('joined modules keep their own names, and a module that two others import runs once', async () => {
  const folder = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'modules-'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const joined = joinModules(join(folder, 'main.js'))
  assert.doesNotMatch(joined, /^import/m)
  const { all } = (await import(`data:text/javascript,${encodeURIComponent(joined)}`)) as {
    all: string[]
  }
  assert.deepEqual(all, ['a1', 'a2', 'b3'])
})
