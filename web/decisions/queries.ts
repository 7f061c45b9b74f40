import { useQueryClient } from '@tanstack/react-query'
import {
  useMeetingEvents,
  useOnEventStreamOpen,
  useContentChanges,
} from '../api/event-stream-context.tsx'
import { useBatchedCallback } from '../api/use-batched-callback.ts'
import { DECISIONS_KEY } from '../meetings/recap-items/queries.ts'
import { type DecisionFilter, decisionFilterToApiParams } from './decision-filter.ts'
import { useApiPages } from '../api/use-api.tsx'

const LIMIT = 50

/** Decisions; the newest meeting comes first. Read again when a recap is made or a person changes one. */
export function useDecisionList(filter: DecisionFilter) {
  const queries = useQueryClient()
  const refresh = useBatchedCallback(() => {
    void queries.invalidateQueries({ queryKey: [DECISIONS_KEY] })
  })
  useOnEventStreamOpen(refresh)
  useMeetingEvents(({ type }) => {
    if (type === 'recap_ready') refresh()
  })
  useContentChanges('recap_items_changed', refresh)
  return useApiPages([DECISIONS_KEY, filter], (api, cursor) =>
    api.decisions.list({ ...decisionFilterToApiParams(filter), limit: LIMIT, cursor }),
  )
}
