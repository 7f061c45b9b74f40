import { useNavigate } from '@tanstack/react-router'
import type { SpeechMode } from '../../src/http/shapes/values.ts'
import { useMarkStepDone } from '../account/use-marks.ts'
import type { Capture } from '../../src/http/shapes/values.ts'
import { useApi, useReload } from '../api/use-api.tsx'
import { meetingPage } from '../ui/links.tsx'

export type StartMeetingInput = {
  url: string
  title?: string
  project?: string
  joinAt?: string
  speech?: SpeechMode
  capture?: Capture
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

/** The callback URL of the console's inbox. */
export const INBOX_CALLBACK_URL = `listen:${INBOX_LISTENER_NAME}`

/** Starts a meeting and returns its id. */
export function useStartMeetingInBackground(): (input: StartMeetingInput) => Promise<string> {
  const api = useApi()
  const refresh = useReload('meetings', 'meeting')
  const markStepDone = useMarkStepDone()
  return async (input) => {
    const { meetingId } = await api.meetings.start(input)
    markStepDone(input.url.startsWith('practice:') ? 'practice' : 'real_meeting')
    void refresh()
    return meetingId
  }
}

/** Starts a meeting and opens its page. */
export function useStartMeeting(): (input: StartMeetingInput) => Promise<void> {
  const start = useStartMeetingInBackground()
  const navigate = useNavigate()
  return async (input) => {
    const meetingId = await start(input)
    await navigate(meetingPage(meetingId))
  }
}
