import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useApi } from '../../../api/app-state.tsx'
import { useMeetingEvents, useRecapItemChanges } from '../../../api/event-stream-context.tsx'
import { useBatchedCallback } from '../../../api/use-batched-callback.ts'
import { MAY_BE_MISSING, type ApiClient } from '../../../api/client.ts'
import { RECAP_KEY } from '../../../actions/queries.ts'

/** The recap, or why there is none. */
export type RecapResult =
  | { recap: ApiRecap; missing: null }
  | { recap: null; missing: { reason: string; isBeingMade: boolean } }

const POLL_MS = 2_000
/** A model may need minutes, so the page polls less often after some time. */
const SLOW_POLL = { afterReads: 15, ms: 5_000 }

/** The recap of an ended meeting. While it is being made, it is polled until it is ready. */
export function useRecap(meetingId: string) {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = [RECAP_KEY, meetingId]
  const refresh = useBatchedCallback(() => void queries.invalidateQueries({ queryKey }))
  useMeetingEvents((event) => {
    if (event.type === 'recap_ready' && event.meetingId === meetingId) refresh()
  })
  useRecapItemChanges((changedId) => {
    if (changedId === meetingId) refresh()
  })
  return useQuery({
    queryKey,
    queryFn: async () => {
      const result = await fetchRecap(api, meetingId)
      return keepDeletedActions(queries.getQueryData<RecapResult>(queryKey), result)
    },
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (data === undefined || !isBeingMade(data)) return false
      return dataUpdateCount > SLOW_POLL.afterReads ? SLOW_POLL.ms : POLL_MS
    },
  })
}

/** An action item that was deleted on this page stays in its place, where it can be restored. */
function keepDeletedActions(shown: RecapResult | undefined, next: RecapResult): RecapResult {
  const deleted = (shown?.recap?.actions ?? [])
    .map((action, index) => ({ action, index }))
    .filter(({ action }) => action.state === 'deleted')
  if (next.recap === null || deleted.length === 0) return next
  const actions = [...next.recap.actions]
  for (const { action, index } of deleted) {
    const isBack = actions.some(({ actionId }) => actionId === action.actionId)
    if (!isBack) actions.splice(index, 0, action)
  }
  return { ...next, recap: { ...next.recap, actions } }
}

export function isBeingMade({ recap, missing }: RecapResult): boolean {
  return recap === null ? missing.isBeingMade : recap.status === 'in_progress'
}

/** Makes the recap again in the background. The page shows it when it is ready. */
export function useMakeRecap(meetingId: string): () => Promise<void> {
  const api = useApi()
  const queries = useQueryClient()
  return async () => {
    await api.meetings.makeRecap(meetingId)
    await queries.invalidateQueries({ queryKey: [RECAP_KEY, meetingId] })
  }
}

async function fetchRecap(api: ApiClient, meetingId: string): Promise<RecapResult> {
  try {
    const recap = await api.meetings.recap(meetingId, MAY_BE_MISSING)
    return { recap, missing: null }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'recap_not_ready') throw error
    // The API sends a retry time only if the recap is being made.
    const isComing = error.retryAfterSeconds !== undefined
    return { recap: null, missing: { reason: error.message, isBeingMade: isComing } }
  }
}
