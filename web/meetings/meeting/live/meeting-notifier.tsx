import { useNavigate } from '@tanstack/react-router'
import { useMeetingEvents } from '../../../api/event-stream-context.tsx'
import { readFollowedMeetings, unfollowMeeting } from './followed-meetings.ts'
import { describeStatusChange } from './meeting-notifications.ts'

/** Sends the notifications that the user asked for, while any page of the console is open. Shows nothing. */
export function MeetingNotifier() {
  const navigate = useNavigate()
  useMeetingEvents((event) => {
    if (event.type !== 'meeting_status') return
    const { meetingId, payload } = event
    const title = readFollowedMeetings()[meetingId]
    if (title === undefined) return
    const notification = describeStatusChange(title, payload)
    if (notification === null) return
    const { heading, body, isLast } = notification
    if (isLast) unfollowMeeting(meetingId)
    showNotification(heading, {
      body,
      // Several tabs send the same one; the browser shows one for each tag.
      tag: `${meetingId} ${payload.status}`,
      onClick: () => void navigate({ to: '/meetings/$meetingId', params: { meetingId } }),
    })
  })
  return null
}

interface NotificationParts {
  body: string
  tag: string
  onClick: () => void
}

function showNotification(heading: string, { body, tag, onClick }: NotificationParts): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const notification = new Notification(heading, { body, tag })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
    onClick()
  })
}
