import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { z } from 'zod'
import { describeValidationIssue } from './validation.ts'

const CASES: Array<[schema: z.ZodType, given: unknown, message: string]> = [
  [z.string(), undefined, 'Is missing'],
  [z.enum(['a', 'b']), undefined, 'Is missing'],
  [z.string(), null, 'Is missing: null counts as not given'],
  [z.string(), 7, 'Must be a string, but is a number'],
  [z.string(), ['a'], 'Must be a string, but is an array'],
  [z.boolean(), 'true', 'Must be true or false, but is a string'],
  [z.int(), 'ten', 'Must be a number, but is a string'],
  [z.int(), 2.5, 'Must be a whole number'],
  [z.number().int(), 2.5, 'Must be a whole number'],
  [z.object({}), true, 'Must be an object, but is true'],
  [z.record(z.string(), z.string()), 'a', 'Must be an object, but is a string'],
  [z.string().min(1), '', 'Must not be empty'],
  [z.string().min(8), 'abc', 'Must have at least 8 characters'],
  [z.string().max(3), 'abcd', 'Must have at most 3 characters, but has 4'],
  [z.array(z.string()).min(1), [], 'Must not be empty'],
  [z.array(z.string()).max(1), ['a', 'b'], 'Must have at most 1 item, but has 2'],
  [z.int().min(1_000), 5, 'Must be at least 1000'],
  [z.number().lt(5), 5, 'Must be less than 5'],
  [z.literal('stop'), 'go', 'Must be stop'],
  [z.enum(['json', 'md', 'txt']), 'pdf', 'Must be json, md or txt'],
  [z.enum(['json', 'md', 'txt']), 'jsn', 'Must be json, md or txt; did you mean json?'],
  [z.email(), 'ada', 'Must be an email address such as ada@example.com'],
  [z.string().regex(/^a/), 'b', 'Is not in the required format'],
  [z.string().regex(/^a/, 'Must begin with a'), 'b', 'Must begin with a'],
  [z.string().refine(() => false), 'b', 'Is not valid'],
  [z.union([z.string(), z.int()]), true, 'Is not one of the values that are allowed here'],
  [z.strictObject({}), { a: 1, b: 2 }, 'Has unknown fields: a, b'],
  [z.number().multipleOf(5), 7, 'Must be a multiple of 5'],
]

test('a problem without a text of its schema gets a sentence for people', () => {
  for (const [schema, given, message] of CASES) {
    const { error } = schema.safeParse(given, { error: describeValidationIssue })
    assert.deepEqual(
      error?.issues.map((issue) => issue.message),
      [message],
    )
  }
})
