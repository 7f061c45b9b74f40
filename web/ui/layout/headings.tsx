import { Title, Group, Text } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { markDirectionControls } from '../format/format-text.ts'
import { Name } from '../format/name.tsx'

interface PageTitleProps {
  children: string
  /** The title of the browser tab, if it differs from the page's. */
  tabTitle?: string
}

/** The only h1 of a page. Also sets the browser tab's title. */
export function PageTitle({ children, tabTitle = children }: PageTitleProps) {
  useDocumentTitle(`${markDirectionControls(tabTitle)} · Hansard`)
  return (
    <Title order={1}>
      <Name>{children}</Name>
    </Title>
  )
}

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
