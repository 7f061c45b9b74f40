import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findLongText, parseJsonBytes } from './parse-json.ts'

const parse = (text: string) => parseJsonBytes(Buffer.from(text))

test('a body that is nested too deeply or has too many values is refused before it is parsed', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const list = (count: number) => `[${Array.from({ length: count }, () => 1).join()}]`
  assert.ok('value' in parse(nested(64)))
  assert.ok('value' in parse(list(20_000)))
  const value = { text: '[,{'.repeat(50_000) }
  assert.deepEqual(parse(JSON.stringify(value)), { value })
  for (const [text, problem] of [
    [nested(65), 'more than 64 levels of nesting'],
    [list(20_001), 'more than 20,000 values'],
  ] as const)
    assert.deepEqual(parse(text), { problem: { text: `The request body has ${problem}` } })
})

test('a long text or name is refused if only one field may have one', () => {
  const long = 'x'.repeat(70_000)
  const check = (body: object) => parseJsonBytes(Buffer.from(JSON.stringify(body)), 'content')
  assert.ok('value' in check({ content: long }))
  assert.deepEqual(check({ a: { title: long } }), { longText: 'a.title' })
  assert.deepEqual(check({ [long]: 1 }), { longText: 'x'.repeat(64) })
})

test('a long text is found at any depth, except in one field', () => {
  const body = { content: 'x'.repeat(11), list: [{ name: 'y' }, { name: 'y'.repeat(11) }] }
  assert.equal(findLongText(body, 10, 'content'), 'list.1.name')
  assert.equal(findLongText(body, 10, 'name'), 'content')
  assert.equal(findLongText(body, 11, 'content'), null)
})
