import { Group, Stack, Text } from '@mantine/core'
import type { WireDeliveryFigures } from '../../src/http/shapes/deliveries.ts'
import { HourlyChart } from './hourly-chart.tsx'

/** How callbacks fared in the last 24 hours: one number first, then what it is made of. */
export function DayFigures({ figures }: { figures: WireDeliveryFigures }) {
  const { delivered, failed, medianMs, p95Ms, hours } = figures
  const share = (delivered / (delivered + failed)) * 100
  // Nothing but all of it is 100 %.
  const rounded = failed > 0 ? Math.min(99.9, Math.floor(share * 10) / 10) : 100
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xl">
        <Figure value={`${rounded} %`} label="delivered" isLarge />
        <Figure value={delivered.toLocaleString('en')} label="arrived" />
        <Figure value={failed.toLocaleString('en')} label={failed === 1 ? 'failure' : 'failures'} />
        {medianMs !== null && <Figure value={`${medianMs} ms`} label="half within" />}
        {p95Ms !== null && <Figure value={`${p95Ms} ms`} label="95 % within" />}
      </Group>
      <HourlyChart hours={hours} />
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          24 hours ago
        </Text>
        <Text size="xs" c="dimmed">
          now
        </Text>
      </Group>
    </Stack>
  )
}

function Figure({ value, label, isLarge }: { value: string; label: string; isLarge?: boolean }) {
  return (
    <div>
      <Text className="figures one-line" fw={650} fz={isLarge ? 28 : 18} lh={1.2}>
        {value}
      </Text>
      <Text size="sm" c="dimmed" className="one-line">
        {label}
      </Text>
    </div>
  )
}
