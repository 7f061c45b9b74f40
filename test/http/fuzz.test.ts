import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { FuzzMessage, FuzzShard } from './fuzz/fuzz-worker.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

/**
 * `TEST_SIZE=full` sends 2,000 new requests to every URL. Other runs send the same requests each time, as many as each
 * kind of URL needs. Each thread starts its own service.
 */
const SIZES: Record<'part' | 'full', { seed: number; runs: number | null; threads: number }> = {
  part: { seed: 20_260_115, runs: null, threads: 1 },
  full: { seed: Date.now() % 2 ** 31, runs: 2_000, threads: 2 },
}
const size = IS_FULL_SIZE ? SIZES.full : SIZES.part
const { seed, runs, threads } = size
const SHARDS = Array.from({ length: threads }, (_, part): FuzzShard => ({
  seed,
  runs,
  part,
  parts: threads,
}))
/** There are many URLs. An idle machine needs far less time. */
const TIME_LIMIT_MS = 900_000

test(
  'every route answers generated requests without an internal error and names the error of a refusal',
  { timeout: TIME_LIMIT_MS },
  async (t) => {
    const checks: Array<Promise<void>> = []
    const urls = new Set<string>()
    const reported = new Set<string>()
    const codes = await Promise.all(
      SHARDS.map(async (workerData) => {
        const worker = new Worker(new URL('fuzz/fuzz-worker.ts', import.meta.url), { workerData })
        worker.on('message', (message: FuzzMessage) => {
          if (message.kind === 'urls') {
            for (const url of message.urls) urls.add(url)
            return
          }
          const { subject, failure } = message
          reported.add(subject)
          checks.push(t.test(subject, () => assert.equal(failure, null)))
        })
        const [code] = (await once(worker, 'exit')) as [number]
        return code
      }),
    )
    assert.ok(
      codes.every((code) => code === 0),
      `the threads exited with ${codes.join()}`,
    )
    assert.ok(reported.size > 100, `only ${reported.size} URLs`)
    assert.deepEqual([...urls.difference(reported)], [])
    await Promise.all(checks)
  },
)
