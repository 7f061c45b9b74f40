import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { workerModuleUrl } from './run-in-thread.ts'

test('a worker module has the extension of its caller, also in folders with unusual names', () => {
  const table: Array<[string, string]> = [
    ['file:///a/b/read-thread.ts', 'file:///a/b/read-worker.ts'],
    ['file:///a/b/read-thread.js', 'file:///a/b/read-worker.js'],
    ['file:///a%20b/%23/x.y/read-thread.js', 'file:///a%20b/%23/x.y/read-worker.js'],
  ]
  for (const [caller, expected] of table)
    assert.equal(workerModuleUrl('read-worker', caller).href, expected)
  assert.equal(
    workerModuleUrl('worker/feed-worker', 'file:///a/reader.js').href,
    'file:///a/worker/feed-worker.js',
  )
})
