import { Button, Stack } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { AppStateProvider, useStateQuery } from './app-state.tsx'
import { ErrorBox } from './ui/error-box.tsx'
import { FrameBox } from './ui/frame.tsx'
import { PageTitle } from './ui/page-title.tsx'
import { Waiting } from './ui/waiting.tsx'

/** Nothing can be shown before the server has said who is there. */
export function Root() {
  const { data, error, refetch, isFetching } = useStateQuery()
  if (data) {
    return (
      <AppStateProvider value={data}>
        <Outlet />
      </AppStateProvider>
    )
  }
  return (
    <FrameBox>
      {error ? (
        <Stack>
          <PageTitle>Hansard cannot be reached</PageTitle>
          <ErrorBox error={error} />
          <Button onClick={() => void refetch()} loading={isFetching}>
            Try again
          </Button>
        </Stack>
      ) : (
        <Waiting what="Loading the console" />
      )}
    </FrameBox>
  )
}
