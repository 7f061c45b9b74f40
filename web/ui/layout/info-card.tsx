import { Card, Stack, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { DescriptionList, type DescriptionItem } from './description-list.tsx'

interface InfoCardProps {
  title: string
  facts: DescriptionItem[]
  children?: ReactNode
}

/** A titled card with a description list and optional content below it. */
export function InfoCard({ title, facts, children }: InfoCardProps) {
  const id = useId()
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} id={id}>
          {title}
        </Title>
        {facts.length > 0 && <DescriptionList facts={facts} />}
        {children}
      </Stack>
    </Card>
  )
}
