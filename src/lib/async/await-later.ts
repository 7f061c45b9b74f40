/**
 * Marks a promise that is awaited later, so that a rejection before that does not count as unhandled. The error is not
 * lost: the code that awaits the returned promise gets it.
 */
export function awaitLater<T>(promise: Promise<T>): Promise<T> {
  promise.then(undefined, () => undefined)
  return promise
}

/** Resolves when the promise settles. An error belongs to the code that awaits the promise itself. */
export function settled(promise: Promise<unknown>): Promise<void> {
  return promise.then(
    () => undefined,
    () => undefined,
  )
}
