import { useState } from 'react'
import type { ApiAction } from '../../src/http/shapes/meetings/recap.ts'
import type { ActionItemState } from '../../src/http/shapes/values.ts'
import { useLatestAction } from '../ui/forms/use-latest-action.ts'
import { useChangeAction } from './queries.ts'

/**
 * The state of an action item and how to change it. It changes at once, and back if the request fails. A change during
 * a request is saved by another request.
 */
export function useActionState(action: ApiAction): {
  state: ActionItemState
  setState: (state: ActionItemState) => void
  error: unknown
} {
  const save = useChangeAction()
  const [wanted, setWanted] = useState<ActionItemState>(action.state)
  const change = useLatestAction((state: ActionItemState) => save(action.actionId, { state }))
  return {
    state: change.isRunning ? wanted : action.state,
    setState: (state) => {
      setWanted(state)
      void change.run(state)
    },
    error: change.error,
  }
}
