import { onAbort } from './on-abort.ts'

/** Waits for work until the signal aborts, then rejects with the reason of the signal. The work itself goes on. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const reject = () => aborted.reject(signal.reason as Error)
  const unsubscribe = onAbort(signal, reject)
  if (signal.aborted) reject()
  try {
    return await Promise.race([aborted.promise, work])
  } finally {
    unsubscribe()
  }
}
