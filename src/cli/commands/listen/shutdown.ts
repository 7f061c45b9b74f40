import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../../lib/error-code.ts'
import type { CallbackForwarder } from './forwarder.ts'

/** Controls how the command `hansard listen` stops. */
export interface ShutdownControl extends Disposable {
  signal: AbortSignal
  /** True after the command was asked to stop; it then starts no new work. */
  isStopping(): boolean
  /** Stops the command immediately because of an error. */
  fail(error: unknown): void
  /** Throws the error that stopped the command; does nothing when it was asked to stop. */
  throwIfFailed(): void
}

/** When `hansard listen` stops, it waits this long for callbacks that it is still forwarding. */
const GRACE_MS = 3_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const STOPPED_ON_REQUEST = Symbol('stopped on request')

/**
 * Stops `hansard listen` on the first signal, or when the reader of its output closes the pipe. Callbacks that are
 * being forwarded may finish first.
 */
export function createShutdownControl(
  forwarder: () => Pick<CallbackForwarder, 'whenIdle'>,
): ShutdownControl {
  const controller = new AbortController()
  const { signal } = controller
  let isStopping = false

  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await Promise.race([forwarder().whenIdle(), sleep(GRACE_MS, null, { ref: false })])
    controller.abort(STOPPED_ON_REQUEST)
  }
  const onSignal = () => void stop()
  const onOutputError = (error: Error) => {
    if (errorCode(error) === 'EPIPE') onSignal()
    else controller.abort(error)
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  process.stdout.on('error', onOutputError)
  return {
    signal,
    isStopping: () => isStopping,
    fail: (error) => controller.abort(error),
    throwIfFailed() {
      if (signal.aborted && signal.reason !== STOPPED_ON_REQUEST) throw signal.reason
    },
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}
