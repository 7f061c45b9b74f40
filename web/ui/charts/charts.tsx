import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import './bar-chart.css'
import { listAxisSteps } from './axis-steps.ts'

export type BarSeries = {
  name: string
  colour: 'good' | 'dark' | 'bad'
  values: ReadonlyArray<number | null>
  /** Values for the tooltip, if they differ from the drawn `values`. A stacked bar is drawn as high as the sum. */
  tooltipValues?: ReadonlyArray<number | null>
}

export interface BarChartProps {
  /** Text alternative for screen readers. */
  label: string
  /** What the axis counts, if `format` does not say it: "callbacks per hour". */
  unit?: string
  /** The series of bars, drawn over each other in this order, oldest bar first. */
  series: readonly BarSeries[]
  format: (value: number) => string
  /** Names one bar: "Run 3 of 20". */
  barName: (index: number, count: number) => string
  /** Texts below the chart, spread over its width. */
  xLabels: readonly string[]
}

/** A chart with fewer bars leaves space, so that its bars are not very wide. */
const MIN_POSITIONS = 8

/** A bar chart with an axis from zero, so that bars are comparable. Pointer and arrow keys show a bar's values. */
export function BarChart(props: BarChartProps) {
  const { label, unit, series, format, xLabels } = props
  const count = series[0]?.values.length ?? 0
  const steps = listAxisSteps(Math.max(0, ...series.flatMap(({ values }) => values.map(Number))))
  const top = steps.at(-1) ?? 1
  const percent = (value: number) => `${(100 * value) / top}%`
  const [active, setActive] = useState<number | null>(null)
  const positions = Math.max(count, MIN_POSITIONS)
  return (
    <div className="chart-box">
      {unit !== undefined && <div className="chart-unit">{unit}</div>}
      <div className="chart">
        <div className="chart-drawing" role="img" aria-label={label}>
          {steps.map((step) => (
            <div key={step} className="chart-line" style={{ insetBlockEnd: percent(step) }}>
              <span>{format(step)}</span>
            </div>
          ))}
          <div className="chart-bars">
            {Array.from({ length: positions }, (_, i) => (
              <div key={i} data-active={i === active || undefined}>
                {series.map(({ name, colour, values }) => (
                  <i
                    key={name}
                    data-colour={colour}
                    style={{ blockSize: percent(values[i] ?? 0) }}
                  />
                ))}
              </div>
            ))}
          </div>
        </div>
        <BarCursor {...props} {...{ count, positions, active, setActive }} />
      </div>
      <div className="chart-x" aria-hidden>
        {xLabels.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
      <Legend series={series} />
    </div>
  )
}

interface BarCursorProps extends BarChartProps {
  count: number
  positions: number
  active: number | null
  setActive: (index: number | null) => void
}

/** Lies over the bars, follows the pointer and the arrow keys, and shows the values of the current bar. */
function BarCursor({ label, count, positions, active, setActive, ...chart }: BarCursorProps) {
  const text = active === null ? '' : describeBar(chart, active, count)
  const showBarAt = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * positions)
    setActive(index >= 0 && index < count ? index : null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setActive(Math.min(Math.max((active ?? count) + step, 0), count - 1))
  }
  if (count === 0) return null
  return (
    <div
      className="chart-cursor"
      role="slider"
      tabIndex={0}
      aria-label={`${label}. The arrow keys read each bar.`}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={(active ?? count - 1) + 1}
      aria-valuetext={describeBar(chart, active ?? count - 1, count)}
      // A tap does not move a pointer, and the finger leaves right after it.
      onPointerDown={showBarAt}
      onPointerMove={showBarAt}
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setActive(null)}
      onFocus={() => setActive(active ?? count - 1)}
      onBlur={() => setActive(null)}
      onKeyDown={onKeyDown}
    >
      {active !== null && (
        <div
          className="chart-tooltip"
          aria-hidden
          data-side={active < positions / 2 ? 'start' : 'end'}
          style={{ insetInlineStart: `${(100 * (active + 0.5)) / positions}%` }}
        >
          {text}
        </div>
      )}
    </div>
  )
}

/** Explains the colours. A chart with one series needs no legend. */
function Legend({ series }: { series: readonly BarSeries[] }) {
  const shown = series.filter(({ values }) => values.some((value) => value))
  if (shown.length < 2) return null
  return (
    <div className="chart-legend">
      {shown.map(({ name, colour }) => (
        <span key={name}>
          <i data-colour={colour} /> {name}
        </span>
      ))}
    </div>
  )
}

type Describable = Pick<BarChartProps, 'series' | 'format' | 'barName'>

/** The values of one bar: "Run 3 of 20, Input: 1.2k, Output: 300". */
function describeBar(
  { series, format, barName }: Describable,
  index: number,
  count: number,
): string {
  const texts = series.flatMap(({ name, values, tooltipValues = values }) => {
    const value = tooltipValues[index] ?? null
    return value === null ? [] : [`${name}: ${format(value)}`]
  })
  return [barName(index, count), ...texts].join(', ')
}

/** One bar of a small chart. `overlayValue` is drawn over the bar from the bottom, in another colour. */
type SparkBar = {
  value: number
  overlayValue?: number
  isBad?: boolean
  /** Neither good nor bad. */
  isMuted?: boolean
  /** The value with its unit, shown under the pointer. */
  text: string
}

const HEIGHT = 28
const WIDTH = 5
const GAP = 2

interface SparkBarsProps {
  bars: readonly SparkBar[]
  /** Text alternative for screen readers. */
  label: string
}

/** A small bar chart that fits into a table row. */
export function SparkBars({ bars, label }: SparkBarsProps) {
  const most = Math.max(...bars.map(({ value }) => value), 1)
  const heightOf = (value: number) => (value <= 0 ? 0 : Math.max(1.5, (value / most) * HEIGHT))
  const width = bars.length * (WIDTH + GAP)
  return (
    <svg className="spark" role="img" aria-label={label} width={width} height={HEIGHT}>
      {bars.map(({ value, overlayValue = 0, isBad = false, isMuted = false, text }, i) => {
        const x = i * (WIDTH + GAP)
        return (
          // Bars have no id, so their position identifies them.
          // oxlint-disable-next-line react/no-array-index-key
          <g key={i}>
            <title>{text}</title>
            <rect className="spark-place" x={x} width={WIDTH + GAP} height={HEIGHT} />
            <rect
              className={isBad ? 'spark-bad' : isMuted ? 'spark-muted' : 'spark-bar'}
              x={x}
              y={HEIGHT - heightOf(value)}
              width={WIDTH}
              height={heightOf(value)}
              rx={1}
            />
            {overlayValue > 0 && (
              <rect
                className="spark-part"
                x={x}
                y={HEIGHT - heightOf(overlayValue)}
                width={WIDTH}
                height={heightOf(overlayValue)}
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}
