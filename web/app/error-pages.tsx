import { Button, Stack, Text } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { CenteredCardPage } from './layout/signed-out-layout.tsx'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { PageTitle } from '../ui/layout/headings.tsx'
import { ButtonLink } from '../ui/links.tsx'

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
