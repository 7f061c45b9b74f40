const POLL_MS = 250

/**
 * Under `npm start` the parent is npm or the shell it opened; a signal may end that one alone.
 * Started by hand or by a service manager there is no such parent to follow.
 */
export function watchParent(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, POLL_MS)
  timer.unref()
}
