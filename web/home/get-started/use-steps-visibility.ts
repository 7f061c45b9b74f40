import { useState } from 'react'
import { HIDDEN_LIST_KEY } from '../../../src/http/shapes/values.ts'
import { useChangeMark, useMarks } from '../../account/use-marks.ts'
import { useLatestAction } from '../../ui/forms/use-latest-action.ts'

interface StepsVisibility {
  isLoaded: boolean
  isShown: boolean
  /** True if the user has hidden the list since the page was opened. */
  wasHidden: boolean
  setHidden: (isHidden: boolean) => void
  error: unknown
}

/**
 * Decides whether the page shows the list of first steps. This state belongs to the page instead of the list, because
 * an error must stay visible after the list, or the note in its place, has disappeared.
 */
export function useStepsVisibility(): StepsVisibility {
  const marks = useMarks()
  const change = useChangeMark()
  const [wasHidden, setWasHidden] = useState(false)
  const { run, error } = useLatestAction((isHidden: boolean) =>
    change('get_started', HIDDEN_LIST_KEY, isHidden),
  )
  return {
    isLoaded: marks.isLoaded,
    isShown: marks.isLoaded && !marks.has('get_started', HIDDEN_LIST_KEY),
    wasHidden,
    setHidden: (isHidden) => {
      if (isHidden) setWasHidden(true)
      void run(isHidden)
    },
    error,
  }
}
