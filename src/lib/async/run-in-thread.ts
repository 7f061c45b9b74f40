import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { onAbort } from './abort.ts'

type ThreadOptions = {
  /** Ends the thread. The result is then rejected with the signal's reason. */
  signal?: AbortSignal
  /** Work that takes longer ends the thread. */
  maxMs?: number
  /** Work that needs more memory ends the thread, but not the service. */
  maxMemoryMb?: number
  /** Buffers of the input that the caller no longer needs. They are moved instead of copied. */
  transfer?: ArrayBuffer[]
}

/** The work of a thread needed more time or memory than allowed. */
export class ThreadLimitExceeded extends Error {
  readonly resource: 'time' | 'memory'

  constructor(resource: 'time' | 'memory') {
    super(`the thread needed too much ${resource}`)
    this.resource = resource
  }
}

/** Runs a module in its own thread with the input as `workerData`. The result is the first message that it posts. */
export async function runInThread<Result>(
  module: URL,
  input: unknown,
  { signal, maxMs, maxMemoryMb, transfer = [] }: ThreadOptions,
): Promise<Result> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const worker = new Worker(module, {
    workerData: input,
    transferList: transfer,
    // A thread needs no settings, so it gets no secrets.
    env: {},
    ...(maxMemoryMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } }),
  })
  worker.once('message', resolve)
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitExceeded('memory') : error),
  )
  // Has no effect if the thread has answered or failed.
  worker.once('exit', () => reject(new Error(`the thread of ${module.pathname} ended`)))
  const timer =
    maxMs === undefined
      ? undefined
      : setTimeout(() => reject(new ThreadLimitExceeded('time')), maxMs)
  const unsubscribe = signal && onAbort(signal, () => reject(signal.reason))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    unsubscribe?.()
    void worker.terminate()
  }
}

/**
 * The URL of a module that another thread or process runs, named without its extension, relative to the caller. A clone
 * runs `.ts` sources and the npm package compiled `.js` files, so the extension is the caller's. The packaging script
 * includes every module whose name ends with `-worker`.
 */
export function workerModuleUrl(name: `${string}-worker`, caller: string): URL {
  return new URL(`${name}${extname(new URL(caller).pathname)}`, caller)
}
