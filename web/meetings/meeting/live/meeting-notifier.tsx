import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../../api/use-api.tsx'
import type { ApiClient } from '../../../api/client.ts'
import { useMeetingEvents } from '../../../api/event-stream-context.tsx'
import { isFollowed, unfollowMeeting } from './followed-meetings.ts'
import { describeStatusChange } from './meeting-notifications.ts'
import { meetingPage } from '../../../ui/links.tsx'

/** Sends the notifications that the user asked for, while any page of the console is open. Renders nothing. */
export function MeetingNotifier() {
  const navigate = useNavigate()
  const api = useApi()
  useMeetingEvents((event) => {
    if (event.type !== 'meeting_status') return
    const { meetingId, payload } = event
    const notification = isFollowed(meetingId) ? describeStatusChange(payload) : null
    if (notification === null) return
    const { what, body, isLast } = notification
    if (isLast) unfollowMeeting(meetingId)
    void readTitle(api, meetingId).then((title) =>
      showNotification(title === null ? what : `${what}: ${title}`, {
        body,
        // Several tabs send the same notification. The browser shows one for each tag.
        tag: `${meetingId} ${payload.status}`,
        onClick: () => void navigate(meetingPage(meetingId)),
      }),
    )
  })
  return null
}

/** The meeting's current title. Null if it can't be read, because a notification without it is useful too. */
async function readTitle(api: ApiClient, meetingId: string): Promise<string | null> {
  try {
    return (await api.meetings.get(meetingId)).meeting.title
  } catch {
    return null
  }
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
