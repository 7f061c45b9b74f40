import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { TOOLS } from '../../src/mcp/tool-table.ts'

test('docs/assistants.md lists exactly the tools, in order', () => {
  const rows = readFileSync(join(INSTALLATION_FOLDER, 'docs/assistants.md'), 'utf8').matchAll(
    /^\| `(\w+)` \|/gm,
  )
  assert.deepEqual(
    [...rows].map(([, name]) => name),
    TOOLS.map(({ name }) => name),
  )
})
