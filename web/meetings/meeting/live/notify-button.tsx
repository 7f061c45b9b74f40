import { Button } from '@mantine/core'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { CheckIcon } from '../../../ui/icons.tsx'
import { followMeeting, unfollowMeeting, useIsFollowed } from './followed-meetings.ts'

const TEXTS = {
  on: 'This browser tells you when the bot waits in the lobby, can’t join, or the meeting ends. Keep a Hansard tab open: without one, nothing is sent.',
  off: 'Notifications are off for this meeting.',
  denied:
    'Your browser blocks notifications from Hansard. Allow them in the browser’s settings for this site, then try again.',
  dismissed: 'The browser needs your permission to notify you. Try again and choose “Allow”.',
} as const

/** True if this browser can show notifications. Most phones need an installed app for that. */
const isSupported = () => 'Notification' in window && !/Android|iPhone/.test(navigator.userAgent)

interface NotifyButtonProps {
  meeting: ApiMeetingDetail
  /** Called with the result of the button, or why it failed. */
  onMessage: (text: string) => void
}

/** Turns notifications about a meeting on and off. The browser asks for permission only when the button is pressed. */
export function NotifyButton({ meeting, onMessage }: NotifyButtonProps) {
  const { meetingId } = meeting
  const isOn = useIsFollowed(meetingId)
  if (!isSupported()) return null
  const toggle = async () => {
    if (isOn) {
      unfollowMeeting(meetingId)
      return onMessage(TEXTS.off)
    }
    const permission = await Notification.requestPermission()
    if (permission !== 'granted') {
      return onMessage(permission === 'denied' ? TEXTS.denied : TEXTS.dismissed)
    }
    followMeeting(meetingId)
    onMessage(TEXTS.on)
  }
  return (
    <Button
      variant="default"
      size="sm"
      aria-pressed={isOn}
      leftSection={isOn ? <CheckIcon /> : undefined}
      onClick={() => void toggle()}
    >
      Notify me
    </Button>
  )
}
