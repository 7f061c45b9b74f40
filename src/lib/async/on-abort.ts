const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `run` once when the signal aborts; the returned function unsubscribes. All callbacks of a signal share one
 * event listener, because adding and removing listeners is slow on hot paths.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let callbacks = callbacksBySignal.get(signal)
  if (callbacks === undefined) {
    const all = new Set<() => void>()
    callbacksBySignal.set(signal, all)
    signal.addEventListener('abort', () => all.forEach((one) => one()), { once: true })
    callbacks = all
  }
  const all = callbacks
  // A new function each time, so that the same `run` can be registered twice.
  const callback = () => run()
  all.add(callback)
  return () => void all.delete(callback)
}
