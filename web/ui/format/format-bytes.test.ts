import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { formatBytes } from './format-text.ts'

test('a size has a unit that fits it, in the singular for one byte', () => {
  const cases: Array<[number, string]> = [
    [0, '0 bytes'],
    [1, '1 byte'],
    [2, '2 bytes'],
    [999, '999 bytes'],
    [1_536, '1.5 KB'],
    [123_456, '123 KB'],
    [5e12, '5 TB'],
    [5e15, '5,000 TB'],
  ]
  for (const [bytes, text] of cases) assert.equal(formatBytes(bytes), text)
})
