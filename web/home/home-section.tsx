import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface HomeSectionProps {
  id: string
  title: string
  /** A link to the page with the full list. */
  more?: ReactNode
  children: ReactNode
}

/** A part of the home page with its heading. */
export function HomeSection({ id, title, more, children }: HomeSectionProps) {
  return (
    <section aria-labelledby={id} className="home-section">
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {more}
      </Group>
      {children}
    </section>
  )
}
