import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionHeaderProps {
  title: string
  about: string
  children?: ReactNode
}

/** A part of a page: its title, one sentence, and at the end its main button. */
export function SectionHeader({ title, about, children }: SectionHeaderProps) {
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <div>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" size="sm" maw={560} mt={4}>
          {about}
        </Text>
      </div>
      {children}
    </Group>
  )
}
