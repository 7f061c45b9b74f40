import { Card, Stack, Title } from '@mantine/core'
import { Fragment, useId, type ReactNode } from 'react'

export type DescriptionItem = [name: string, value: ReactNode]

/** A list of names with one value each. */
export function DescriptionList({ facts }: { facts: readonly DescriptionItem[] }) {
  return (
    <dl className="description-list">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

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
