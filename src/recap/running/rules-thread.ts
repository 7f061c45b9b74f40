import { Worker } from 'node:worker_threads'
import { createConcurrencyLimit } from '../../lib/async/queues/concurrency-limit.ts'
import { workerModuleUrl } from '../../lib/files/module-url.ts'
import type { Recap, RecapSource } from '../recap.ts'
import { createRulesRecap } from '../rules-recap.ts'

export type RulesRecapMaker = (source: RecapSource, signal: AbortSignal) => Promise<Recap>

/** A shorter meeting takes less time than starting a thread, and blocks the service too briefly to notice. */
const MAX_CHARS_ON_MAIN_THREAD = 8_000

/** Makes recaps by rules, the ones of long meetings in a worker thread, one at a time. */
export function createRulesRecapMaker(): RulesRecapMaker {
  const limit = createConcurrencyLimit(1)
  return async (source, signal) => {
    const chars = source.segments.reduce((sum, { text }) => sum + text.length, 0)
    if (chars <= MAX_CHARS_ON_MAIN_THREAD) return createRulesRecap(source)
    return limit(() => runInThread(source, signal))
  }
}

function runInThread(source: RecapSource, signal: AbortSignal): Promise<Recap> {
  signal.throwIfAborted()
  const worker = new Worker(workerModuleUrl('rules-worker', import.meta.url), {
    workerData: source,
    // The thread needs no settings, and so gets no secrets.
    env: {},
  })
  const { promise, resolve, reject } = Promise.withResolvers<Recap>()
  const stop = () => void worker.terminate()
  worker.once('message', resolve)
  worker.once('error', reject)
  // Without effect when the thread has answered or failed.
  worker.once('exit', () => reject(signal.reason ?? new Error('the recap worker ended')))
  signal.addEventListener('abort', stop, { once: true })
  return promise.finally(() => {
    signal.removeEventListener('abort', stop)
    stop()
  })
}
