const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Runs once when the signal aborts; call what it answers to be forgotten. A signal gets one listener however
 * many wait for it, because adding and removing one costs as much as some of the work it may end.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let runs = waiting.get(signal)
  if (runs === undefined) {
    const all = new Set<() => void>()
    waiting.set(signal, all)
    signal.addEventListener('abort', () => all.forEach((one) => one()), { once: true })
    runs = all
  }
  const all = runs
  // Given twice, it is two that wait.
  const mine = () => run()
  all.add(mine)
  return () => void all.delete(mine)
}
