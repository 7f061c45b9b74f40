import type { WireDeliveryFigures } from '../../src/http/shapes/deliveries.ts'
import { BarChart } from '../ui/charts/bar-chart.tsx'

type Hour = WireDeliveryFigures['hours'][number]

const hourFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const hourNameFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** Attempts per hour as stacked bars, delivered below and failed above. */
export function HourlyChart({ hours }: { hours: readonly Hour[] }) {
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
