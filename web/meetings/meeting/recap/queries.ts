import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useApi } from '../../../api/app-state.tsx'
import { useMeetingEvents } from '../../../api/event-stream-context.tsx'
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
  useMeetingEvents((event) => {
    if (event.type !== 'recap_ready' || event.meetingId !== meetingId) return
    void queries.invalidateQueries({ queryKey: [RECAP_KEY, meetingId] })
  })
  return useQuery({
    queryKey: [RECAP_KEY, meetingId],
    queryFn: () => fetchRecap(api, meetingId),
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (data === undefined || !isBeingMade(data)) return false
      return dataUpdateCount > SLOW_POLL.afterReads ? SLOW_POLL.ms : POLL_MS
    },
  })
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
