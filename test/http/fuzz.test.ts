import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { Order, Thrown } from './fuzz/throw.ts'

const ORDER: Order = { seed: 20_260_115, runs: 2_000 }
/** There are many routes: far more than it takes on a machine that has little else to do. */
const TIME_LIMIT_MS = 900_000

test(
  'whatever is thrown at a route, it never fails inside and always says what was wrong',
  { timeout: TIME_LIMIT_MS },
  async (t) => {
    const worker = new Worker(new URL('fuzz/throw.ts', import.meta.url), { workerData: ORDER })
    const checks: Array<Promise<void>> = []
    worker.on('message', ({ route, failure }: Thrown) => {
      checks.push(t.test(route, () => assert.equal(failure, null)))
    })
    const [code] = (await once(worker, 'exit')) as [number]
    assert.equal(code, 0)
    assert.ok(checks.length > 20, `only ${checks.length} paths`)
    await Promise.all(checks)
  },
)
