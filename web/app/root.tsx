import { Button, Stack, Text } from '@mantine/core'
import { type ErrorComponentProps, Outlet, Navigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { AppStateProvider, useAppStateQuery, useAppState } from '../api/use-api.tsx'
import { EventStreamProvider } from '../api/event-stream-context.tsx'
import { AppLayout } from './layout/app-layout.tsx'
import { CenteredCardPage } from './layout/signed-out-layout.tsx'
import { MeetingNotifier } from '../meetings/meeting/live/meeting-notifier.tsx'
import { ErrorBox, LoadingIndicator } from '../ui/feedback/feedback.tsx'
import { PageTitle } from '../ui/layout.tsx'
import { ButtonLink } from '../ui/links.tsx'

/** Loads the signed-in user before it shows any page. */
export function Root() {
  const { data, error, refetch, isFetching } = useAppStateQuery()
  if (data) {
    return (
      <AppStateProvider value={data}>
        <Outlet />
      </AppStateProvider>
    )
  }
  return (
    <CenteredCardPage>
      {error ? (
        <Stack>
          <PageTitle>Can’t reach Hansard</PageTitle>
          <ErrorBox error={error} />
          <Button onClick={() => void refetch()} loading={isFetching}>
            Try again
          </Button>
        </Stack>
      ) : (
        <LoadingIndicator label="Loading the console" />
      )}
    </CenteredCardPage>
  )
}

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
export function RedirectToSignIn() {
  const { state } = useRouter()
  const [requested] = useState(state.location.href)
  return <Navigate to="/sign-in" search={requested === '/' ? {} : { next: requested }} replace />
}

/** Shown when a page throws while rendering. */
export function CrashPage({ error }: ErrorComponentProps) {
  return (
    <Stack p="xl" maw={640} align="flex-start">
      <PageTitle>Something went wrong</PageTitle>
      <ErrorBox error={error} />
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </Stack>
  )
}

export function NotFoundPage() {
  return (
    <CenteredCardPage>
      <Stack>
        <PageTitle>Page not found</PageTitle>
        <Text>There is no page at this address. The link may be mistyped or out of date.</Text>
        <ButtonLink to="/">Go to the home page</ButtonLink>
      </Stack>
    </CenteredCardPage>
  )
}
