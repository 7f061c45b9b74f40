import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { FuzzShard, RouteResult } from './fuzz/fuzz-worker.ts'

/** Each with a service of its own, so that this is not what everything else has to wait for. */
const THREADS = 2
const SHARDS = Array.from({ length: THREADS }, (_, part): FuzzShard => ({
  seed: 20_260_115,
  runs: 2_000,
  part,
  parts: THREADS,
}))
/** There are many routes: far more than it takes on a machine that has little else to do. */
const TIME_LIMIT_MS = 900_000

test(
  'whatever is thrown at a route, it never fails inside and always says what was wrong',
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
