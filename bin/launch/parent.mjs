const POLL_MS = 250

/**
 * Under `npm start` the parent is npm or its shell, and a signal may end only the parent; this process must
 * then stop too. Without npm, for example under a service manager, the parent is not watched. Returns a
 * function that ends the watch.
 */
export function watchParent(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return () => {}
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, POLL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
