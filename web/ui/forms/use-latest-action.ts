import { useState } from 'react'
import { createLatestQueue } from './latest-queue.ts'

export interface LatestAction<Input> {
  run: (input: Input) => Promise<void>
  isRunning: boolean
  error: unknown
}

/**
 * Like `useAction`, for a value that the user may change again before it is saved. A second change is not lost: it is
 * sent when the previous request has ended.
 */
export function useLatestAction<Input>(work: (input: Input) => Promise<void>): LatestAction<Input> {
  const [queue] = useState(createLatestQueue)
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function run(input: Input): Promise<void> {
    setRunning(true)
    const isLast = await queue.run(async () => {
      setError(null)
      try {
        await work(input)
      } catch (problem) {
        setError(problem)
      }
    })
    if (isLast) setRunning(false)
  }

  return { run, isRunning, error }
}
