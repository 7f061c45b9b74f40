import type { Timers } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import type { MessageToWorker, WorkerProgram } from './worker-process.ts'
import {
  createWorkerSlot,
  type WorkerClient,
  type WorkerSlot,
  type WorkerTimeLimits,
} from './worker-slot.ts'

/** A limited number of worker processes that share the sessions. */
export type WorkerPool = ReturnType<typeof createWorkerPool>

/** One session's connection to its worker. The worker stays the same until the pool is disposed. */
export interface WorkerConnection {
  readonly session: number
  /** Starts the process if needed. Returns true if sound can be sent. */
  wake(): boolean
  send(message: MessageToWorker): void
  close(): void
}

export type WorkerPoolOptions = {
  program: WorkerProgram
  mostWorkers: number
  timers: Timers
  limits: WorkerTimeLimits
  log: Log
}

export function createWorkerPool({ mostWorkers, ...parts }: WorkerPoolOptions) {
  const slots: WorkerSlot[] = []
  let lastSession = 0
  let isDisposed = false

  const findSlot = (): WorkerSlot => {
    const best = slots.toSorted((one, other) => one.sessionCount() - other.sessionCount())[0]
    if (best !== undefined && (best.sessionCount() === 0 || slots.length >= mostWorkers))
      return best
    const added = createWorkerSlot(parts)
    slots.push(added)
    return added
  }

  return {
    /** Gives a session to the worker with the fewest sessions; null if the pool is disposed. */
    connect(client: WorkerClient): WorkerConnection | null {
      if (isDisposed) return null
      lastSession += 1
      const session = lastSession
      const slot = findSlot()
      slot.add(session, client)
      return {
        session,
        wake: slot.wake,
        send: slot.send,
        close: () => slot.remove(session),
      }
    },
    pids: () => slots.map((slot) => slot.pid()).filter((pid) => pid !== undefined),
    [Symbol.dispose]() {
      isDisposed = true
      for (const slot of slots) slot.close()
    },
  }
}
