import { fileURLToPath } from 'node:url'
import { onAbort } from '../../lib/async/abort.ts'
import { workerModuleUrl } from '../../lib/async/run-in-thread.ts'
import { SAMPLE_RATE } from '../sound.ts'
import type { EngineFiles } from '../workers/process/sherpa-engine.ts'
import { startWorkerProcess, type WorkerProgram } from '../workers/worker-process.ts'

const TIME_LIMIT_MS = 120_000

export function createWorkerProgram(files: EngineFiles): WorkerProgram {
  return {
    entry: fileURLToPath(workerModuleUrl('../workers/process/sherpa-worker', import.meta.url)),
    args: [JSON.stringify(files)],
  }
}

/**
 * Loads the runtime and the weights in a worker process and lets it recognize a tone. Returns null if that works,
 * otherwise the problem. Rejects if the signal aborts.
 */
export async function findEngineProblem(
  files: EngineFiles,
  signal: AbortSignal,
): Promise<string | null> {
  signal.throwIfAborted()
  let problem = ''
  const outcome = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => end('it did not answer in time'), TIME_LIMIT_MS)
    const worker = startWorkerProcess(createWorkerProgram(files), {
      onMessage(message) {
        if (message.type === 'unusable') problem = message.reason
        if (message.type === 'ready') sendTone(worker.send)
        if (message.type === 'heard' && message.hasEnded) end(null)
      },
      onEnd: (reason) => end(problem || worker.output() || reason),
    })
    const unsubscribe = onAbort(signal, () => end(null))
    function end(result: string | null) {
      clearTimeout(timer)
      unsubscribe()
      worker.kill()
      resolve(result)
    }
  })
  signal.throwIfAborted()
  return outcome?.trim().slice(0, 500) ?? null
}

function sendTone(send: ReturnType<typeof startWorkerProcess>['send']): void {
  const key = { session: 1, voice: 'test', isRecording: false }
  const samples = Int16Array.from(
    { length: SAMPLE_RATE },
    (_, index) => 8_000 * Math.sin((index * 440 * 2 * Math.PI) / SAMPLE_RATE),
  )
  send({ type: 'sound', ...key, position: 0, startsAt: 0, samples })
  send({ type: 'end', ...key })
}
