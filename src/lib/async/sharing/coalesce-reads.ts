/**
 * Calls with the same key in one turn of the event loop share one read. The read starts after that turn, so no caller
 * gets a result that is older than its call.
 */
export function coalesceReadsInSameTick<Result>(): (
  key: string,
  read: () => Promise<Result>,
) => Promise<Result> {
  const pending = new Map<string, Promise<Result>>()
  return (key, read) => {
    const shared = pending.get(key)
    if (shared !== undefined) return shared
    const result = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      pending.delete(key)
      return read()
    })
    pending.set(key, result)
    return result
  }
}
