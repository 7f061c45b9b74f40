import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseJsonBody } from './json-body.ts'

test('a body that is nested too deeply or has too many values is refused before it is parsed', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const list = (count: number) => `[${Array.from({ length: count }, () => 1).join()}]`
  assert.ok(Array.isArray(parseJsonBody(nested(64))))
  assert.ok(Array.isArray(parseJsonBody(list(20_000))))
  assert.deepEqual(parseJsonBody(JSON.stringify({ text: '[,{'.repeat(50_000) })), {
    text: '[,{'.repeat(50_000),
  })
  for (const [text, problem] of [
    [nested(65), 'more than 64 levels of nesting'],
    [list(20_001), 'more than 20,000 values'],
  ] as const)
    assert.throws(() => parseJsonBody(text), {
      code: 'invalid_json',
      message: `The request body has ${problem}`,
    })
})
