import { VisuallyHidden } from '@mantine/core'
import type { WireDeliveryFigures } from '../../src/http/shapes/deliveries.ts'

const HEIGHT = 48
const STEP = 10
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** Attempts per hour as stacked bars, delivered below and failed above. Screen readers get a table instead. */
export function HourlyChart({ hours }: { hours: WireDeliveryFigures['hours'] }) {
  const maxCount = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed))
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (count / maxCount) * HEIGHT))
  return (
    <>
      <svg
        aria-hidden
        className="hours-chart"
        viewBox={`0 0 ${hours.length * STEP} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
      >
        <rect className="bar-ground" y={HEIGHT} width={hours.length * STEP} height="1" />
        {hours.map(({ at, delivered, failed }, i) => {
          const [low, high] = [heightOf(delivered), heightOf(failed)]
          const x = i * STEP + 1
          return (
            <g key={at}>
              <title>{`${timeFormat.format(new Date(at))}: ${delivered} delivered, ${failed} failed`}</title>
              <rect className="bar-ok" x={x} y={HEIGHT - low} width={STEP - 2} height={low} />
              <rect
                className="bar-bad"
                x={x}
                y={Math.max(0, HEIGHT - low - high)}
                width={STEP - 2}
                height={high}
              />
            </g>
          )
        })}
      </svg>
      <VisuallyHidden>
        <table>
          <caption>Delivery attempts per hour</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Delivered</th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {hours
              .filter(({ delivered, failed }) => delivered + failed > 0)
              .map(({ at, delivered, failed }) => (
                <tr key={at}>
                  <th scope="row">{timeFormat.format(new Date(at))}</th>
                  <td>{delivered}</td>
                  <td>{failed}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  )
}
