import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../../api/app-state.tsx'
import { useRefreshMeetings } from '../../queries.ts'

export type RetryChanges = { account?: string | null; withoutCallbacks?: true }

/** Starts an ended meeting again, and opens the new one's page. */
export function useRetryMeeting(meetingId: string): (changes: RetryChanges) => Promise<void> {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useRefreshMeetings()
  return async (changes) => {
    const started = await api.meetings.retry(meetingId, changes)
    void refresh()
    await navigate({ to: '/meetings/$meetingId', params: { meetingId: started.meetingId } })
  }
}

/** The bot accounts that can be used for a meeting. */
export function useUsableBotAccounts() {
  const api = useApi()
  return useQuery({
    queryKey: ['bot-accounts'],
    queryFn: () => api.botAccounts.list(),
  })
}
