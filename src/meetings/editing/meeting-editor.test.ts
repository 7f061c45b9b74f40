import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { ServiceError } from '../../errors.ts'
import { requireStartChange } from './meeting-editor.ts'

const now = new Date('2026-11-15T12:00:00Z')

function problemOf(platform: 'imported' | 'google_meet', startedAt: string): string | undefined {
  try {
    requireStartChange({ platform }, new Date(startedAt), now)
  } catch (error) {
    if (error instanceof ServiceError) return error.extras.details?.[0]?.message
    throw error
  }
  return undefined
}

test('only the start of an imported meeting can be changed, and not to a time that is far ahead', () => {
  assert.equal(problemOf('imported', '2020-01-01T00:00:00Z'), undefined)
  assert.match(problemOf('imported', '2026-11-17T00:00:00Z') ?? '', /a day from now/)
  assert.match(problemOf('google_meet', '2020-01-01T00:00:00Z') ?? '', /imported meeting/)
})
