import { useEffect, useRef } from 'react'

/** Events often arrive in bursts; one refresh per interval is enough. */
const BATCH_MS = 400

/** Returns a function that calls `work` after `BATCH_MS`. Further calls within that time have no effect. */
export function useBatchedCallback(work: () => void): () => void {
  const timer = useRef<number | undefined>(undefined)
  useEffect(
    () => () => {
      window.clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return () => {
    if (timer.current !== undefined) return
    timer.current = window.setTimeout(() => {
      timer.current = undefined
      work()
    }, BATCH_MS)
  }
}
