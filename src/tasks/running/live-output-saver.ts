import type { AreaContext } from '../../db/context.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import { saveExecutionProgress } from '../executions/execution-store.ts'
import type { LiveOutput, LiveOutputs } from './live-output.ts'

const SAVE_INTERVAL_MS = 500

type Parts = AreaContext & {
  nodeId: string
  executionId: string
  output: LiveOutput
  outputs: LiveOutputs
}

/** Stores the output of an execution while it runs, so that readers on other nodes can follow it. */
export function startLiveOutputSaveLoop({ db, log, nodeId, executionId, output, outputs }: Parts) {
  const wakeUp = createWakeableSleep()
  const stopping = new AbortController()
  const loop = async () => {
    let storedText = ''
    while (!stopping.signal.aborted) {
      await wakeUp.sleep(SAVE_INTERVAL_MS)
      const { text } = output
      if (stopping.signal.aborted || text === storedText) continue
      try {
        await saveExecutionProgress(db, executionId, nodeId, { output: text })
        storedText = text
        outputs.notify(executionId)
      } catch (error) {
        log.warn({ err: error, executionId }, 'failed to store execution output')
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

export type LiveOutputSaveLoop = ReturnType<typeof startLiveOutputSaveLoop>
