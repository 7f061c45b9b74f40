import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../lib/error-code.ts'
import type { Forwarder } from './forward.ts'

/** How a command that runs until it is told otherwise comes to its end. */
export interface Ending extends Disposable {
  signal: AbortSignal
  /** Whether it was told to end: nothing new is begun. */
  isNear(): boolean
  /** It cannot go on. */
  fail(error: unknown): void
  /** Throws what made it end, unless that was as wanted. */
  settle(): void
}

/** What is under way gets so long. */
const GRACE_MS = 3_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const WANTED = Symbol('ended as wanted')

/** The first signal, or the end of whoever reads our output, ends it once what is under way is done. */
export function createEnding(underWay: () => Pick<Forwarder, 'idle'>): Ending {
  const controller = new AbortController()
  const { signal } = controller
  let isNear = false

  const end = async () => {
    if (isNear) return
    isNear = true
    await Promise.race([underWay().idle(), sleep(GRACE_MS, null, { ref: false })])
    controller.abort(WANTED)
  }
  const onSignal = () => void end()
  const onOutput = (error: Error) => {
    if (errorCode(error) === 'EPIPE') onSignal()
    else controller.abort(error)
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  process.stdout.on('error', onOutput)
  return {
    signal,
    isNear: () => isNear,
    fail: (error) => controller.abort(error),
    settle() {
      if (signal.aborted && signal.reason !== WANTED) throw signal.reason
    },
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}
