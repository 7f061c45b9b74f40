import { useEffect, useState } from 'react'

/** Events often arrive in bursts, so one refresh per interval is enough. */
const BATCH_MS = 400

/** Returns a function that calls the `work` of its last call once, `BATCH_MS` after the first. */
export function useBatchedCallback(work: () => void): () => void {
  const [batch] = useState(() => createBatch(BATCH_MS))
  useEffect(() => batch.cancel, [batch])
  return () => batch.request(work)
}

/** Runs the latest work, because the page may show another meeting by then. */
export function createBatch(delayMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = () => {}
  return {
    request(work: () => void): void {
      latest = work
      timer ??= setTimeout(() => {
        timer = undefined
        latest()
      }, delayMs)
    },
    cancel(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
