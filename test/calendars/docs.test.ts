import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { UPCOMING_REASON_TEXTS } from '../../src/calendars/planning/reasons.ts'

test('docs/calendars.md lists every reason with its text', () => {
  const file = join(import.meta.dirname, '../../docs/calendars.md')
  const rows = readFileSync(file, 'utf8').matchAll(/^\| `(\w+)` \| ([^|]+) \|$/gm)
  const documented = new Map([...rows].map(([, reason, text]) => [reason, text]))
  for (const [reason, text] of Object.entries(UPCOMING_REASON_TEXTS))
    assert.equal(documented.get(reason), text)
})
