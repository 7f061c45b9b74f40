import { useState } from 'react'

export interface Action<Input extends unknown[]> {
  run: (...input: Input) => Promise<void>
  isRunning: boolean
  error: unknown
  reset: () => void
}

/**
 * Runs one request that changes something, and tracks its state. Does not use TanStack mutations, because their cache
 * would keep request and response (passwords, keys) after the form is closed.
 */
export function useAction<Input extends unknown[]>(
  work: (...input: Input) => Promise<void>,
): Action<Input> {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function run(...input: Input): Promise<void> {
    if (isRunning) return
    setRunning(true)
    setError(null)
    try {
      await work(...input)
    } catch (problem) {
      setError(problem)
    } finally {
      setRunning(false)
    }
  }

  return { run, isRunning, error, reset: () => setError(null) }
}
