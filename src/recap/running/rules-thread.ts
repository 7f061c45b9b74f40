import { createConcurrencyLimit } from '../../lib/async/queues.ts'
import { runInThread, workerModuleUrl } from '../../lib/async/run-in-thread.ts'
import type { Recap, RecapSource } from '../recap.ts'
import { createRulesRecap } from '../rules-recap.ts'

export type RulesRecapMaker = (source: RecapSource, signal: AbortSignal) => Promise<Recap>

/** A shorter meeting takes less time than starting a thread, and blocks the service too briefly to notice. */
const MAX_CHARS_ON_MAIN_THREAD = 8_000

/** Makes recaps by rules. Long meetings are processed in a worker thread, one at a time. */
export function createRulesRecapMaker(): RulesRecapMaker {
  const limit = createConcurrencyLimit(1)
  return async (source, signal) => {
    const chars = source.segments.reduce((sum, { text }) => sum + text.length, 0)
    if (chars <= MAX_CHARS_ON_MAIN_THREAD) return createRulesRecap(source)
    const worker = workerModuleUrl('rules-worker', import.meta.url)
    return limit(() => runInThread<Recap>(worker, source, { signal }))
  }
}
