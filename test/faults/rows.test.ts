import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatRow, formatSummary, verdictOf } from '../../faults/report.ts'
import { RECEIVER_KINDS } from '../../faults/rows/receiver-kinds.ts'
import { FAULT_ROWS } from '../../faults/fault-table.ts'

test('CONTRIBUTING.md lists every row of the faults in their order', () => {
  const text = readFileSync(join(import.meta.dirname, '../../CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = text.split('\n## Faults\n')
  const [table = ''] = section.split('\n## ')
  const named = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  assert.deepEqual(named, Object.keys(FAULT_ROWS))
})

test('there are thirty kinds of receivers, each with another name', () => {
  assert.equal(new Set(RECEIVER_KINDS.map(({ name }) => name)).size, 30)
})

test('a row fails when it has a problem, and a skipped row is neither passed nor failed', () => {
  const about = 'something breaks'
  const rows = [
    { figure: '0 lost', values: {}, problems: [] },
    { figure: '3 lost', values: {}, problems: ['3 events lost'] },
    { skipped: 'not as root' },
  ].map((result, i) => ({ name: `row-${i}`, about, seconds: 1.4, result }))
  assert.deepEqual(
    rows.map(({ result }) => verdictOf(result)),
    ['pass', 'FAIL', 'skip'],
  )
  assert.match(rows.map(formatRow).join('\n'), /FAIL {2}row-1 .* 3 lost\n {6}3 events lost\n/)
  assert.equal(formatSummary(rows), '1 passed, 1 failed, 1 skipped')
})
