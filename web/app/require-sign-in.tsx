import { Navigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useAppState } from '../api/app-state.tsx'
import { EventStreamProvider } from '../api/event-stream-context.tsx'
import { AppLayout } from './layout/app-layout.tsx'

/** Sends everybody else to the page that lets them in. */
export function RequireSignIn() {
  const { user, setupNeeded } = useAppState()
  if (setupNeeded) return <Navigate to="/setup" replace />
  if (!user) return <RedirectToSignIn />
  return (
    <EventStreamProvider>
      <AppLayout />
    </EventStreamProvider>
  )
}

/** Remembers where the person wanted to go; once only, because the location changes while it navigates. */
function RedirectToSignIn() {
  const { state } = useRouter()
  const [wanted] = useState(state.location.href)
  return <Navigate to="/sign-in" search={wanted === '/' ? {} : { next: wanted }} replace />
}
