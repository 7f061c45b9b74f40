import { Navigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useAppState } from '../app-state.tsx'
import { LiveProvider } from '../live/live.tsx'
import { Layout } from './layout.tsx'

/** Sends everybody else to the page that lets them in. */
export function SignedIn() {
  const { user, setupNeeded } = useAppState()
  if (setupNeeded) return <Navigate to="/setup" replace />
  if (!user) return <ToSignIn />
  return (
    <LiveProvider>
      <Layout />
    </LiveProvider>
  )
}

/** Remembers where the person wanted to go; once only, because the location changes while it navigates. */
function ToSignIn() {
  const { state } = useRouter()
  const [wanted] = useState(state.location.href)
  return <Navigate to="/sign-in" search={wanted === '/' ? {} : { next: wanted }} replace />
}
