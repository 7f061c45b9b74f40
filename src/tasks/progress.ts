import type { Db } from '../db/open.ts'
import { createWakeUp } from '../lib/wake-up.ts'
import type { Log } from '../log.ts'
import { saveProgress } from './execution-store.ts'
import type { Output, Outputs } from './output.ts'

const EVERY_MS = 500

export interface Progress extends AsyncDisposable {
  stop(): Promise<void>
}

type Parts = {
  db: Db
  log: Log
  nodeId: string
  executionId: string
  output: Output
  outputs: Outputs
}

/** Stores what an execution says while it says it, for those who watch on other nodes or come later. */
export function keepProgress({ db, log, nodeId, executionId, output, outputs }: Parts): Progress {
  const wakeUp = createWakeUp()
  const stopping = new AbortController()
  const loop = async () => {
    let stored = ''
    while (!stopping.signal.aborted) {
      await wakeUp.sleep(EVERY_MS)
      const { text } = output
      if (stopping.signal.aborted || text === stored) continue
      try {
        await saveProgress(db, executionId, nodeId, { output: text })
        stored = text
        outputs.tell(executionId)
      } catch (error) {
        log.warn({ err: error, executionId }, 'output not stored')
      }
    }
  }
  const looping = loop()
  const stop = async () => {
    stopping.abort()
    wakeUp.wake()
    await looping
  }
  return { stop, [Symbol.asyncDispose]: stop }
}
