import './bar-chart.css'
import { listAxisSteps } from './axis-steps.ts'

export type BarSeries = {
  name: string
  colour: 'good' | 'dark' | 'bad'
  values: ReadonlyArray<number | null>
  /** Values for the tooltip, if they differ from the drawn `values`: a stacked bar is drawn as high as the sum. */
  tooltipValues?: ReadonlyArray<number | null>
}

export interface BarChartProps {
  /** Text alternative for screen readers. The page also shows the numbers in a table. */
  label: string
  /** The series of bars, drawn over each other in this order. Each has one value per run, oldest run first. */
  series: readonly BarSeries[]
  format: (value: number) => string
}

/** A few runs do not fill the chart with wide bars. */
const MIN_POSITIONS = 8

/** A bar chart with one position per run. The axis starts at zero, so that bar heights can be compared. */
export function BarChart({ label, series, format }: BarChartProps) {
  const runs = series[0]?.values.length ?? 0
  const steps = listAxisSteps(Math.max(0, ...series.flatMap(({ values }) => values.map(Number))))
  const top = steps.at(-1) ?? 1
  const percent = (value: number) => `${(100 * value) / top}%`
  return (
    <div role="img" aria-label={label}>
      <div className="chart">
        {steps.map((step) => (
          <div key={step} className="chart-line" style={{ insetBlockEnd: percent(step) }}>
            <span>{format(step)}</span>
          </div>
        ))}
        <div className="chart-bars">
          {Array.from({ length: Math.max(runs, MIN_POSITIONS) }, (_, run) => (
            <div key={run} title={run < runs ? describeRun(series, run, runs, format) : undefined}>
              {series.map(({ name, colour, values }) => (
                <i
                  key={name}
                  data-colour={colour}
                  style={{ blockSize: percent(values[run] ?? 0) }}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      <div className="chart-legend">
        {series.map(({ name, colour }) => (
          <span key={name}>
            <i data-colour={colour} /> {name}
          </span>
        ))}
      </div>
    </div>
  )
}

/** The tooltip of one run: "Run 3 of 20, Input: 1.2k, Output: 300". */
function describeRun(
  series: readonly BarSeries[],
  run: number,
  runs: number,
  format: BarChartProps['format'],
): string {
  const texts = series.flatMap(({ name, values, tooltipValues = values }) => {
    const value = tooltipValues[run] ?? null
    return value === null ? [] : [`${name}: ${format(value)}`]
  })
  return [`Run ${run + 1} of ${runs}`, ...texts].join(', ')
}
