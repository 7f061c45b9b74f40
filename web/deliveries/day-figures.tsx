import { Group, Stack, Text } from '@mantine/core'
import type { ApiDeliveryFigures } from '../../src/http/shapes/deliveries.ts'
import { BarChart } from '../ui/charts/bar-chart.tsx'

/** Delivery statistics of the last 24 hours: success rate, counts, latencies and a chart. */
export function Last24HoursFigures({ figures }: { figures: ApiDeliveryFigures }) {
  const { delivered, failed, medianMs, p95Ms, hours } = figures
  const share = (delivered / (delivered + failed)) * 100
  // The success rate is rounded down, so that it never shows 100 % if a delivery failed.
  const rounded = failed > 0 ? Math.min(99.9, Math.floor(share * 10) / 10) : 100
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xl">
        <Figure value={`${rounded}%`} label="Success rate" isLarge />
        <Figure value={delivered.toLocaleString('en')} label="Delivered" />
        <Figure value={failed.toLocaleString('en')} label="Failed" />
        {medianMs !== null && <Figure value={`${medianMs} ms`} label="Median" />}
        {p95Ms !== null && <Figure value={`${p95Ms} ms`} label="p95" />}
      </Group>
      <HourlyChart hours={hours} />
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

type Hour = ApiDeliveryFigures['hours'][number]

const hourFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const hourNameFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** Attempts per hour as stacked bars, delivered below and failed above. */
function HourlyChart({ hours }: { hours: readonly Hour[] }) {
  const failed = hours.map((hour) => hour.failed)
  const delivered = hours.map((hour) => hour.delivered)
  const middle = hours[Math.floor(hours.length / 2)]
  return (
    <BarChart
      label="Delivery attempts per hour of the last 24 hours"
      unit="Attempts per hour"
      series={[
        {
          name: 'Failed',
          colour: 'bad',
          values: hours.map((hour) => hour.delivered + hour.failed),
          tooltipValues: failed,
        },
        { name: 'Delivered', colour: 'good', values: delivered },
      ]}
      format={formatCount}
      barName={(index) => nameHour(hours[index])}
      xLabels={['24 hours ago', ...(middle ? [formatHour(middle)] : []), 'Now']}
    />
  )
}

/** Attempts are whole numbers, so the axis leaves steps between them without a number. */
function formatCount(count: number): string {
  return Number.isInteger(count) ? count.toLocaleString('en') : ''
}

function formatHour({ at }: Hour): string {
  return hourFormat.format(new Date(at))
}

function nameHour(hour: Hour | undefined): string {
  return hour === undefined ? '' : hourNameFormat.format(new Date(hour.at))
}
