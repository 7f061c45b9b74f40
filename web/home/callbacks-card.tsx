import { Group, Text } from '@mantine/core'
import { Last24HoursFigures } from '../deliveries/day-figures.tsx'
import { useDeliveryFigures } from '../deliveries/queries.ts'
import { InfoCard } from '../ui/layout/info-card.tsx'
import { TextLink } from '../ui/links.tsx'

/** Callback statistics of the last 24 hours. Hidden when no callback was sent. */
export function CallbacksCard() {
  const { data } = useDeliveryFigures()
  if (!data || data.delivered + data.failed === 0) return null
  return (
    <InfoCard title="Callbacks in the last 24 hours" facts={[]}>
      <Last24HoursFigures figures={data} />
      <Group justify="flex-end">
        <Text size="sm">
          <TextLink to="/deliveries">All deliveries</TextLink>
        </Text>
      </Group>
    </InfoCard>
  )
}
