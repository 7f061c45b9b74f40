import { Stack } from '@mantine/core'
import { BackLink } from '../../ui/links.tsx'
import { PageTitle } from '../../ui/layout.tsx'

/** The header of a page whose task or run could not be loaded. The error is shown below it. */
export function LoadFailedHeader({ title }: { title: string }) {
  return (
    <Stack gap={4}>
      <BackLink to="/tasks">Tasks</BackLink>
      <PageTitle>{title}</PageTitle>
    </Stack>
  )
}
