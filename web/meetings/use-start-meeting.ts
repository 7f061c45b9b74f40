import { useNavigate } from '@tanstack/react-router'
import type { WireStartedMeeting } from '../../src/http/shapes/meetings/start-meeting.ts'
import { useApi } from '../api/app-state.tsx'
import { useRefreshMeetings } from './queries.ts'

export type StartMeetingInput = {
  url: string
  title?: string
  project?: string
  joinAt?: string
  callbackUrl?: string
  tokenId?: string
}

/** A scripted meeting with four participants, about two minutes long. It runs like a real one, without a platform. */
export const PRACTICE_MEETING_INPUT: StartMeetingInput = {
  url: 'practice://standup',
  title: 'Practice stand-up',
  project: 'practice',
}

/** The listener name of the console's inbox, used in `listen:inbox`. */
export const INBOX_LISTENER_NAME = 'inbox'

/** Starts a meeting and opens its page. */
export function useStartMeeting(): (input: StartMeetingInput) => Promise<void> {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useRefreshMeetings()
  return async (input) => {
    const { meetingId } = await api.post<WireStartedMeeting>('/web/meetings/start', input)
    void refresh()
    await navigate({ to: '/meetings/$meetingId', params: { meetingId } })
  }
}
