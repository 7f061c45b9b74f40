import { Navigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useAppState } from '../api/app-state.tsx'
import { EventStreamProvider } from '../api/event-stream-context.tsx'
import { MeetingNotifier } from '../meetings/meeting/live/meeting-notifier.tsx'
import { AppLayout } from './layout/app-layout.tsx'

/** Redirects users who are not signed in to the setup or sign-in page. */
export function RequireSignIn() {
  const { user, setupNeeded } = useAppState()
  if (setupNeeded) return <Navigate to="/setup" replace />
  if (!user) return <RedirectToSignIn />
  return (
    <EventStreamProvider>
      <AppLayout />
      <MeetingNotifier />
    </EventStreamProvider>
  )
}

/** Passes on the requested path. Reads it only once, because the location changes during the redirect. */
function RedirectToSignIn() {
  const { state } = useRouter()
  const [requested] = useState(state.location.href)
  return <Navigate to="/sign-in" search={requested === '/' ? {} : { next: requested }} replace />
}
