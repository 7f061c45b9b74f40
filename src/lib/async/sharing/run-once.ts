/** Runs `work` on the first call. Later calls get the same promise, so that a second `close` waits for the first. */
export function runOnce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  return () => (running ??= work())
}
