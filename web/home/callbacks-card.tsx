import { Group, Text } from '@mantine/core'
import { DayFigures } from '../deliveries/day-figures.tsx'
import { useFigures } from '../deliveries/queries.ts'
import { FactsCard } from '../ui/facts-card.tsx'
import { TextLink } from '../ui/links.tsx'

/** Nothing until something was sent. */
export function CallbacksCard() {
  const { data } = useFigures()
  if (!data || data.delivered + data.failed === 0) return null
  return (
    <FactsCard title="Callbacks, 24 hours" facts={[]}>
      <DayFigures figures={data} />
      <Group justify="flex-end">
        <Text size="sm">
          <TextLink to="/deliveries">All deliveries</TextLink>
        </Text>
      </Group>
    </FactsCard>
  )
}
