import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { toServiceError } from './error-handler.ts'

test('a deadlock, a serialization failure and a lock time-out are 503 with a time to retry', () => {
  for (const code of ['40P01', '40001', '55P03']) {
    const error = toServiceError(Object.assign(new Error('rolled back'), { code }))
    assert.deepEqual([error.status, error.extras.retryAfterSeconds], [503, 5], code)
  }
})
