import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'

export type BarSeries = {
  name: string
  colour: keyof (typeof COLOURS)['light']
  values: ReadonlyArray<number | null>
  /** Values for the legend, if they differ from the drawn `values`: a stacked bar is drawn as high as the sum. */
  legendValues?: ReadonlyArray<number | null>
}

export interface BarChartProps {
  /** Text alternative for screen readers. The page also shows the numbers in a table. */
  label: string
  /** The series of bars, drawn over each other in this order. Each has one value per run, oldest run first. */
  series: readonly BarSeries[]
  format: (value: number) => string
}

const HEIGHT = 170
const COLOURS = {
  light: { good: '#549f83', dark: '#0e523f', bad: '#c92a2a', grid: '#e3e6e8', text: '#52595f' },
  dark: { good: '#6bb095', dark: '#dcebe5', bad: '#ff8787', grid: '#3b3b3b', text: '#b4b8bb' },
}

/** A bar chart with one position per run. */
export function BarChart({ label, series, format }: BarChartProps) {
  const scheme = useComputedColorScheme('light')
  const { ref, width } = useElementSize<HTMLDivElement>()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (width === 0 || !box.current) return undefined
    const options = optionsFor(series, format, COLOURS[scheme], width)
    const runs = series[0]?.values.map((_, i) => i + 1) ?? []
    const plot = new uPlot(options, [runs, ...series.map(({ values }) => [...values])], box.current)
    return () => plot.destroy()
  }, [series, format, scheme, width])
  return (
    <div ref={ref} className="chart" role="img" aria-label={label}>
      <div ref={box} />
    </div>
  )
}

/** The y axis always starts at zero, so that bar heights can be compared. */
function fromZero(_plot: uPlot, _min: number, max: number): [number, number] {
  return [0, Math.max(max, 1) * 1.1]
}

function optionsFor(
  series: readonly BarSeries[],
  format: BarChartProps['format'],
  colours: (typeof COLOURS)['light'],
  width: number,
): uPlot.Options {
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
  }
  const last = series[0]?.values.length ?? 0
  const paths = uPlot.paths.bars?.({ size: [0.7, 28], align: 0 })
  return {
    width,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false, range: [0.4, Math.max(last, 8) + 0.6] }, y: { range: fromZero } },
    axes: [
      { ...axis, show: false },
      { ...axis, size: 64, values: (_plot, values) => values.map(format) },
    ],
    series: [
      {
        label: 'Run',
        value: (_plot, run: number | null) => (run === null ? '–' : `${run} of ${last}`),
      },
      ...series.map(({ name, colour, values, legendValues = values }) => ({
        label: name,
        stroke: colours[colour],
        fill: colours[colour],
        ...(paths && { paths }),
        points: { show: false },
        value: (_plot: uPlot, _value: number | null, _series: number, i: number | null) => {
          const value = i === null ? null : (legendValues[i] ?? null)
          return value === null ? '–' : format(value)
        },
      })),
    ],
  }
}
