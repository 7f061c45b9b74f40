import type { Db } from '../../db/database.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import { saveExecutionProgress } from '../execution-store.ts'
import type { LiveOutput, LiveOutputs } from './live-output.ts'

const SAVE_INTERVAL_MS = 500

export interface ProgressWriter extends AsyncDisposable {
  stop(): Promise<void>
}

type Parts = {
  db: Db
  log: Log
  nodeId: string
  executionId: string
  output: LiveOutput
  outputs: LiveOutputs
}

/** Stores what an execution says while it says it, for those who watch on other nodes or come later. */
export function startProgressWriter({
  db,
  log,
  nodeId,
  executionId,
  output,
  outputs,
}: Parts): ProgressWriter {
  const wakeUp = createWakeUp()
  const stopping = new AbortController()
  const loop = async () => {
    let stored = ''
    while (!stopping.signal.aborted) {
      await wakeUp.sleep(SAVE_INTERVAL_MS)
      const { text } = output
      if (stopping.signal.aborted || text === stored) continue
      try {
        await saveExecutionProgress(db, executionId, nodeId, { output: text })
        stored = text
        outputs.notify(executionId)
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
