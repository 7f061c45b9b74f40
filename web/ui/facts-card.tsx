import { Card, Stack, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { Facts, type Fact } from './facts.tsx'

interface FactsCardProps {
  title: string
  facts: Fact[]
  children?: ReactNode
}

/** Some facts under a title, and what there is to say or do about them. */
export function FactsCard({ title, facts, children }: FactsCardProps) {
  const id = useId()
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} id={id}>
          {title}
        </Title>
        {facts.length > 0 && <Facts facts={facts} />}
        {children}
      </Stack>
    </Card>
  )
}
