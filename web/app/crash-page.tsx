import { Button, Stack } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorBox } from '../ui/feedback/error-box.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'

/** The last net: a page that threw while it was drawn. */
export function CrashPage({ error }: ErrorComponentProps) {
  return (
    <Stack p="xl" maw={640} align="flex-start">
      <PageTitle>This page broke</PageTitle>
      <ErrorBox error={error} />
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </Stack>
  )
}
