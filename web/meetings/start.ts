import { useNavigate } from '@tanstack/react-router'
import type { WireStarted } from '../../src/http/shapes/meetings.ts'
import { useApi } from '../app-state.tsx'
import { useRefreshMeetings } from './queries.ts'

export type StartWish = {
  url: string
  title?: string
  project?: string
  callbackUrl?: string
  tokenId?: string
}

/** A meeting without a meeting: about two minutes of four people, through everything a real one goes through. */
export const PRACTICE: StartWish = {
  url: 'practice://standup',
  title: 'Practice stand-up',
  project: 'practice',
}

/** The address under which the console's inbox listens. */
export const INBOX = 'inbox'

/** Starts a meeting and goes to its page. */
export function useStart(): (wish: StartWish) => Promise<void> {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useRefreshMeetings()
  return async (wish) => {
    const { meetingId } = await api.post<WireStarted>('/web/meetings/start', wish)
    void refresh()
    await navigate({ to: '/meetings/$meetingId', params: { meetingId } })
  }
}
