import { Stack } from '@mantine/core'
import { TextLink } from '../ui/links.tsx'
import { PageTitle } from '../ui/page-title.tsx'

/** The head of a page whose task or run could not be read; the reason stands below it. */
export function NotThere({ title }: { title: string }) {
  return (
    <Stack gap={4}>
      <TextLink to="/tasks" size="sm">
        ← Tasks
      </TextLink>
      <PageTitle>{title}</PageTitle>
    </Stack>
  )
}
