import { useState } from 'react'

export interface Action<Input extends unknown[]> {
  run: (...input: Input) => Promise<void>
  isRunning: boolean
  error: unknown
  reset: () => void
}

/**
 * One change sent to the server. TanStack's mutations are not used on purpose: they keep what was sent and
 * answered (passwords, keys) in a cache that outlives the form.
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
