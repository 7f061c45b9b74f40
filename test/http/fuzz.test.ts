import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { FuzzShard, RouteResult } from './fuzz/fuzz-worker.ts'

/** Each thread starts a separate service, so that this test does not slow down the whole run. */
const THREADS = 2
const SHARDS = Array.from({ length: THREADS }, (_, part): FuzzShard => ({
  seed: 20_260_115,
  runs: 2_000,
  part,
  parts: THREADS,
}))
/** Much longer than needed on an idle machine, because there are many routes. */
const TIME_LIMIT_MS = 900_000

test(
  'no generated request causes an internal error, and every rejection has an error message',
  { timeout: TIME_LIMIT_MS },
  async (t) => {
    const checks: Array<Promise<void>> = []
    const codes = await Promise.all(
      SHARDS.map(async (workerData) => {
        const worker = new Worker(new URL('fuzz/fuzz-worker.ts', import.meta.url), { workerData })
        worker.on('message', ({ route, failure }: RouteResult) => {
          checks.push(t.test(route, () => assert.equal(failure, null)))
        })
        const [code] = (await once(worker, 'exit')) as [number]
        return code
      }),
    )
    assert.deepEqual(codes, [0, 0])
    assert.ok(checks.length > 20, `only ${checks.length} paths`)
    await Promise.all(checks)
  },
)
