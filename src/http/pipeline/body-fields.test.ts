import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { z } from 'zod'
import { limitProblems, parseBody, findUnknownFields } from './body-fields.ts'

const BODY = z.object({
  title: z.string(),
  kinds: z.array(z.enum(['daily', 'weekly'])).optional(),
  sizes: z.record(z.string(), z.number()).optional(),
})

test('an answer names and suggests at most 20 unknown fields, and cuts long names', () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `titl${i % 10}${i}`)
  const body = Object.fromEntries([['x'.repeat(1_000), 1], ...names.map((name) => [name, 1])])
  const found = findUnknownFields(body, BODY)
  assert.equal(found.length, 21)
  assert.deepEqual(found[0], { path: `${'x'.repeat(64)}…`, message: 'Unknown field, ignored' })
  assert.equal(found[1]?.message, 'Unknown field, ignored; did you mean title?')
  assert.deepEqual(found.at(-1), {
    path: 'body',
    message: 'More unknown fields were ignored: 4981',
  })
  assert.deepEqual(parseBody(body, BODY, found).problems, [
    { path: 'title', message: 'Is missing; you sent titl00, did you mean title?' },
  ])
})

test('an answer names at most 20 problems, each with a short path, and counts the others', () => {
  const key = 'k'.repeat(10_000)
  const body = {
    title: 'a',
    sizes: { [key]: 'x' },
    kinds: Array.from({ length: 500 }, () => 'dail'),
  }
  const { problems } = parseBody(body, BODY, [])
  assert.equal(problems.length, 501)
  const suggested = problems.filter(({ message }) => message.includes('did you mean'))
  assert.ok(suggested.length <= 20 && suggested.length > 0)
  const limited = limitProblems(problems)
  assert.equal(limited.length, 21)
  assert.deepEqual(limited.at(-1), { path: 'body', message: 'More problems were found: 481' })
  assert.ok(problems.some(({ path }) => path === `sizes.${'k'.repeat(64)}…`))
})
