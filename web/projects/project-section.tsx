import { Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface ProjectSectionProps {
  id: string
  title: string
  /** A link to the page with the full list. */
  more: ReactNode
  children: ReactNode
}

/** A part of a project's page that shows the beginning of a list. */
export function ProjectSection({ id, title, more, children }: ProjectSectionProps) {
  return (
    <Stack gap="sm" component="section" aria-labelledby={id}>
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {more}
      </Group>
      {children}
    </Stack>
  )
}
