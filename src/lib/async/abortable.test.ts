import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { abortable } from './abortable.ts'

const never = () => new Promise<never>(() => undefined)

test('abortable work gives its result or its error while the signal does not abort', async () => {
  const { signal } = new AbortController()
  assert.equal(await abortable(Promise.resolve(1), signal), 1)
  await assert.rejects(abortable(Promise.reject(new Error('broken')), signal), /broken/)
})

test('abortable work is given up when the signal aborts, or has aborted before', async () => {
  const stop = new AbortController()
  const waiting = abortable(never(), stop.signal)
  stop.abort(new Error('stopped'))
  await assert.rejects(waiting, /stopped/)
  await assert.rejects(abortable(Promise.resolve(1), stop.signal), /stopped/)
  // The error of the work comes after the end, and must not end the process.
  await assert.rejects(abortable(Promise.reject(new Error('late')), stop.signal), /stopped/)
})
