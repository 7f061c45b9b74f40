/**
 * Marks a promise that is awaited later, so that an earlier rejection is not reported as unhandled. The error is not
 * lost, because the code that awaits the returned promise gets it.
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
