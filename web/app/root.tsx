import { Button, Stack } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { AppStateProvider, useAppStateQuery } from '../api/app-state.tsx'
import { ErrorBox } from '../ui/feedback/error-box.tsx'
import { CenteredCardPage } from './layout/signed-out-layout.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { LoadingIndicator } from '../ui/feedback/loading-indicator.tsx'

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
