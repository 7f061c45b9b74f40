import { Card, Stack, Title } from '@mantine/core'
import { Fragment, useId, type ReactNode } from 'react'

interface FactsCardProps {
  title: string
  facts: Array<[name: string, value: ReactNode]>
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
        {facts.length > 0 && (
          <dl className="facts">
            {facts.map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          </dl>
        )}
        {children}
      </Stack>
    </Card>
  )
}
