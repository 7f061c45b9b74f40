import { Button, Stack } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorBox } from '../ui/feedback/error-box.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'

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
