/** One bar of a small chart: its height, and a second part of it from the bottom. */
export type Bar = { value: number; part?: number; isBad?: boolean }

const HEIGHT = 28
const WIDTH = 5
const GAP = 2

interface SparkBarsProps {
  bars: readonly Bar[]
  /** Says in words what the bars show. */
  label: string
}

/** A chart of a few pixels beside a name. */
export function SparkBars({ bars, label }: SparkBarsProps) {
  const most = Math.max(...bars.map(({ value }) => value), 1)
  const heightOf = (value: number) => (value <= 0 ? 0 : Math.max(1.5, (value / most) * HEIGHT))
  const width = bars.length * (WIDTH + GAP)
  return (
    <svg className="spark" role="img" aria-label={label} width={width} height={HEIGHT}>
      <title>{label}</title>
      {bars.map(({ value, part = 0, isBad = false }, i) => {
        const x = i * (WIDTH + GAP)
        return (
          // Their order is all that tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <g key={i}>
            <rect
              className={isBad ? 'spark-bad' : 'spark-bar'}
              x={x}
              y={HEIGHT - heightOf(value)}
              width={WIDTH}
              height={heightOf(value)}
            />
            {part > 0 && (
              <rect
                className="spark-part"
                x={x}
                y={HEIGHT - heightOf(part)}
                width={WIDTH}
                height={heightOf(part)}
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}
