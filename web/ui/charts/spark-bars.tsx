/** One bar of a small chart. `overlayValue` is drawn over the bar from the bottom, in another colour. */
export type SparkBar = {
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
