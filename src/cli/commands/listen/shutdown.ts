import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../../lib/error-code.ts'
import type { Forwarder } from './forwarder.ts'

/** How a command that runs until it is told otherwise comes to its end. */
export interface ShutdownControl extends Disposable {
  signal: AbortSignal
  /** Whether it was told to end: nothing new is begun. */
  isStopping(): boolean
  /** It cannot go on. */
  fail(error: unknown): void
  /** Throws what made it end, unless that was as wanted. */
  throwIfFailed(): void
}

/** What is under way gets so long. */
const GRACE_MS = 3_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const STOPPED_ON_REQUEST = Symbol('ended as wanted')

/** The first signal, or the end of whoever reads our output, ends it once what is under way is done. */
export function createShutdownControl(
  underWay: () => Pick<Forwarder, 'whenIdle'>,
): ShutdownControl {
  const controller = new AbortController()
  const { signal } = controller
  let isNear = false

  const end = async () => {
    if (isNear) return
    isNear = true
    await Promise.race([underWay().whenIdle(), sleep(GRACE_MS, null, { ref: false })])
    controller.abort(STOPPED_ON_REQUEST)
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
    isStopping: () => isNear,
    fail: (error) => controller.abort(error),
    throwIfFailed() {
      if (signal.aborted && signal.reason !== STOPPED_ON_REQUEST) throw signal.reason
    },
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}
