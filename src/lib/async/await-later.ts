/**
 * Marks a promise that is awaited later, so that a rejection before that does not count as unhandled. The error is not
 * lost: the code that awaits the returned promise gets it.
 */
export function preventUnhandledRejection<T>(promise: Promise<T>): Promise<T> {
  promise.then(undefined, () => undefined)
  return promise
}

/** Waits until a promise is fulfilled or rejected. Its error is left to the code that awaits the promise itself. */
export function waitUntilSettled(promise: Promise<unknown>): Promise<void> {
  return promise.then(
    () => undefined,
    () => undefined,
  )
}
