import { useNavigate } from '@tanstack/react-router'
import type { WireStartedMeeting } from '../../src/http/shapes/meetings.ts'
import { useApi } from '../api/app-state.tsx'
import { useRefreshMeetings } from './queries.ts'

export type StartMeetingInput = {
  url: string
  title?: string
  project?: string
  callbackUrl?: string
  tokenId?: string
}

/** A meeting without a meeting: about two minutes of four people, through everything a real one goes through. */
export const PRACTICE_MEETING: StartMeetingInput = {
  url: 'practice://standup',
  title: 'Practice stand-up',
  project: 'practice',
}

/** The address under which the console's inbox listens. */
export const INBOX_LISTENER = 'inbox'

/** Starts a meeting and goes to its page. */
export function useStartMeeting(): (wish: StartMeetingInput) => Promise<void> {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useRefreshMeetings()
  return async (wish) => {
    const { meetingId } = await api.post<WireStartedMeeting>('/web/meetings/start', wish)
    void refresh()
    await navigate({ to: '/meetings/$meetingId', params: { meetingId } })
  }
}
