import { Stack } from '@mantine/core'
import { TextLink } from '../../ui/links.tsx'
import { PageTitle } from '../../ui/layout/page-title.tsx'

/** The header of a page whose task or run could not be loaded. The error is shown below it. */
export function LoadFailedHeader({ title }: { title: string }) {
  return (
    <Stack gap={4}>
      <TextLink to="/tasks" size="sm">
        ← Tasks
      </TextLink>
      <PageTitle>{title}</PageTitle>
    </Stack>
  )
}
