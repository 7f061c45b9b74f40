import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionHeaderProps {
  title: string
  description: string
  children?: ReactNode
}

/** The header of a page section: title, one-sentence description and main button. */
export function SectionHeader({ title, description, children }: SectionHeaderProps) {
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <div>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" size="sm" maw={560} mt={4}>
          {description}
        </Text>
      </div>
      {children}
    </Group>
  )
}
